import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { NewTurn } from '../src/core/turn.ts';
import type { EmbedderStamp } from '../src/embed/embedder.ts';
import type { AnswerVersion, AskRecord, EpisodeRecord, IngestCommit } from '../src/store/records.ts';
import type { ThreadStore } from '../src/store/thread-store.ts';

export const STAMP: EmbedderStamp = { model: 'test', dtype: 'fp32', dimension: 3 };
export const OTHER_STAMP: EmbedderStamp = { model: 'other', dtype: 'fp32', dimension: 3 };

/** `count` turns `word 0`, `word 1`, ... by turns of the two speakers. */
export function someTurns(count: number, word = 'turn'): NewTurn[] {
  return Array.from({ length: count }, (_, i) => ({
    role: i % 2 === 0 ? ('user' as const) : ('model' as const),
    text: `${word} ${i}`,
  }));
}

/** A vector that tells which row it belongs to. */
export function vectorOf(row: number): Float32Array {
  return new Float32Array([row + 1, 0.5, -row]);
}

/** A step that ingests turns `from` to `to - 1` as one closed episode. */
export function someStep(from: number, to: number, changes: Partial<IngestCommit> = {}): IngestCommit {
  return {
    stamp: STAMP,
    from,
    vectors: Array.from({ length: to - from }, (_, i) => vectorOf(from + i)),
    episodes: to > from ? [someEpisode(from, from, to)] : [],
    clusters: [],
    segmenter: { next: to },
    ...changes,
  };
}

export function someEpisode(id: number, start: number, end: number): EpisodeRecord {
  return { id, start, end, tokens: 2.6 * (end - start), closed: true };
}

export function someAsk(text: string, start: number, end: number): Omit<AskRecord, 'id'> {
  return {
    text,
    askedAt: 1_700_000_000_000,
    position: end,
    ingested: end,
    configuration: 'skein',
    episodes: [
      { episode: 0, start, end, score: 0.5, parts: { vector: 0.5 }, terms: ['turn'], decisive: [start] },
    ],
    milliseconds: 1.5,
  };
}

export function someVersion(changes: Partial<AnswerVersion> = {}): AnswerVersion {
  return {
    answeredAt: 1_700_000_000_500,
    model: 'small',
    title: 'A small model',
    engine: 'transformers',
    backend: 'wasm',
    promptTokens: 90,
    tokens: 12,
    recalledTokens: 40,
    firstTokenMs: 20,
    milliseconds: 80,
    finish: 'stop',
    passages: [{ episode: 0, start: 0, end: 1 }],
    cited: [0],
    ...changes,
  };
}

/** How an implementation makes threads whose vectors are visible to each other. */
export interface StoreMaker {
  create(): Promise<ThreadStore>;
  /** The same thread as a later visit would open it. */
  reopen(store: ThreadStore): Promise<ThreadStore>;
  close(): Promise<void>;
}

