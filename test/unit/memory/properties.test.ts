import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { estimateTokens } from '../../../src/core/tokens.ts';
import type { NewTurn } from '../../../src/core/turn.ts';
import { TSIM } from '../../../src/memory/configurations.ts';
import { EpisodicMemory } from '../../../src/memory/episodic-memory.ts';
import { MemoryThreadStore } from '../../../src/store/memory-store.ts';
import { CONFIGURATION_NAMES, type EpisodeRecord } from '../../../src/store/records.ts';
import { memoryOf, outcome, reopen } from './memory-support.ts';
import { HashEmbedder } from './support.ts';

const { minTokens: L_MIN, maxTokens: L_MAX } = TSIM.segmentation;

const WORD = fc.constantFrom(
  'apple',
  'river',
  'stone',
  'cloud',
  'engine',
  'ledger',
  'fjord',
  'квартал',
  '東京',
  '🙂',
);

/** Mostly some words of one topic; now and then what a thread should not hold but does. */
const TEXT = fc.oneof(
  {
    weight: 12,
    arbitrary: fc
      .tuple(fc.array(WORD, { minLength: 1, maxLength: 3 }), fc.integer({ min: 1, max: 90 }))
      .map(([words, count]) => Array.from({ length: count }, (_, i) => words[i % words.length]).join(' ')),
  },
  { weight: 1, arbitrary: fc.constantFrom('', '   ', '...', '\ud83d cut', '\n\n', '?!', 'a'.repeat(4000)) },
  { weight: 1, arbitrary: fc.integer({ min: 200, max: 700 }).map((count) => 'long '.repeat(count)) },
);

const ROLE = fc.oneof(
  { weight: 3, arbitrary: fc.constant('alternate' as const) },
  { weight: 1, arbitrary: fc.constantFrom('user' as const, 'model' as const) },
);

/** Threads that mostly alternate, with runs of one speaker in between. */
const THREAD: fc.Arbitrary<NewTurn[]> = fc
  .array(fc.tuple(ROLE, TEXT), { minLength: 1, maxLength: 40 })
  .map((rows) => {
    let last: NewTurn['role'] = 'model';
    return rows.map(([role, text]) => {
      last = role === 'alternate' ? (last === 'user' ? 'model' : 'user') : role;
      return { role: last, text };
    });
  });

const ONE_SPEAKER: fc.Arbitrary<NewTurn[]> = fc
  .tuple(fc.constantFrom('user' as const, 'model' as const), fc.array(TEXT, { minLength: 1, maxLength: 30 }))
  .map(([role, texts]) => texts.map((text) => ({ role, text })));

const ANY_THREAD = fc.oneof({ weight: 4, arbitrary: THREAD }, { weight: 1, arbitrary: ONE_SPEAKER });

const RUNS = { numRuns: 40 };

function checkPartition(episodes: readonly EpisodeRecord[], turns: readonly NewTurn[]): void {
  let next = 0;
  for (const [i, { id, start, end, tokens, closed }] of episodes.entries()) {
    expect({ id, start }).toEqual({ id: i, start: next });
    expect(end).toBeGreaterThan(start);
    expect(closed).toBe(i < episodes.length - 1);
    expect(tokens).toBeCloseTo(tokensOf(turns, start, end), 6);
    next = end;
  }
  expect(next).toBe(turns.length);
}

function tokensOf(turns: readonly NewTurn[], from: number, to: number): number {
  return turns.slice(from, to).reduce((sum, turn) => sum + estimateTokens(turn.text), 0);
}

