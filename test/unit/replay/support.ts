import type { NewTurn } from '../../../src/core/turn.ts';
import type { Corpus } from '../../../src/replay/corpus.ts';
import { CORPUS_FORMAT, readCorpus } from '../../../src/replay/corpus-reader.ts';
import { type ReplayOptions, replay } from '../../../src/replay/runner.ts';
import type { MemorySystem, Retrieval, SystemDescription } from '../../../src/systems/system.ts';
import { ToyEmbedder } from '../systems/support.ts';

/** The paper's worked example: SQLite at T1, PostgreSQL from T2 on, and turns that have nothing to do with it. */
export const WORKED_EXAMPLE: readonly object[] = [
  { kind: 'corpus', format: CORPUS_FORMAT, name: 'worked-example' },
  { kind: 'history', id: 'app', title: 'A project', start: '2025-03-03' },
  turn(0, 'user', 'Our project will keep its data in SQLite.'),
  turn(0, 'model', 'A single file is easy to back up.'),
  turn(1, 'user', 'What rhymes with orange?'),
  turn(1, 'model', 'Hardly anything.'),
  { kind: 'checkpoint', name: 'T1', turns: 4, day: 7 },
  turn(8, 'user', 'We moved the project to PostgreSQL today.'),
  turn(8, 'model', 'Then several writers can work at once.'),
  { kind: 'checkpoint', name: 'T2', turns: 6, day: 10 },
  {
    kind: 'matter',
    id: 'database',
    terms: ['project', 'database'],
    versions: [
      { accept: ['SQLite'], evidence: ['keep its data in SQLite'] },
      { accept: ['PostgreSQL', 'Postgres'], evidence: ['moved the project to PostgreSQL'] },
    ],
  },
  probe('now', 'current', 'T1', 'Which database does the project use?'),
  probe('then', 'historical', 'T1', 'Which database did the project use in its first week?'),
  probe('change', 'evolution', 'T2', 'How did the choice of database change?'),
];

export function turn(day: number, role: string, text: string): object {
  return { kind: 'turn', role, day, conversation: 'c1', text };
}

export function probe(id: string, type: string, origin: string, question: string): object {
  return { kind: 'probe', id, type, matter: 'database', origin, question, version: 0 };
}

export function corpusOf(lines: readonly object[]): Promise<Corpus> {
  return readCorpus(lines.map((line) => JSON.stringify(line)).join('\n'), 'corpus.jsonl');
}

/** A test system that keeps some of the turns and recalls all of them. */
export class KeepingMemory implements MemorySystem {
  protected size = 0;
  protected kept: number[] = [];

  constructor(private readonly choose: (kept: readonly number[], turn: number, text: string) => number[]) {}

  async append(turns: readonly NewTurn[]): Promise<void> {
    for (const { text } of turns) this.kept = this.choose(this.kept, this.size++, text);
  }

  async retrieve(_question: string): Promise<Retrieval> {
    const units = this.kept.map((at) => ({ ranges: [[at, at + 1] as const], score: 1, parts: { kept: 1 } }));
    return { units, context: this.kept.map((at) => ({ kind: 'turns', start: at, end: at + 1 })) };
  }
}

const isAbout = (text: string) => text.includes('project');

/** Keeps what was said first and what came of it. */
export const good = condition('good', () => new KeepingMemory((kept, at) => [...kept, at]));
/** Keeps only the last word on the matter. */
export const overwriting = condition(
  'overwriting',
  () => new KeepingMemory((kept, at, text) => (isAbout(text) ? [at] : [...kept])),
);
/** Never learns after the first word on the matter. */
export const neverUpdating = condition(
  'never-updating',
  () => new KeepingMemory((kept, at, text) => (kept.length === 0 && isAbout(text) ? [at] : [...kept])),
);

export function condition(name: string, create: () => MemorySystem): SystemDescription {
  return { name, title: name, summary: name, create: async () => create() };
}

export function run(
  corpus: Corpus,
  conditions: readonly SystemDescription[],
  more: Partial<ReplayOptions> = {},
) {
  return replay(corpus, {
    conditions,
    embedder: new ToyEmbedder(),
    queryEffects: 'apply',
    window: 10_000,
    engine: 'test',
    ...more,
  });
}
