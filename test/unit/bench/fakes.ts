import { buildPackage } from '../../../src/bench/builder.ts';
import type { BenchCase, Pool } from '../../../src/bench/pool.ts';
import type { NewTurn } from '../../../src/core/turn.ts';
import type { Embedder } from '../../../src/embed/embedder.ts';
import type { MemorySystem, Retrieval, SystemDescription } from '../../../src/systems/system.ts';

/** Gives every text a vector of two: the share of "a" among its letters, and the rest. */
export const embedder: Embedder = {
  stamp: { model: 'fake', dtype: 'fp32', dimension: 2 },
  embed: async (texts, options) => {
    options.onProgress?.(texts.length);
    return texts.map((text) => {
      const angle = ((text.match(/a/g)?.length ?? 0) / text.length) * (Math.PI / 2);
      return Float32Array.of(Math.sin(angle), Math.cos(angle));
    });
  },
};

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/\w+/g) ?? [];
}

/** Turns that share a word with the question, in the order of the thread, at most `taken` in the context. */
class WordMatch implements MemorySystem {
  readonly turns: NewTurn[] = [];

  constructor(
    private readonly taken: number,
    private readonly log: string[],
  ) {}

  async append(turns: readonly NewTurn[]): Promise<void> {
    this.turns.push(...turns);
    this.log.push(`append ${turns.length}`);
  }

  async retrieve(question: string, signal?: AbortSignal): Promise<Retrieval> {
    this.log.push(`ask ${question.split('\n')[0]}`);
    signal?.throwIfAborted();
    const wanted = new Set(wordsOf(question));
    const found = this.turns.flatMap(({ text }, i) =>
      wordsOf(text).some((word) => wanted.has(word)) ? [i] : [],
    );
    const units = found.map((i) => ({
      ranges: [[i, i + 1] as const],
      score: 1 / (i + 3),
      parts: { words: 1 },
    }));
    const context = found.slice(0, this.taken).map((i) => ({ kind: 'turns' as const, start: i, end: i + 1 }));
    return { units, context };
  }

  index() {
    return this.turns.map((_, i) => ({ ranges: [[i, i + 1] as const], score: 0 }));
  }
}

/** A system of that name; what is asked of its memories goes to `log`. */
export function wordMatch(name: string, taken = 5, log: string[] = []): SystemDescription {
  return {
    name,
    title: name,
    summary: 'Turns that share a word.',
    configuration: { taken },
    create: async () => {
      log.push('create');
      return new WordMatch(taken, log);
    },
  };
}

function record(n: number): BenchCase {
  const id = `r${n}`;
  const turns: NewTurn[] = [
    { role: 'user', text: `mark${n} is where?` },
    { role: 'model', text: `It is at place${n}.` },
  ];
  return {
    id,
    dialogues: [{ id, turns }],
    questions: [
      {
        id,
        // Odd ones name only the first of their two turns.
        query: n % 2 === 0 ? `mark${n} and place${n}?` : `mark${n}?`,
        options: { A: 'alpha', B: 'beta', C: 'gamma', D: 'delta' },
        gold: 'A',
        topic: n < 4 ? 'low' : 'high',
        stress: [],
        reasoning: 'aaaa',
        evidence: turns.map(({ text }) => ({ dialogue: id, text })),
      },
    ],
  };
}

export const pool: Pool = {
  name: 'eight',
  cases: [0, 1, 2, 3, 4, 5, 6, 7].map(record),
  noise: [],
  problems: [],
};

/** Eight records of two turns; with a target of 45 tokens in batches of three. */
export function buildEight(target?: number) {
  return buildPackage(pool, {
    arrangement: 'blocks',
    seed: 1,
    masked: false,
    ...(target !== undefined && { target }),
  });
}
