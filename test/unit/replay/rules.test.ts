import { expect, test } from 'vitest';
import { clusteredBootstrap } from '../../../src/replay/bootstrap.ts';
import { statusOf } from '../../../src/replay/fidelity.ts';
import { GuardedMemory } from '../../../src/replay/guard.ts';
import { referenceAt } from '../../../src/replay/reference.ts';
import { ledger, readLedger, reportText } from '../../../src/replay/report.ts';
import { trajectories } from '../../../src/replay/summary.ts';
import { trajectoryPlot } from '../../../src/replay/trajectory-plot.ts';
import { iceCondition } from '../../../src/systems/ice/conditions.ts';
import type { LongitudinalMemory } from '../../../src/systems/longitudinal.ts';
import type { Retrieval } from '../../../src/systems/system.ts';
import { ToyEmbedder } from '../systems/support.ts';
import {
  condition,
  corpusOf,
  good,
  KeepingMemory,
  overwriting,
  probe,
  run,
  WORKED_EXAMPLE,
} from './support.ts';

async function guardedAt(
  checkpoint: number,
  memory: LongitudinalMemory = new KeepingMemory((kept, at) => [...kept, at]),
) {
  const [history] = (await corpusOf(WORKED_EXAMPLE)).histories;
  const guard = new GuardedMemory('test', memory, history!);
  guard.openUntil(history!.checkpoints[checkpoint]!);
  return { guard, history: history! };
}

test('a reference, an answer or a probe cannot enter a memory', async () => {
  const { guard, history } = await guardedAt(0);
  await guard.append(history.turns.slice(0, 2));
  for (const text of ['PostgreSQL', history.probes[0]!.question]) {
    await expect(guard.append([{ role: 'user', text }])).rejects.toMatchObject({ code: 'reference-leak' });
  }
  await expect(guard.append([history.turns[3]!])).rejects.toMatchObject({ code: 'reference-leak' });
  await guard.append(history.turns.slice(2, 4));
});

test('turns behind the checkpoint cannot enter, and nothing of them can come out', async () => {
  const { guard, history } = await guardedAt(0);
  await expect(guard.append(history.turns)).rejects.toMatchObject({ code: 'future-evidence' });
  const seer = (retrieval: Partial<Retrieval>): LongitudinalMemory => ({
    append: async () => {},
    retrieve: async () => ({ units: [], context: [], ...retrieval }),
  });
  const visions: Partial<Retrieval>[] = [
    { context: [{ kind: 'turns', start: 4, end: 5 }] },
    { units: [{ ranges: [[0, 6]], score: 1 }] },
    { context: [{ kind: 'text', text: 'They moved the project to  postgresql, it says.' }] },
  ];
  for (const vision of visions) {
    const { guard } = await guardedAt(0, seer(vision));
    await guard.append(history.turns.slice(0, 4));
    await expect(guard.retrieve('database?')).rejects.toMatchObject({ code: 'future-evidence' });
  }
  const clairvoyant = condition('clairvoyant', () => seer(visions[0]!));
  await expect(run(await corpusOf(WORKED_EXAMPLE), [clairvoyant])).rejects.toThrow(
    /clairvoyant, history app, checkpoint T1: the context holds turn 4/,
  );
});

test('a reference is made of the history so far', async () => {
  const { history } = await guardedAt(0);
  const [t1, t2] = history.checkpoints;
  const [now, then, change] = history.probes;
  const names = (probe: typeof now, checkpoint: typeof t1) =>
    referenceAt(history, probe!, checkpoint!).wanted.map(({ accept }) => accept[0]);
  expect(names(now, t1)).toEqual(['SQLite']);
  expect(names(now, t2)).toEqual(['PostgreSQL']);
  expect(names(then, t2)).toEqual(['SQLite']);
  expect(names(change, t2)).toEqual(['SQLite', 'PostgreSQL']);
  expect(() => names(change, t1)).toThrow(expect.objectContaining({ code: 'future-evidence' }));
});

