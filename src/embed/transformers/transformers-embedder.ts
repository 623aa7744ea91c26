import { SkeinError, throwIfAborted } from '../../core/errors.ts';
import { wellFormed } from '../../core/text.ts';
import { yieldToEvents } from '../../core/yield.ts';
import type { Embedder, EmbedderStamp, EmbedOptions, LongTexts } from '../embedder.ts';
import { type EmbeddingModel, modelInput } from '../registry.ts';
import { type Batch, type BatchRules, planBatches, type Unit } from './batches.ts';
import { joinRows, poolParts, poolRow, tokenRows } from './pooling.ts';
import { type Part, slices, splitIds, type Tokenizer } from './tokens.ts';

/** A loaded model: token ids in, last hidden state out. */
export interface Encoder {
  readonly tokenizer: Tokenizer;
  /** `ids` and `mask` are [rows, columns]; the result is [rows, columns, dimension]. */
  run(ids: BigInt64Array, mask: BigInt64Array, rows: number, columns: number): Promise<Float32Array>;
  dispose(): Promise<void>;
}

export interface AdapterOptions {
  readonly dtype: string;
  readonly longTexts: LongTexts;
  readonly batching: Omit<BatchRules, 'window'>;
}

/** Longest stretch of tokenising before other work gets its turn, in milliseconds. */
const STRETCH_MS = 30;

/**
 * The `Embedder` port over one transformers.js model, on any backend.
 *
 * A text longer than the window is embedded in parts unless the options say `cut`; nothing is cut silently.
 * An empty text is what the model makes of its special tokens alone: a fixed unit vector, like that of the
 * sentence-transformers library. A lone surrogate is read as U+FFFD.
 */
export class TransformersEmbedder implements Embedder {
  readonly stamp: EmbedderStamp;
  private readonly rules: BatchRules;

  constructor(
    private readonly model: EmbeddingModel,
    private readonly encoder: Encoder,
    private readonly options: AdapterOptions,
  ) {
    const { dtype, longTexts } = options;
    const stamp = { model: model.name, dtype, dimension: model.dimension };
    this.stamp = longTexts === 'cut' ? { ...stamp, longTexts } : stamp;
    this.rules = { ...options.batching, window: model.window };
  }

  async embed(texts: readonly string[], options: EmbedOptions): Promise<Float32Array[]> {
    const { dimension, pooling } = this.model;
    const parts = await this.tokenise(texts, options);
    const vectors = await this.read(parts, options, (states, row, columns, { ids }) =>
      poolRow(states, row, columns, ids.length, dimension, pooling),
    );
    return vectors.map((ofText, text) =>
      poolParts(
        ofText,
        parts[text]!.map((p) => p.weight),
      ),
    );
  }

  async embedTokens(texts: readonly string[], options: EmbedOptions): Promise<Float32Array[]> {
    const { after } = this.encoder.tokenizer;
    const parts = await this.tokenise(texts, options);
    const rows = await this.read(parts, options, (states, row, columns, { ids, weight }) => {
      const end = ids.length - after.length;
      return tokenRows(states, row, columns, end - weight, end, this.model.dimension);
    });
    return rows.map(joinRows);
  }

  /** Frees the model. */
  dispose(): Promise<void> {
    return this.encoder.dispose();
  }

  private async tokenise(texts: readonly string[], { kind, signal }: EmbedOptions): Promise<Part[][]> {
    const parts: Part[][] = [];
    let stretch = performance.now();
    for (const text of texts) {
      const ids: number[] = [];
      for (const slice of slices(wellFormed(modelInput(this.model, kind, text)))) {
        for (const id of this.encoder.tokenizer.encode(slice)) ids.push(id);
        if (this.options.longTexts === 'cut' && ids.length > this.model.window) break;
        if (performance.now() - stretch > STRETCH_MS) {
          await yieldToEvents();
          throwIfAborted(signal);
          stretch = performance.now();
        }
      }
      parts.push(this.partsOf(ids, this.model.prefix[kind]));
    }
    return parts;
  }

  /** `ids` in inputs that fit the window; each part after the first repeats the prefix. */
  private partsOf(ids: readonly number[], prefix: string): Part[] {
    const { before, after, encode, startsWord } = this.encoder.tokenizer;
    const head = prefix === '' ? [] : encode(prefix.trimEnd());
    const capacity = this.model.window - before.length - after.length - head.length;
    const own = ids.slice(head.length);
    const runs =
      this.options.longTexts === 'cut' ? [own.slice(0, capacity)] : splitIds(own, capacity, startsWord);
    return runs.map((run) => ({ ids: [...before, ...head, ...run, ...after], weight: run.length }));
  }

  /** Runs every part through the model and gives what `pick` takes from its row, a list for each text. */
  private async read(
    parts: readonly (readonly Part[])[],
    { signal, onProgress }: EmbedOptions,
    pick: (states: Float32Array, row: number, columns: number, part: Part) => Float32Array,
  ): Promise<Float32Array[][]> {
    const picked = parts.map((ofText) => new Array<Float32Array>(ofText.length));
    const units: Unit[] = parts.flatMap((ofText, text) =>
      ofText.map(({ ids }, part) => ({ text, part, ids })),
    );
    const progress = new TextProgress(parts.map((ofText) => ofText.length));
    for (const batch of planBatches(units, this.rules)) {
      await yieldToEvents();
      throwIfAborted(signal);
      const states = await this.runBatch(batch);
      batch.units.forEach(({ text, part }, row) => {
        picked[text]![part] = pick(states, row, batch.columns, parts[text]![part]!);
        progress.finish(text);
      });
      onProgress?.(progress.done);
    }
    return picked;
  }

  /** The last hidden state, [units, columns, dimension]. */
  private async runBatch({ columns, units }: Batch): Promise<Float32Array> {
    const { dimension } = this.model;
    const ids = new BigInt64Array(units.length * columns).fill(BigInt(this.encoder.tokenizer.pad));
    const mask = new BigInt64Array(units.length * columns);
    units.forEach((unit, row) => {
      unit.ids.forEach((id, column) => {
        ids[row * columns + column] = BigInt(id);
        mask[row * columns + column] = 1n;
      });
    });
    const states = await this.encoder.run(ids, mask, units.length, columns);
    if (states.length === units.length * columns * dimension) return states;
    throw new SkeinError(
      'model-broken',
      `${this.model.title} gave vectors of another dimension than ${dimension}.`,
      'Delete the cached model and load it again.',
    );
  }
}

/** Counts finished texts; a text in several parts counts by those that are finished. */
class TextProgress {
  private whole = 0;
  private readonly begun = new Map<number, number>();

  constructor(private readonly parts: readonly number[]) {}

  finish(text: number): void {
    const finished = (this.begun.get(text) ?? 0) + 1;
    if (finished < this.parts[text]!) {
      this.begun.set(text, finished);
      return;
    }
    this.begun.delete(text);
    this.whole++;
  }

  get done(): number {
    let done = this.whole;
    for (const [text, finished] of this.begun) done += finished / this.parts[text]!;
    return done;
  }
}
