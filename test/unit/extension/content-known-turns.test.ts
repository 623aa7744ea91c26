import { describe, expect, test } from 'vitest';
import { KnownTurns, turnHash } from '../../../src/extension/content/capture/known-turns.ts';

/** Names texts as a page shows them, questions and answers by turns; `id` where the site names its messages. */
class Page {
  readonly known = new KnownTurns();
  #keys = new Map<string, string>();

  /** @param kept texts whose elements are those of the look before */
  look(texts: readonly string[], { ids = false, kept = [] as readonly string[], skip = false } = {}) {
    const named = this.known.name(
      texts.map((text, at) => {
        const role = at % 2 === 0 ? 'user' : 'model';
        const id = ids ? `m${text}` : undefined;
        return {
          role,
          hash: turnHash(role, text),
          id,
          known: kept.includes(text) ? this.#keys.get(text) : undefined,
        };
      }),
      skip,
    );
    for (const [at, { key }] of named.entries()) this.#keys.set(texts[at]!, key);
    return named;
  }
}

const newOnes = (named: readonly { isNews: boolean }[]) => named.map(({ isNews }) => isNews);

describe.each([true, false])('turns named by the site: %s', (ids) => {
  test('each is news once, and names the one before it', () => {
    const page = new Page();
    const first = page.look(['a', 'b'], { ids });
    expect(newOnes(first)).toEqual([true, true]);
    expect(first[1]!.after).toBe(first[0]!.key);
    const second = page.look(['a', 'b', 'c', 'd'], { ids });
    expect(newOnes(second)).toEqual([false, false, true, true]);
    expect(second[2]!.after).toBe(first[1]!.key);
  });

  test('an edit is a new turn after the same one, and its old version keeps its place', () => {
    const page = new Page();
    const [, b, c] = page.look(['a', 'b', 'c', 'd'], { ids });
    const edited = page.look(['a', 'b', 'C!', 'D!'], { ids });
    expect(newOnes(edited)).toEqual([false, false, ids, true].map((one, at) => (at === 2 ? true : one)));
    expect(edited[2]!.after).toBe(b!.key);
    expect(edited[2]!.key).not.toBe(c!.key);
    expect(page.look(['a', 'b', 'c', 'd'], { ids })).toMatchObject([
      {},
      {},
      { key: c!.key, after: b!.key, isNews: false },
      {},
    ]);
  });

  test('a list that drops and re-adds its rows adds nothing', () => {
    const page = new Page();
    const all = page.look(['a', 'b', 'c', 'd', 'e', 'f'], { ids });
    for (const [from, to] of [
      [2, 6],
      [0, 4],
      [4, 6],
      [0, 6],
    ] as const) {
      const shown = page.look(['a', 'b', 'c', 'd', 'e', 'f'].slice(from, to), { ids });
      expect(shown).toEqual(all.slice(from, to).map((turn) => ({ ...turn, isNews: false })));
    }
  });

  test('what scrolls in above tells what stood before', () => {
    const page = new Page();
    const [c] = page.look(['c', 'd'], { ids });
    expect(c!.after).toBeUndefined();
    const [, b, again] = page.look(['a', 'b', 'c', 'd'], { ids });
    expect(again).toEqual({ key: c!.key, after: b!.key, isNews: true });
  });

  test('what was skipped in a pause is never news, and nothing comes after it', () => {
    const page = new Page();
    const [, b] = page.look(['a', 'b'], { ids });
    expect(newOnes(page.look(['a', 'b', 's', 't'], { ids, skip: true }))).toEqual([
      false,
      false,
      false,
      false,
    ]);
    const after = page.look(['a', 'b', 's', 't', 'e'], { ids });
    expect(newOnes(after)).toEqual([false, false, false, false, true]);
    expect(after[4]!.after).toBe(b!.key);
  });
});

test('what is forgotten is news again under the same name; what was skipped never is', () => {
  const page = new Page();
  const [a, b] = page.look(['a', 'b']);
  page.look(['a', 'b', 's', 't'], { skip: true });
  page.known.forget();
  const again = page.look(['a', 'b', 's', 't']);
  expect(newOnes(again)).toEqual([true, true, false, false]);
  expect(again.slice(0, 2).map(({ key, after }) => [key, after])).toEqual([
    [a!.key, undefined],
    [b!.key, a!.key],
  ]);
  expect(newOnes(page.look(['a', 'b', 's', 't']))).toEqual([false, false, false, false]);
});

test('equal texts of one conversation are told apart by their neighbours', () => {
  const page = new Page();
  const all = page.look(['x', 'ok', 'x', 'ok', 'x', 'ok']);
  expect(new Set(all.map(({ key }) => key)).size).toBe(6);
  expect(page.look(['x', 'ok', 'x', 'ok', 'x', 'ok']).map(({ key }) => key)).toEqual(
    all.map(({ key }) => key),
  );
  const more = page.look(['x', 'ok', 'x', 'ok', 'x', 'ok', 'x']);
  expect(newOnes(more)).toEqual([false, false, false, false, false, false, true]);
});

test('a message whose text changed under its name is another version of it', () => {
  const known = new KnownTurns();
  const turn = (text: string) => ({
    role: 'model' as const,
    hash: turnHash('model', text),
    id: 'm1',
    known: undefined,
  });
  const [first] = known.name([turn('Half an ans')]);
  const [second] = known.name([turn('Half an answer')]);
  expect(second).toEqual({ key: expect.stringMatching(/^m:m1~/), after: undefined, isNews: true });
  expect(known.name([turn('Half an ans')])).toEqual([{ ...first, isNews: false }]);
  // A name that two turns of one page share is none.
  const [a, b] = known.name([turn('One'), turn('Two')]);
  expect(a!.key).not.toBe(b!.key);
});

test('spaces and signs that a re-render changes make no new text', () => {
  expect(turnHash('user', 'Hello,  world!')).toBe(turnHash('user', 'Hello world'));
  expect(turnHash('user', 'Hello')).not.toBe(turnHash('model', 'Hello'));
  expect(turnHash('user', '👍')).not.toBe(turnHash('user', '👎'));
});
