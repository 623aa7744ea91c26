import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { SkeinError } from '../../../src/core/errors.ts';
import { yieldToEvents } from '../../../src/core/yield.ts';
import { Bm25Index } from '../../../src/index/bm25.ts';
import { EpisodicMemory } from '../../../src/memory/episodic-memory.ts';
import { summaryText } from '../../../src/memory/summaries.ts';
import { MemoryThreadStore } from '../../../src/store/memory-store.ts';
import { CONFIGURATION_NAMES, type IngestCommit } from '../../../src/store/records.ts';
import { bounds, memoryOf, outcome, reopen } from './memory-support.ts';
import { HashEmbedder, hashVector, topicThread, wordsOf } from './support.ts';

describe.each(CONFIGURATION_NAMES)('%s: strange threads', (configuration) => {
  test('an empty memory recalls nothing and embeds nothing', async () => {
    const { memory, embedder } = await memoryOf(configuration);
    expect(await memory.recall('anything?')).toEqual([]);
    expect(memory.search('anything', 5)).toEqual([]);
    expect(memory.episodes).toEqual([]);
    expect(embedder.asked).toEqual([]);
  });

  test('being prepared changes no recall, and an empty memory can be', async () => {
    const { memory: empty } = await memoryOf(configuration);
    await empty.prepare();
    expect(await empty.recall('anything?')).toEqual([]);
    const { memory } = await memoryOf(configuration, topicThread(24));
    const { memory: prepared } = await memoryOf(configuration, topicThread(24));
    await prepared.prepare();
    const recalled = await memory.recall('topic0word3');
    expect(recalled).not.toEqual([]);
    expect(await prepared.recall('topic0word3')).toEqual(recalled);
  });

  test('being prepared for a question changes no recall, whatever comes between', async () => {
    const { memory: empty } = await memoryOf(configuration);
    await empty.prepare('topic0word3');
    const { memory } = await memoryOf(configuration, topicThread(24));
    const { memory: prepared } = await memoryOf(configuration, topicThread(24));
    const vector = await memory.embedQuestion('topic0word3');
    const recall = async (one: EpisodicMemory) => {
      await one.prepare();
      return one.rank({ text: 'topic0word3', vector });
    };
    await prepared.prepare('topic1word5');
    expect(await recall(prepared)).toEqual(await recall(memory));
    await prepared.prepare('topic0word3');
    for (const one of [memory, prepared]) {
      await one.append([{ role: 'user', text: 'topic0word3 once more' }]);
      await one.catchUp();
    }
    expect(await recall(prepared)).toEqual(await recall(memory));
    for (const one of [memory, prepared]) await one.setForgotten(0, true);
    expect(await recall(prepared)).toEqual(await recall(memory));
  });

  test('one giant turn is one turn of one episode', async () => {
    const giant = 'needle '.repeat(300_000); // 2.1 MB
    const turns = topicThread(6);
    const { memory } = await memoryOf(configuration, [...turns, { role: 'user', text: giant }, ...turns]);
    expect(memory.ingested).toBe(13);
    const [best] = await memory.recall('needle');
    expect(best).toMatchObject({ terms: ['needle'] });
    expect(best!.decisive[0]).toBe(6);
  }, 30_000);

  test('turns without words, lone surrogates and users in a row are taken', async () => {
    const odd = ['', '  ', '...', '\ud83d', 'x \udc00 y', '\n'].map(
      (text) => ({ role: 'user', text }) as const,
    );
    const { memory, store } = await memoryOf(configuration, [...odd, ...topicThread(8), ...odd]);
    expect(memory.ingested).toBe(20);
    expect(bounds(memory).at(-1)![1]).toBe(20);
    for (const { text } of await store.readTurns(0, 20)) expect(text.isWellFormed()).toBe(true);
    expect((await memory.recall('topic0word3'))[0]).toBeDefined();
  });

  test('a thread of turns without any word recalls without an error', async () => {
    const { memory } = await memoryOf(configuration, [
      { role: 'user', text: '' },
      { role: 'model', text: '...' },
    ]);
    const recalled = await memory.recall('what?');
    expect(recalled.map(({ start, end }) => [start, end])).toEqual([[0, 2]]);
    for (const { score } of recalled) expect(Number.isFinite(score)).toBe(true);
  });

  test.each(['user', 'model'] as const)('a thread in which only the %s speaks is cut', async (role) => {
    const turns = topicThread(30).map(({ text }) => ({ role, text }));
    const { memory } = await memoryOf(configuration, turns);
    expect(memory.episodes.length).toBeGreaterThan(2);
    // 30 turns of 30 words are 39 tokens each: L_max and one turn are the most an episode can hold.
    for (const { tokens } of memory.episodes) expect(tokens).toBeLessThanOrEqual(320 + 39);
  });

  test('an empty question is refused', async () => {
    const { memory } = await memoryOf(configuration, topicThread(4));
    await expect(memory.recall(' \n')).rejects.toMatchObject({ code: 'bad-argument' });
  });

  test('a question whose recall is aborted rejects', async () => {
    const { memory } = await memoryOf(configuration, topicThread(4));
    const vector = hashVector('x');
    await expect(memory.recall('x', { vector, signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'aborted',
    });
  });
});

describe.each(CONFIGURATION_NAMES)('%s: changes', (configuration) => {
  const thread = topicThread(36);
  const SECRET = 'zyxwvut';
  const withSecret = thread.map((turn, i) => (i === 8 ? { ...turn, text: `${turn.text} ${SECRET}` } : turn));

  test('an edited turn is found by its new words only', async () => {
    const { memory, store, embedder } = await memoryOf(configuration, withSecret);
    await memory.saveCache();
    await memory.editTurn(8, 'the new wording names a quetzal');
    expect(memory.search(SECRET, 5)).toEqual([]);
    expect(memory.search('quetzal', 5)).toMatchObject([{ turn: 8 }]);
    const recalled = await memory.recall('the new wording names a quetzal');
    expect(recalled.find(({ episode }) => episode === memory.episodeOf(8))).toMatchObject({
      terms: expect.arrayContaining(['quetzal']),
      decisive: [8],
    });
    expect(await everythingStored(store)).not.toContain(SECRET);
    expect(await outcome(store, await reopen(store, embedder))).toEqual(await outcome(store, memory));
  });

  test('an edited text is made well-formed before it is embedded', async () => {
    const { memory, store, embedder } = await memoryOf(configuration, thread);
    await memory.editTurn(3, 'half a pair \ud83d here');
    for (const text of embedder.asked) expect(text.isWellFormed()).toBe(true);
    expect((await store.readTurns(3, 4))[0]!.text).toBe('half a pair \ufffd here');
  });

  test.each([-1, 1.5, 36, Number.NaN])(
    'turn %s cannot be edited, and trying breaks nothing',
    async (index) => {
      const { memory } = await memoryOf(configuration, thread);
      await expect(memory.editTurn(index, 'new')).rejects.toMatchObject({ code: 'not-found' });
      expect(await memory.recall('topic0word3')).not.toEqual([]);
    },
  );

  test('an empty text is refused with the advice to erase', async () => {
    const { memory } = await memoryOf(configuration, thread);
    await expect(memory.editTurn(3, ' ')).rejects.toMatchObject({ code: 'bad-argument' });
  });

  test('a turn that is not ingested yet can be edited', async () => {
    const { memory } = await memoryOf(configuration, thread);
    await memory.append([{ role: 'user', text: SECRET }]);
    await memory.editTurn(36, 'a quetzal instead');
    await memory.catchUp();
    expect(memory.search('quetzal', 5)).toMatchObject([{ turn: 36 }]);
    expect(memory.search(SECRET, 5)).toEqual([]);
  });

  test('erased words are in no index, cache, summary or store', async () => {
    const { memory, store, embedder } = await memoryOf(configuration, withSecret);
    await memory.saveCache();
    await store.addAsk({
      text: `what of ${SECRET}?`,
      askedAt: 0,
      position: 36,
      ingested: 36,
      configuration,
      episodes: await memory.recall(SECRET),
      milliseconds: 0,
    });
    expect(await everythingStored(store)).toContain(SECRET);
    embedder.asked.length = 0;
    const episode = memory.episodeOf(8);
    await memory.erase(8, 9);

    expect(memory.search(SECRET, 5)).toEqual([]);
    expect(await everythingStored(store)).not.toContain(SECRET);
    expect(embedder.asked.join('\n')).not.toContain(SECRET);
    const { episodes, vectors } = await store.load();
    expect(vectors.subarray(8 * 8, 9 * 8)).toEqual(new Float32Array(8));
    if (configuration !== 'skein') {
      const { start, end } = episodes[episode]!;
      const left = summaryText(episode, await store.readTurns(start, end));
      expect(episodes[episode]!.summary).toEqual(hashVector(left));
    }
    await memory.saveCache();
    expect(await everythingStored(store)).not.toContain(SECRET);
    for (const recalled of await memory.recall(SECRET)) {
      expect(recalled.terms).toEqual([]);
      expect(recalled.decisive).not.toContain(8);
    }
  });

  test('erased words leave a cluster summary that they were part of', async () => {
    const { memory, store } = await memoryOf(configuration, withSecret);
    const before = (await store.load()).clusters;
    const episode = memory.episodeOf(8);
    await memory.erase(memory.episodes[episode]!.start, memory.episodes[episode]!.end);
    const after = (await store.load()).clusters;
    for (const [i, { members, vector }] of before.entries()) {
      const held = members.slice(-4).includes(episode);
      if (held) expect(after[i]!.vector).not.toEqual(vector);
      else expect(after[i]).toEqual(before[i]);
    }
  });

  test('an episode whose every turn is erased is never recalled, before and after reopening', async () => {
    const { memory, store, embedder } = await memoryOf(configuration, withSecret);
    const { id, start, end } = memory.episodes[memory.episodeOf(8)]!;
    await memory.erase(start, end);
    for (const opened of [memory, await reopen(store, embedder)]) {
      const recalled = await opened.recall(SECRET, { k: 100 });
      const places = recalled.flatMap(({ ranges, ...whole }) => ranges ?? [whole]);
      expect(places.map(({ episode }) => episode)).not.toContain(id);
      // A family may hold several episodes, and what fits least is not recalled.
      if (configuration === 'skein') expect(recalled.length).toBeGreaterThan(0);
      else expect(recalled).toHaveLength(opened.episodes.length - 1);
    }
  });

  test('after an erasure a thread goes on', async () => {
    const { memory } = await memoryOf(configuration, withSecret);
    await memory.erase(30, 36);
    await memory.append(topicThread(20));
    await memory.catchUp();
    expect(memory.ingested).toBe(56);
    expect(bounds(memory).at(-1)![1]).toBe(56);
    expect(memory.search('topic0word3', 100).some(({ turn }) => turn >= 36)).toBe(true);
  });

  test('erasing everything leaves a memory that recalls nothing and goes on', async () => {
    const { memory, store, embedder } = await memoryOf(configuration, withSecret);
    await memory.erase(0, 36);
    expect(await memory.recall('topic0word3')).toEqual([]);
    const opened = await reopen(store, embedder);
    expect(await opened.recall('topic0word3')).toEqual([]);
    await opened.append([{ role: 'user', text: `a quetzal ${wordsOf(10)}` }]);
    await opened.catchUp();
    expect((await opened.recall('quetzal'))[0]!.decisive).toEqual([36]);
  });

  test('turns that are erased before they are ingested stay out', async () => {
    const { memory } = await memoryOf(configuration, thread);
    await memory.append([
      { role: 'user', text: SECRET },
      { role: 'model', text: 'a quetzal' },
    ]);
    await memory.erase(36, 37);
    await memory.catchUp();
    expect(memory.search(SECRET, 5)).toEqual([]);
    expect(memory.search('quetzal', 5)).toMatchObject([{ turn: 37 }]);
  });

  test('an erasure asked for while its turns are being ingested takes them all', async () => {
    const { memory, store } = await memoryOf(configuration);
    await memory.append(withSecret);
    const ingest = memory.catchUp();
    await memory.erase(8, 9);
    await ingest;
    expect(memory.search(SECRET, 5)).toEqual([]);
    await memory.saveCache();
    expect(await everythingStored(store)).not.toContain(SECRET);
    expect((await memory.recall(SECRET)).flatMap(({ terms }) => terms)).toEqual([]);
  });

  test('a forgotten episode is not recalled until it is remembered, also after reopening', async () => {
    const { memory, store, embedder } = await memoryOf(configuration, withSecret);
    const episode = memory.episodeOf(8);
    const ids = async (opened: EpisodicMemory) =>
      (await opened.recall(withSecret[8]!.text, { k: 100 })).map((recalled) => recalled.episode);
    expect(await ids(memory)).toContain(episode);
    await memory.setForgotten(episode, true);
    expect(await ids(memory)).not.toContain(episode);
    const opened = await reopen(store, embedder);
    expect(await ids(opened)).not.toContain(episode);
    await opened.setForgotten(episode, false);
    expect(await ids(opened)).toContain(episode);
    expect(opened.episodes[episode]).not.toHaveProperty('forgottenAt');
  });

  test('a pin is kept and taken away', async () => {
    const { memory, store, embedder } = await memoryOf(configuration, thread);
    await memory.setPinned(1, true);
    const opened = await reopen(store, embedder);
    expect(opened.episodes[1]).toMatchObject({ pinned: true });
    await opened.setPinned(1, false);
    expect((await store.load()).episodes[1]).not.toHaveProperty('pinned');
    await expect(opened.setPinned(999, true)).rejects.toMatchObject({ code: 'not-found' });
    await expect(opened.setForgotten(-1, true)).rejects.toMatchObject({ code: 'not-found' });
  });

  test('what was pinned or forgotten outlives a change of configuration, an edit and a reopening on the way', async () => {
    const { memory, store, embedder } = await memoryOf(configuration, withSecret);
    await memory.setForgotten(memory.episodeOf(8), true);
    await EpisodicMemory.reconfigure(store, configuration === 'skein' ? 'tsim' : 'skein', true);
    let next = await reopen(store, embedder);
    await next.editTurn(20, 'another text');
    next = await reopen(store, embedder);
    await next.catchUp();
    expect(next.episodes[next.episodeOf(8)]).toHaveProperty('forgottenAt');
    // Taken back, it stays taken back.
    await next.setForgotten(next.episodeOf(8), false);
    await next.append(topicThread(10));
    next = await reopen(store, embedder);
    await next.catchUp();
    expect(next.episodes[next.episodeOf(8)]).not.toHaveProperty('forgottenAt');
  });
});

test('what was forgotten while its episode was open stays forgotten when that is cut behind it', async () => {
  // Exchanges of 24 words a turn (the first: 47), with cosines 0.8, 0.5, 0.7 and 0.9 to the one before: turn 9 takes
  // the episode past 320 tokens, and it is cut at turn 4, in the middle of what was forgotten.
  const angles = [1, 0.8, 0.5, 0.7, 0.9].map(Math.acos).map((_, i, all) => sum(all.slice(0, i + 1)));
  const turns = angles.flatMap((_, i) =>
    (['user', 'model'] as const).map((role, j) => ({
      role,
      text: uniqueWords(i === 0 ? 47 : 24, 2 * i + j),
    })),
  );
  const vectorOf = (turn: number) => {
    const angle = angles[Math.floor(turn / 2)]!;
    return Float32Array.from([Math.cos(angle), Math.sin(angle), 0, 0, 0, 0, 0, 0]);
  };
  for (const reopened of [false, true]) {
    const { memory, store, embedder } = await memoryOf('skein');
    await memory.append(turns.slice(0, 8));
    await memory.catchUp({ vectorOf });
    expect(bounds(memory)).toEqual([[0, 8]]);
    await memory.setForgotten(0, true);
    const next = reopened ? await reopen(store, embedder) : memory;
    await next.append(turns.slice(8));
    await next.catchUp({ vectorOf });
    expect(bounds(next)).toEqual([
      [0, 4],
      [4, 10],
    ]);
    expect(next.episodes.every(({ forgottenAt }) => forgottenAt !== undefined)).toBe(true);
    expect(await next.recall(turns[6]!.text)).toEqual([]);
  }
});

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, n) => total + n, 0);
}

