import fc from 'fast-check';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { words } from '../../../src/index/analyzers.ts';
import { Bm25Index } from '../../../src/index/bm25.ts';
import type { RelatedTerms } from '../../../src/index/lexical-index.ts';
import { loadRelatedWords, relatedWords } from '../../../src/index/related-words.ts';

describe('the table of related words', () => {
  beforeAll(loadRelatedWords);

  it('must be loaded first', async () => {
    vi.resetModules();
    const fresh = await import('../../../src/index/related-words.ts');
    expect(() => fresh.relatedWords('bed')).toThrow('before it is loaded');
    await Promise.all([fresh.loadRelatedWords(), fresh.loadRelatedWords()]);
    expect(fresh.relatedWords('mattress')).toContain('bed');
  });

  it('knows words that mean about the same', () => {
    expect(relatedWords('mattress')).toContain('bed');
    expect(relatedWords('netball')).toEqual(['basketball']);
    expect(relatedWords('doctor')).toEqual(expect.arrayContaining(['doctors', 'physician']));
    expect(relatedWords('doctor')).not.toContain('tape');
  });

  it('relates words both ways and none to itself', () => {
    for (const word of ['aunt', 'boss', 'deposit', 'sailing', 'zoo']) {
      const others = relatedWords(word);
      expect(others).not.toContain(word);
      expect(new Set(others).size).toBe(others.length);
      for (const other of others) expect(relatedWords(other)).toContain(word);
    }
  });

  it('knows nothing of names made up, numbers and other languages', () => {
    for (const word of ['brannigsworth', '1410', 'schlüssel', '鍵', ''])
      expect(relatedWords(word)).toEqual([]);
  });
});

describe('related terms of a query', () => {
  const animals: RelatedTerms = { of: (term) => (term === 'pet' ? ['cat', 'dog', 'eel'] : []), share: 0.5 };

  function indexOf(texts: readonly string[]): Bm25Index {
    const index = new Bm25Index(words);
    for (const [id, text] of texts.entries()) index.set(id, text);
    return index;
  }

  function visited(texts: readonly string[], query: string, related?: RelatedTerms, most = 99) {
    const seen: unknown[] = [];
    const starts = texts.map((_, i) => i);
    indexOf(texts).eachTerm(
      query,
      starts,
      most,
      ({ times, count, groups, frequencies }) => {
        seen.push([times, [...groups.slice(0, count)], [...frequencies.slice(0, count)]]);
      },
      related,
    );
    return seen;
  }

  it('count as their share of the term, in the order of groups', () => {
    const texts = ['dog', 'hen', 'pet cat cat', 'pet', 'cat dog'];
    expect(visited(texts, 'pet pet hen', animals)).toEqual([
      [2, [0, 2, 3, 4], [0.5, 2, 1, 1]],
      [1, [1], [1]],
    ]);
  });

  it('are found where the term itself stands nowhere', () => {
    expect(visited(['hen', 'eel'], 'pet', animals)).toEqual([[1, [1], [0.5]]]);
    expect(visited(['hen', 'eel'], 'pet')).toEqual([]);
  });

  it('count for nothing where they, or the term, are common', () => {
    const texts = ['cat', 'cat', 'dog', 'pet'];
    expect(visited(texts, 'pet', animals, 1)).toEqual([[1, [2, 3], [0.5, 1]]]);
    expect(visited(['pet', 'pet', 'dog'], 'pet', animals, 1)).toEqual([]);
  });

  it('with a share of 1, count as if the term stood in their place', () => {
    const text = fc
      .array(fc.constantFrom('pet', 'cat', 'dog', 'hen'), { maxLength: 6 })
      .map((list) => list.join(' '));
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 8 }), (texts) => {
        const replaced = texts.map((one) => one.replace(/cat|dog/g, 'pet'));
        expect(visited(texts, 'hen pet', { ...animals, share: 1 })).toEqual(visited(replaced, 'hen pet'));
      }),
    );
  });
});