describe.each(CONFIGURATION_NAMES)('%s', (configuration) => {
  test('episodes partition the turns in order', async () => {
    await fc.assert(
      fc.asyncProperty(ANY_THREAD, async (turns) => {
        const { memory, store } = await memoryOf(configuration, turns);
        checkPartition(memory.episodes, turns);
        expect((await store.load()).episodes).toEqual(memory.episodes);
      }),
      RUNS,
    );
  });

  test('no later turn changes a closed episode', async () => {
    await fc.assert(
      fc.asyncProperty(ANY_THREAD, fc.nat(), async (turns, at) => {
        const prefix = 1 + (at % turns.length);
        const { memory } = await memoryOf(configuration, turns.slice(0, prefix));
        const closed = structuredClone(memory.episodes.filter((episode) => episode.closed));
        await memory.append(turns.slice(prefix));
        await memory.catchUp();
        expect(memory.episodes.slice(0, closed.length)).toEqual(closed);
        // Nor does it matter whether the later turns were there from the start.
        const whole = await memoryOf(configuration, turns);
        expect(whole.memory.episodes.slice(0, closed.length)).toEqual(closed);
      }),
      RUNS,
    );
  });

  test('the same turns give the same memory, in whatever steps, stopped or reopened in between', async () => {
    await fc.assert(
      fc.asyncProperty(
        ANY_THREAD,
        fc.integer({ min: 1, max: 9 }),
        fc.array(fc.boolean(), { minLength: 1, maxLength: 8 }),
        async (turns, stepTurns, reopens) => {
          const whole = await memoryOf(configuration, turns);
          const expected = await outcome(whole.store, whole.memory);

          const store = new MemoryThreadStore({ configuration });
          const embedder = new HashEmbedder();
          let memory = await EpisodicMemory.open({ store, embedder });
          await memory.append(turns);
          for (let step = 0; memory.ingested < turns.length; step++) {
            const controller = new AbortController();
            const before = memory.ingested;
            // Each round is stopped after its first step, the second one in the middle of it.
            const stop = () => {
              if (memory.ingested > before || step === 1) controller.abort();
            };
            await memory
              .catchUp({ stepTurns, signal: controller.signal, onProgress: stop })
              .catch((error: unknown) => expect(error).toMatchObject({ code: 'aborted' }));
            if (reopens[step % reopens.length]) {
              if (step % 2 === 0) await memory.saveCache();
              memory = await reopen(store, embedder);
            }
          }
          expect(await outcome(store, memory)).toEqual(expected);
          expect(await outcome(store, await reopen(store, embedder))).toEqual(expected);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('going on after an edit or an erasure is the same with and without reopening', async () => {
    await fc.assert(
      fc.asyncProperty(
        ANY_THREAD,
        ANY_THREAD,
        fc.nat(),
        fc.nat(),
        fc.boolean(),
        async (turns, more, a, b, edit) => {
          const results = [];
          for (const reopened of [false, true]) {
            const { store, embedder, memory } = await memoryOf(configuration, turns);
            const from = a % turns.length;
            if (edit) await memory.editTurn(from, 'quite another text about a ledger');
            else await memory.erase(from, from + 1 + (b % 4));
            const next = reopened ? await reopen(store, embedder) : memory;
            await next.append(more);
            await next.catchUp();
            results.push(await outcome(store, next));
          }
          expect(results[1]).toEqual(results[0]);
        },
      ),
      RUNS,
    );
  });
});

describe.each(['tsim', 'tsim-fitted'] as const)('%s', (configuration) => {
  test('an episode closes at L_min at the earliest, and takes no turn once it has L_max', async () => {
    await fc.assert(
      fc.asyncProperty(ANY_THREAD, async (turns) => {
        const { memory } = await memoryOf(configuration, turns);
        for (const { start, end, tokens, closed } of memory.episodes) {
          if (closed) expect(tokens).toBeGreaterThanOrEqual(L_MIN);
          if (closed && tokens < L_MAX) expect(end - start).toBeGreaterThanOrEqual(2);
          expect(tokensOf(turns, start, end - 1)).toBeLessThan(L_MAX);
        }
      }),
      RUNS,
    );
  });
});

describe('skein', () => {
  test('a closed episode has L_min, opens with the user, and passes L_max only without an inner boundary', async () => {
    await fc.assert(
      fc.asyncProperty(ANY_THREAD, async (turns) => {
        const { memory } = await memoryOf('skein', turns);
        for (const { start, end, tokens, closed } of memory.episodes) {
          if (!closed) continue;
          expect(tokens).toBeGreaterThanOrEqual(L_MIN);
          if (tokens <= L_MAX) continue;
          for (let turn = start + 1; turn < end; turn++) {
            if (turns[turn]!.role === 'user') expect(tokensOf(turns, start, turn)).toBeLessThan(L_MIN);
          }
        }
      }),
      { numRuns: 150 },
    );
  });

  test('only a user turn opens an episode, unless a model alone has filled one', async () => {
    await fc.assert(
      fc.asyncProperty(ANY_THREAD, async (turns) => {
        const { memory } = await memoryOf('skein', turns);
        for (const [i, { start }] of memory.episodes.entries()) {
          if (i === 0 || turns[start]!.role === 'user') continue;
          expect(turns[start - 1]!.role).toBe('model');
          expect(memory.episodes[i - 1]!.tokens).toBeGreaterThanOrEqual(L_MAX);
        }
      }),
      { numRuns: 150 },
    );
  });
});