/** Words of four letters that no other turn shares, so that each is one gram of its own. */
function uniqueWords(count: number, turn: number): string {
  const letter = (n: number) => String.fromCharCode(97 + (n % 26));
  return Array.from(
    { length: count },
    (_, i) => `${letter(turn)}${letter(turn)}${letter(i)}${letter(i / 26)}`,
  ).join(' ');
}

test('a memory fetches what its ranking needs before it ranks, and only then', async () => {
  vi.resetModules();
  const fresh = await import('../../../src/memory/episodic-memory.ts');
  const store = new MemoryThreadStore({ configuration: 'skein' });
  const memory = await fresh.EpisodicMemory.open({ store, embedder: new HashEmbedder() });
  await memory.append(topicThread(12));
  await memory.catchUp();
  expect(await memory.recall('topic0word3')).not.toEqual([]);
});

describe('ports that fail', () => {
  const thread = topicThread(40);

  test('vectors of another embedder are refused on opening', async () => {
    const { store } = await memoryOf('skein', thread);
    const other = new HashEmbedder({ model: 'other', dtype: 'fp32', dimension: 8 });
    await expect(reopen(store, other)).rejects.toMatchObject({ code: 'stamp-mismatch' });
  });

  test.each(CONFIGURATION_NAMES)(
    '%s: a step that cannot be stored makes the memory refuse until reopened',
    async (configuration) => {
      const store = new TightStore(configuration);
      const embedder = new HashEmbedder();
      const memory = await EpisodicMemory.open({ store, embedder });
      await memory.append(thread);
      store.commitsLeft = 2;
      await expect(memory.catchUp({ stepTurns: 10 })).rejects.toMatchObject({ code: 'quota' });
      const refusal = { code: 'internal', message: expect.stringContaining('not in step') };
      await expect(memory.recall('topic0word3')).rejects.toMatchObject(refusal);
      await expect(memory.catchUp()).rejects.toMatchObject(refusal);
      await expect(memory.saveCache()).rejects.toMatchObject(refusal);
      await expect(memory.setPinned(0, true)).rejects.toMatchObject(refusal);
      await expect(memory.setForgotten(0, true)).rejects.toMatchObject(refusal);
      await expect(memory.editTurn(0, 'new')).rejects.toMatchObject(refusal);
      await expect(memory.erase(0, 1)).rejects.toMatchObject(refusal);
      expect(() => memory.search('topic0word3', 5)).toThrow('not in step');

      store.commitsLeft = Number.POSITIVE_INFINITY;
      const opened = await reopen(store, embedder);
      expect(opened.ingested).toBe(20);
      await opened.catchUp();
      const whole = await memoryOf(configuration, thread);
      expect(await outcome(store, opened)).toEqual(await outcome(whole.store, whole.memory));
    },
  );

  test.each(CONFIGURATION_NAMES)('%s: an embedder that fails loses nothing stored', async (configuration) => {
    const whole = await memoryOf(configuration, thread);
    const expected = await outcome(whole.store, whole.memory);
    for (const failsIn of [1, 2, 3, 4, 5]) {
      const store = new MemoryThreadStore({ configuration });
      const embedder = new HashEmbedder();
      let memory = await EpisodicMemory.open({ store, embedder });
      await memory.append(thread);
      embedder.failsIn = failsIn;
      const failure = await memory.catchUp({ stepTurns: 10 }).then(
        () => undefined,
        (error: unknown) => error,
      );
      if (failure) expect(failure).toMatchObject({ message: 'the embedder broke' });
      const { thread: head } = await store.load();
      expect(head.ingested % 10).toBe(0);
      embedder.failsIn = Number.POSITIVE_INFINITY;
      memory = await reopen(store, embedder);
      await memory.catchUp();
      expect(await outcome(store, memory)).toEqual(expected);
    }
  });

  test('an embedder that fails on the turns themselves leaves the memory usable', async () => {
    const { memory, embedder } = await memoryOf('tsim', thread);
    await memory.append([{ role: 'user', text: 'a quetzal' }]);
    embedder.failsIn = 1;
    await expect(memory.catchUp()).rejects.toThrow('the embedder broke');
    await memory.catchUp();
    expect(memory.search('quetzal', 1)).toMatchObject([{ turn: 40 }]);
  });

  test.each(CONFIGURATION_NAMES)(
    '%s: a question asked while a step is being stored is answered',
    async (configuration) => {
      const store = new TightStore(configuration);
      const embedder = new HashEmbedder();
      const memory = await EpisodicMemory.open({ store, embedder });
      await memory.append(thread);
      await memory.catchUp();
      await memory.append(topicThread(10));
      const asked: Promise<unknown>[] = [];
      store.onCommit = () => void asked.push(memory.recall('topic0word3'));
      await memory.catchUp();
      expect(asked).toHaveLength(1);
      expect(await asked[0]).not.toEqual([]);
    },
  );
});