test('a corpus that breaks a rule is refused with the place', async () => {
  const swap = (from: object, to: object) => WORKED_EXAMPLE.map((line) => (line === from ? to : line));
  const [, , , , , , t1] = WORKED_EXAMPLE;
  const matter = WORKED_EXAMPLE.find((line) => 'terms' in line) as unknown as { versions: object[] };
  const change = WORKED_EXAMPLE.at(-1)!;
  const refused: [readonly object[], RegExp][] = [
    [swap(change, { ...change, origin: 'T1' }), /probe change: .*said only after turn 4/],
    [swap(change, { ...change, origin: 'T9' }), /no checkpoint "T9"/],
    [swap(change, probe('now', 'current', 'T1', 'And now?')), /two of its probes are called "now"/],
    [swap(change, probe('x', 'current', 'T1', 'Is it SQLite?')), /its question holds an answer/],
    [swap(t1!, { ...t1, day: 9 }), /its day comes after the next turn's/],
    [
      swap(matter, { ...matter, versions: [...matter.versions].reverse() }),
      /not come after the version before/,
    ],
    [
      swap(matter, { ...matter, versions: [{ accept: ['SQLite'], evidence: ['never said'] }] }),
      /"never said" does not stand in turn -1/,
    ],
    [[{ kind: 'turn' }], /corpus.jsonl:1: /],
    [[...WORKED_EXAMPLE, { kind: 'turn', role: 'system' }], /its role "system"/],
  ];
  for (const [lines, message] of refused) await expect(corpusOf(lines)).rejects.toThrow(message);
});

test('with effects excluded, what a question changed is brought back', async () => {
  class Learning extends KeepingMemory implements LongitudinalMemory {
    asked = 0;
    constructor(private readonly seen: number[]) {
      super((kept, at) => [...kept, at]);
    }
    override async retrieve(question: string) {
      this.seen.push(this.asked++);
      return super.retrieve(question);
    }
    snapshot() {
      return this.asked;
    }
    restore(asked: unknown) {
      this.asked = asked as number;
    }
  }
  const corpus = await corpusOf(WORKED_EXAMPLE);
  for (const [queryEffects, expected] of [
    ['exclude', [0, 0, 0, 0, 0]],
    ['apply', [0, 1, 2, 3, 4]],
  ] as const) {
    const seen: number[] = [];
    await run(corpus, [condition('learning', () => new Learning(seen))], { queryEffects });
    expect(seen).toEqual(expected);
  }
});

test('conditions share no state, the ledger reads back, and a second run gives the same bytes', async () => {
  const corpus = await corpusOf(WORKED_EXAMPLE);
  const both = await run(corpus, [good, overwriting]);
  const alone = await run(corpus, [overwriting]);
  const own = (result: typeof both) => result.lines.filter(({ condition }) => condition === 'overwriting');
  expect(own(both)).toEqual(own(alone));
  const text = ledger(both);
  expect(ledger(await run(corpus, [good, overwriting]))).toBe(text);
  expect(ledger(readLedger(text))).toBe(text);
  expect(reportText(readLedger(text), 'good')).toBe(reportText(both, 'good'));
  expect(reportText(both, 'good')).toContain('Scored without a language model');
  const plot = trajectoryPlot(trajectories(both));
  expect(plot.match(/<polyline points="\S+ \S+"/g)).toHaveLength(2);
  expect(plot.match(/text-anchor="middle">T[12]</g)).toHaveLength(2);
});

test('the four statuses of a mechanism', () => {
  const counts = { eligible: 3, executed: 3, produced: 2, selected: 1, reached: 1, failed: 0 };
  expect(statusOf(counts)).toBe('contributing');
  expect(statusOf({ ...counts, reached: 0 })).toBe('ran without effect');
  expect(statusOf({ ...counts, eligible: 0, executed: 0, reached: 0 })).toBe('never exercised');
  expect(statusOf({ ...counts, executed: 0, reached: 0 })).toBe('defective');
  expect(statusOf({ ...counts, failed: 1 })).toBe('defective');
});

test('a run goes on when a leg throws, and its ledger and report tell the error', async () => {
  const embedder = new ToyEmbedder();
  const embed = embedder.embed.bind(embedder);
  embedder.embed = async (texts, options) => {
    const vectors = await embed(texts, options);
    return options.kind === 'query' ? vectors.map((vector) => vector.subarray(1)) : vectors;
  };
  const result = await run(await corpusOf(WORKED_EXAMPLE), [iceCondition('ice')!], { embedder });
  expect(result.lines.filter(({ kind }) => kind === 'observation')).toHaveLength(5);
  const statusIn = (of: typeof result, name: string) =>
    of.fidelity.find(({ mechanism }) => mechanism === name)!;
  expect(statusIn(result, 'vector')).toMatchObject({
    status: 'defective',
    eligible: 4,
    failed: 4,
    executed: 0,
  });
  expect(statusIn(result, 'bm25')).toMatchObject({ status: 'contributing', failed: 0 });
  expect(statusIn(result, 'bm25')).not.toHaveProperty('error');
  expect(reportText(result, 'ice')).toMatch(/\| vector \|.*\| defective: .*dimension/);
  expect(readLedger(ledger(result)).fidelity).toEqual(result.fidelity);
});

test('repeated observations of a probe do not narrow the interval', () => {
  const probes = [[0], [1], [0], [1], [1], [0], [1], [0]];
  const once = clusteredBootstrap(probes);
  const often = clusteredBootstrap(probes.map(([value]) => Array.from({ length: 50 }, () => value!)));
  expect(often).toMatchObject({ mean: 0.5, low: once.low, high: once.high, clusters: 8, observations: 400 });
  const asIfApart = clusteredBootstrap(probes.flatMap(([v]) => Array.from({ length: 50 }, () => [v!])));
  expect(asIfApart.high - asIfApart.low).toBeLessThan((once.high - once.low) / 3);
});