/** What every `ThreadStore` promises, run against one implementation. */
export function describeThreadStore(name: string, start: () => Promise<StoreMaker>): void {
  describe(`${name} as a ThreadStore`, () => {
    let maker: StoreMaker;
    let store: ThreadStore;
    beforeEach(async () => {
      maker = await start();
      store = await maker.create();
    });
    afterEach(() => maker.close());

    test('a new thread is empty', async () => {
      const { thread, episodes, clusters, vectors } = await store.load();
      expect(thread).toMatchObject({
        id: store.id,
        turns: 0,
        ingested: 0,
        tokens: 0,
        configuration: 'skein',
      });
      expect(thread.stamp).toBeUndefined();
      expect([episodes, clusters, [...vectors]]).toEqual([[], [], []]);
    });

    test('append numbers the turns and keeps all they say', async () => {
      const said: NewTurn[] = [
        { role: 'user', text: 'one two', time: 5, source: 'a.json: chat' },
        { role: 'model', text: '' },
      ];
      expect(await store.append(said)).toBe(0);
      expect(await store.append([{ role: 'user', text: 'three' }])).toBe(2);
      store = await maker.reopen(store);
      expect(await store.readTurns(0, 99)).toEqual([
        { index: 0, role: 'user', text: 'one two', time: 5, source: 'a.json: chat' },
        { index: 1, role: 'model', text: '' },
        { index: 2, role: 'user', text: 'three' },
      ]);
      const { thread } = await store.load();
      expect(thread.turns).toBe(3);
      expect(thread.tokens).toBeCloseTo(3.9, 12);
    });

    test('append of nothing stores nothing', async () => {
      await store.append(someTurns(2));
      expect(await store.append([])).toBe(2);
      expect((await store.load()).thread.turns).toBe(2);
    });

    test('a lone surrogate becomes a replacement character, in text and source', async () => {
      await store.append([{ role: 'user', text: 'a\ud83d', source: '\udc00b' }]);
      expect(await store.readTurns(0, 1)).toEqual([
        { index: 0, role: 'user', text: 'a\ufffd', source: '\ufffdb' },
      ]);
    });

    test('a bad turn is named and none of the call is stored', async () => {
      const bad = { role: 'narrator', text: 'x' } as unknown as NewTurn;
      await expect(store.append([...someTurns(2), bad])).rejects.toMatchObject({
        code: 'bad-argument',
        message: expect.stringContaining('Turn 3 of 3'),
      });
      expect((await store.load()).thread.turns).toBe(0);
    });

    test('readTurns clips to what exists', async () => {
      await store.append(someTurns(5));
      const indices = async (from: number, to: number) =>
        (await store.readTurns(from, to)).map((turn) => turn.index);
      expect(await indices(1, 3)).toEqual([1, 2]);
      expect(await indices(-2, 2)).toEqual([0, 1]);
      expect(await indices(3, 99)).toEqual([3, 4]);
      expect(await indices(3, 3)).toEqual([]);
      expect(await indices(4, 1)).toEqual([]);
      expect(await indices(9, 12)).toEqual([]);
    });

    test('commits build vectors over block borders and replace episodes by id', async () => {
      await store.append(someTurns(600));
      await store.commit(someStep(0, 100));
      await store.commit(someStep(100, 100));
      await store.commit(
        someStep(100, 520, {
          episodes: [someEpisode(0, 0, 120), someEpisode(1, 120, 520)],
          clusters: [{ id: 0, members: [0, 1], vector: vectorOf(7) }],
        }),
      );
      store = await maker.reopen(store);
      const { thread, episodes, clusters, vectors } = await store.load();
      expect(thread).toMatchObject({ turns: 600, ingested: 520, stamp: STAMP, segmenter: { next: 520 } });
      expect(episodes).toEqual([someEpisode(0, 0, 120), someEpisode(1, 120, 520)]);
      expect(clusters).toEqual([{ id: 0, members: [0, 1], vector: vectorOf(7) }]);
      expect(vectors).toEqual(
        Float32Array.from(Array.from({ length: 520 }, (_, i) => [...vectorOf(i)]).flat()),
      );
    });

    test.each([
      ['starts elsewhere', someStep(1, 3), 'bad-argument'],
      ['runs past the turns', someStep(2, 9), 'bad-argument'],
      [
        'has an episode of turns that are not ingested',
        someStep(2, 3, { episodes: [someEpisode(5, 2, 4)] }),
        'bad-argument',
      ],
      [
        'has vectors of another dimension',
        someStep(2, 3, { vectors: [new Float32Array(4)] }),
        'wrong-dimension',
      ],
      ['has another stamp', someStep(2, 3, { stamp: OTHER_STAMP }), 'stamp-mismatch'],
    ])('a step that %s changes nothing', async (_, step, code) => {
      await store.append(someTurns(4));
      await store.commit(someStep(0, 2));
      const before = await store.load();
      await expect(store.commit(step)).rejects.toMatchObject({ code });
      expect(await store.load()).toEqual(before);
    });

    test('what is handed in or out is not shared', async () => {
      await store.append(someTurns(1));
      const step = someStep(0, 1, { episodes: [{ ...someEpisode(0, 0, 1), summary: vectorOf(1) }] });
      await store.commit(step);
      step.vectors[0]!.fill(9);
      const loaded = await store.load();
      loaded.vectors.fill(8);
      loaded.episodes[0]!.summary!.fill(7);
      const again = await store.load();
      expect(again.vectors).toEqual(vectorOf(0));
      expect(again.episodes[0]!.summary).toEqual(vectorOf(1));
    });

    test('putEpisodes replaces an episode as it stands', async () => {
      await store.append(someTurns(4));
      await store.commit(someStep(0, 4));
      const forgotten = { ...someEpisode(0, 0, 4), pinned: true, forgottenAt: 12, summary: vectorOf(3) };
      await store.putEpisodes([forgotten]);
      expect((await store.load()).episodes).toEqual([forgotten]);
      await store.putEpisodes([someEpisode(0, 0, 4)]);
      expect((await store.load()).episodes).toEqual([someEpisode(0, 0, 4)]);
      await expect(store.putEpisodes([someEpisode(1, 4, 5)])).rejects.toMatchObject({ code: 'bad-argument' });
    });

    test('rewriteTurn changes one text and its vector, and drops caches', async () => {
      await store.append([{ role: 'user', text: 'one two three', time: 3 }, ...someTurns(2)]);
      await store.commit(someStep(0, 2));
      await store.writeCache('lexical', 1);
      await store.rewriteTurn(0, 'four\udc00', vectorOf(50), {
        episodes: [{ ...someEpisode(0, 0, 2), tokens: 1.3 }],
        segmenter: { next: 'again' },
      });
      const { thread, episodes, vectors } = await store.load();
      expect(await store.readTurns(0, 1)).toEqual([{ index: 0, role: 'user', text: 'four\ufffd', time: 3 }]);
      expect(thread.tokens).toBeCloseTo(5 * 1.3, 12);
      expect(thread.segmenter).toEqual({ next: 'again' });
      expect(episodes).toEqual([{ ...someEpisode(0, 0, 2), tokens: 1.3 }]);
      expect(vectors).toEqual(new Float32Array([...vectorOf(50), ...vectorOf(1)]));
      expect(await store.readCache('lexical')).toBeUndefined();
    });

    test('rewriteTurn refuses a missing turn and a vector that does not fit', async () => {
      await store.append(someTurns(2));
      await store.commit(someStep(0, 1));
      await expect(store.rewriteTurn(2, 'x', undefined)).rejects.toMatchObject({ code: 'not-found' });
      await expect(store.rewriteTurn(0, 'x', undefined)).rejects.toMatchObject({ code: 'bad-argument' });
      await expect(store.rewriteTurn(1, 'x', vectorOf(1))).rejects.toMatchObject({ code: 'bad-argument' });
      await expect(store.rewriteTurn(0, 'x', new Float32Array(2))).rejects.toMatchObject({
        code: 'wrong-dimension',
      });
      expect(await store.readTurns(0, 9)).toEqual(someTurns(2).map((turn, index) => ({ ...turn, index })));
    });

    test('erase leaves the place of a turn and nothing it said', async () => {
      await store.append([
        { role: 'user', text: 'keep this', time: 1 },
        { role: 'model', text: 'secret word here', time: 2, source: 'secret.json' },
        ...someTurns(298),
      ]);
      await store.commit(someStep(0, 300));
      await store.writeCache('lexical', 'secret');
      const kept = await store.addAsk(someAsk('about the rest', 290, 300));
      await store.addAsk(someAsk('about the secret', 0, 2));
      await store.erase(1, 260, {
        episodes: [{ ...someEpisode(0, 0, 300), summary: vectorOf(9) }],
        clusters: [{ id: 0, members: [0], vector: vectorOf(8) }],
        segmenter: null,
      });
      store = await maker.reopen(store);
      const { thread, episodes, clusters, vectors } = await store.load();
      expect(await store.readTurns(0, 3)).toEqual([
        { index: 0, role: 'user', text: 'keep this', time: 1 },
        { index: 1, role: 'model', text: '', time: 2, erased: true },
        { index: 2, role: 'user', text: '', erased: true },
      ]);
      expect(vectors.slice(0, 6)).toEqual(new Float32Array([...vectorOf(0), 0, 0, 0]));
      expect(vectors.slice(259 * 3, 261 * 3)).toEqual(new Float32Array([0, 0, 0, ...vectorOf(260)]));
      expect(thread).toMatchObject({ turns: 300, ingested: 300, segmenter: null });
      expect(thread.tokens).toBeCloseTo(1.3 * 2 * 41, 9);
      expect(episodes[0]!.summary).toEqual(vectorOf(9));
      expect(clusters).toHaveLength(1);
      expect(await store.listAsks()).toEqual([kept]);
      expect(await store.readCache('lexical')).toBeUndefined();
    });

    test('erase clips to what exists; erasing everything leaves no tokens', async () => {
      await store.append(someTurns(3));
      await store.erase(-5, 99, {});
      expect((await store.load()).thread.tokens).toBe(0);
      expect((await store.readTurns(0, 9)).map((turn) => turn.erased)).toEqual([true, true, true]);
      await store.erase(7, 9, {});
      expect((await store.load()).thread.turns).toBe(3);
    });

    test('reset drops what was made of the turns', async () => {
      await store.append(someTurns(3));
      await store.commit(someStep(0, 3, { clusters: [{ id: 0, members: [0], vector: vectorOf(1) }] }));
      await store.writeCache('lexical', 1);
      await store.reset('tsim', false);
      const { thread, episodes, clusters, vectors } = await store.load();
      expect(thread).toMatchObject({ configuration: 'tsim', turns: 3, ingested: 0 });
      expect([thread.stamp, thread.segmenter]).toEqual([undefined, undefined]);
      expect([episodes, clusters, [...vectors]]).toEqual([[], [], []]);
      expect(await store.readCache('lexical')).toBeUndefined();
      expect(await store.findVectors(['turn 0'], STAMP)).toEqual([undefined]);
    });

    test('after a reset that kept them, vectors are found again until another stamp comes', async () => {
      await store.append(someTurns(300));
      await store.commit(someStep(0, 300));
      await store.reset('tsim', true);
      expect((await store.load()).vectors).toHaveLength(0);
      await store.commit(someStep(0, 2));
      expect((await store.load()).vectors).toHaveLength(6);
      expect(await store.findVectors(['turn 1', 'turn 299'], STAMP)).toEqual([vectorOf(1), vectorOf(299)]);
      await store.reset('tsim', true);
      await store.commit(someStep(0, 1, { stamp: OTHER_STAMP }));
      expect(await store.findVectors(['turn 0', 'turn 299'], STAMP)).toEqual([undefined, undefined]);
      expect(await store.findVectors(['turn 0', 'turn 299'], OTHER_STAMP)).toEqual([vectorOf(0), undefined]);
    });

    test('a kept vector does not outlive its text', async () => {
      await store.append(someTurns(3));
      await store.commit(someStep(0, 3));
      await store.reset('skein', true);
      await store.rewriteTurn(1, 'new words', undefined);
      await store.erase(2, 3, {});
      expect(await store.findVectors(['turn 0', 'turn 1', 'new words', 'turn 2', ''], STAMP)).toEqual([
        vectorOf(0),
        undefined,
        undefined,
        undefined,
        undefined,
      ]);
    });

    test('findVectors finds the same text in any thread, under the same stamp only', async () => {
      await store.append([...someTurns(2), { role: 'user', text: 'turn 0' }, { role: 'user', text: '' }]);
      await store.commit(someStep(0, 2));
      const other = await maker.create();
      await other.append(someTurns(2, 'other'));
      await other.commit(someStep(0, 2));
      const third = await maker.create();
      await third.append(someTurns(2, 'other'));
      await third.append(someTurns(1, 'third'));
      await third.commit(someStep(0, 3, { stamp: OTHER_STAMP }));
      expect(
        await store.findVectors(['turn 0', 'other 1', 'other 1', 'third 0', 'turn', 'TURN 0', ''], STAMP),
      ).toEqual([vectorOf(0), vectorOf(1), vectorOf(1), undefined, undefined, undefined, undefined]);
      expect(await store.findVectors([], STAMP)).toEqual([]);
    });

    test('questions are numbered, listed in order and removed', async () => {
      const first = await store.addAsk(someAsk('first', 0, 1));
      const second = await store.addAsk(someAsk('second', 0, 1));
      expect([first.id, second.id]).toEqual([0, 1]);
      expect(await store.listAsks()).toEqual([
        { ...someAsk('first', 0, 1), id: 0 },
        { ...someAsk('second', 0, 1), id: 1 },
      ]);
      await store.removeAsk(0);
      await store.removeAsk(0);
      expect((await store.addAsk(someAsk('third', 0, 1))).id).toBe(2);
      expect((await store.listAsks()).map((ask) => ask.text)).toEqual(['second', 'third']);
    });

    const asked = [
      { role: 'user', text: 'why?', time: 7 },
      { role: 'model', text: 'because' },
    ] as const;

    test('a question and its answer become turns, and the question stands behind them', async () => {
      await store.append(someTurns(3));
      const { id } = await store.addAsk(someAsk('why?', 0, 3));
      await store.append(someTurns(1, 'meanwhile'));
      expect(await store.append(asked, { askId: id, version: someVersion({ text: 'because' }) })).toBe(4);
      store = await maker.reopen(store);
      expect((await store.readTurns(4, 9)).map(({ text }) => text)).toEqual(['why?', 'because']);
      const answer = { question: 4, turn: 5, versions: [someVersion()], shown: 0 };
      expect(await store.readAsk(id)).toEqual({ ...someAsk('why?', 0, 3), id, position: 6, answer });
      expect(await store.readAsk(9)).toBeUndefined();
    });

    test('a question that is gone or answered takes no answer, and no turn is stored', async () => {
      const { id } = await store.addAsk(someAsk('why?', 0, 0));
      const settles = { askId: id, version: someVersion() };
      await expect(store.append(someTurns(1), settles)).rejects.toMatchObject({ code: 'bad-argument' });
      await store.append(asked, settles);
      await expect(store.append(asked, settles)).rejects.toMatchObject({ code: 'bad-argument' });
      await store.removeAsk(id);
      await expect(store.append(asked, settles)).rejects.toMatchObject({ code: 'not-found' });
      expect((await store.load()).thread.turns).toBe(2);
    });

    test('another version is stored with the new text of its turn, or not at all', async () => {
      const { id } = await store.addAsk(someAsk('why?', 0, 0));
      await store.append(asked, { askId: id, version: someVersion() });
      const ask = (await store.readAsk(id))!;
      const versions = [someVersion({ text: 'because' }), someVersion({ tokens: 3 })];
      const second = { ...ask, answer: { ...ask.answer!, versions, shown: 1 } };
      await store.rewriteTurn(1, 'therefore', undefined, { asks: [second] });
      expect(await store.readAsk(id)).toEqual(second);
      await store.removeAsk(id);
      await expect(store.rewriteTurn(1, 'no more', undefined, { asks: [second] })).rejects.toMatchObject({
        code: 'not-found',
      });
      expect((await store.readTurns(1, 2))[0]!.text).toBe('therefore');
      expect(await store.listAsks()).toEqual([]);
    });

    test('a question follows the text of its turn, and goes with its question or its answer', async () => {
      const ids: number[] = [];
      for (let n = 0; n < 3; n++) {
        const { id } = await store.addAsk({ ...someAsk('why?', 0, 0), episodes: [] });
        await store.append(asked, { askId: id, version: someVersion({ passages: [], cited: [] }) });
        ids.push(id);
      }
      await store.rewriteTurn(2, 'why not?', undefined);
      await store.rewriteTurn(3, 'no reason', undefined);
      expect((await store.listAsks()).map(({ text }) => text)).toEqual(['why?', 'why not?', 'why?']);
      await store.erase(0, 1, {});
      await store.erase(3, 4, {});
      expect((await store.listAsks()).map(({ id }) => id)).toEqual([ids[2]]);
    });

    test('a question goes with a turn that its answer read among the recent ones', async () => {
      await store.append(someTurns(2));
      const { id } = await store.addAsk({ ...someAsk('why?', 0, 2), episodes: [] });
      const version = someVersion({ passages: [], cited: [], recent: [1] });
      await store.append(asked, { askId: id, version });
      await store.erase(0, 1, {});
      expect((await store.listAsks()).map((ask) => ask.id)).toEqual([id]);
      await store.erase(1, 2, {});
      expect(await store.listAsks()).toEqual([]);
    });

    test('caches keep typed arrays, each under its kind', async () => {
      const value = { terms: 'a b', postings: new Uint32Array([1, 2]) };
      await store.writeCache('lexical', value);
      await store.writeCache('other', 5);
      expect(await store.readCache('lexical')).toEqual(value);
      expect(await store.readCache('other')).toBe(5);
      expect(await store.readCache('nothing')).toBeUndefined();
      await store.writeCache('lexical', 'new');
      expect(await store.readCache('lexical')).toBe('new');
    });

    test('calls made at once are done one after the other', async () => {
      const firsts = await Promise.all([1, 2, 3].map((n) => store.append(someTurns(n, `call${n}`))));
      expect(firsts).toEqual([0, 1, 3]);
      expect((await store.readTurns(0, 9)).map((turn) => turn.text)).toEqual([
        'call1 0',
        'call2 0',
        'call2 1',
        'call3 0',
        'call3 1',
        'call3 2',
      ]);
    });
  });
}