/** A store that runs full: its commits fail from some point on. */
class TightStore extends MemoryThreadStore {
  commitsLeft = Number.POSITIVE_INFINITY;
  onCommit: () => void = () => {};

  constructor(configuration: (typeof CONFIGURATION_NAMES)[number]) {
    super({ configuration });
  }

  override async commit(step: IngestCommit): Promise<void> {
    this.onCommit();
    await new Promise((resolve) => setTimeout(resolve, 0));
    if (this.commitsLeft-- <= 0) throw new SkeinError('quota', 'The disk is full.', 'Free some space.');
    return super.commit(step);
  }
}

/** All text that a store holds of a thread, caches too. */
async function everythingStored(store: MemoryThreadStore): Promise<string> {
  const { thread, episodes, clusters } = await store.load();
  const turns = await store.readTurns(0, thread.turns);
  const caches = [await store.readCache('lexical'), await store.readCache('marks')];
  return JSON.stringify([thread, turns, episodes, clusters, caches, await store.listAsks()]);
}

test('the words of a question are looked up while it is embedded, and once', async () => {
  const { memory, embedder } = await memoryOf('skein', topicThread(24));
  await memory.recall('another question');
  let embedding = false;
  let embed = () => {};
  vi.spyOn(embedder, 'embed').mockImplementationOnce(async ([text]) => {
    // As a worker does, it begins with the message that tells it to.
    await yieldToEvents();
    embedding = true;
    await new Promise<void>((go) => {
      embed = go;
    });
    embedding = false;
    return [hashVector(text!)];
  });
  const { scoreGroups } = Bm25Index.prototype;
  const lookedUp: boolean[] = [];
  const lookUp = vi.spyOn(Bm25Index.prototype, 'scoreGroups').mockImplementation(function (
    this: Bm25Index,
    ...asked
  ) {
    lookedUp.push(embedding);
    return scoreGroups.apply(this, asked);
  });
  onTestFinished(() => lookUp.mockRestore());
  const recalling = memory.recall('topic0word3');
  await vi.waitFor(() => expect(lookedUp).toEqual([true, true]));
  embed();
  expect(await recalling).not.toEqual([]);
  expect(lookedUp).toEqual([true, true]);
});
