import type { AnswerEngine } from '../../answer/answer-engine.ts';
import type { LabApi } from '../../bench/lab/contract.ts';
import { LabDatabase } from '../../bench/lab/lab-database.ts';
import { Pools } from '../../bench/lab/pools.ts';
import type { RunLocks } from '../../bench/lab/run-locks.ts';
import { LabService } from '../../bench/lab/service.ts';
import { SkeinError, throwIfAborted } from '../../core/errors.ts';
import { normalise } from '../../core/vectors.ts';
import { yieldToEvents } from '../../core/yield.ts';
import type { Embedder, EmbedOptions } from '../../embed/embedder.ts';
import { words } from '../../index/analyzers.ts';
import { siteBase } from '../../runtime/site.ts';

const DIMENSION = 64;

/** Vectors of hashed words: near where words are shared, made at once, and the same everywhere. */
export function hashedWordsEmbedder(delay = 0): Embedder {
  return {
    stamp: { model: 'hashed-words', dtype: 'fp32', dimension: DIMENSION },
    async embed(texts, { signal, onProgress }: EmbedOptions) {
      if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay * texts.length));
      else await yieldToEvents();
      throwIfAborted(signal);
      onProgress?.(texts.length);
      return texts.map(vectorOf);
    },
  };
}

function vectorOf(text: string): Float32Array {
  const vector = new Float32Array(DIMENSION);
  for (const word of words(text)) {
    let hash = 2166136261;
    for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 16777619);
    vector[(hash >>> 0) % DIMENSION]! += 1;
  }
  vector[0]! += 0.01;
  return normalise(vector);
}

/** Locks of this page alone. */
class LocksHere implements RunLocks {
  private readonly names = new Set<string>();

  async hold(name: string): Promise<(() => void) | undefined> {
    if (this.names.has(name)) return undefined;
    this.names.add(name);
    return () => this.names.delete(name);
  }

  async held(): Promise<ReadonlySet<string>> {
    return this.names;
  }
}

/** The lab on this thread, with made-up vectors and a database of its own, for working on its views. */
export function previewLab({
  database = 'skein-lab-preview',
  delay = 0,
  answers,
}: {
  readonly database?: string;
  readonly delay?: number;
  /** What answers in place of a language model. */
  readonly answers?: AnswerEngine;
} = {}): {
  lab: LabApi;
  close(): Promise<void>;
} {
  const opened = LabDatabase.open(database);
  const lab = new LabService({
    database: () => opened,
    pools: new Pools(siteBase()),
    locks: new LocksHere(),
    engine: 'preview',
    machine: 'this thread',
    openAnswerEngine: async () => {
      if (answers) return answers;
      throw new SkeinError('model-missing', 'The preview has no language models.');
    },
    openEmbedder: async () => hashedWordsEmbedder(delay),
  });
  return {
    lab,
    async close() {
      (await opened).close();
    },
  };
}
