import { SkeinError } from '../core/errors.ts';
import type { EmbedClient } from '../embed/client.ts';
import { type Embedder, type EmbedderStamp, stampKey } from '../embed/embedder.ts';
import { type Backend, EMBEDDING_MODELS, embeddingModel } from '../embed/registry.ts';
import type { EmbedderChoice } from './contract.ts';

/** Every embedder of the registry, as the picker shows it. */
export function embedderChoices(): EmbedderChoice[] {
  return EMBEDDING_MODELS.map(({ name, title, dimension, weights, licence, languages, shipped }) => ({
    model: name,
    title,
    dimension,
    bytes: weights[0]!.bytes,
    licence,
    languages,
    shipped,
  }));
}

/** The chosen embedder, loaded when something is to be embedded and not before. */
export class Embedders {
  constructor(
    private readonly client: EmbedClient,
    public model: string,
    /** Where to compute; undefined lets the device decide. */
    public backend: Backend | undefined = undefined,
  ) {}

  /**
   * The embedder for a thread whose vectors have `stamp` (undefined: none yet). Opening a stored thread needs no
   * model: it is loaded by the first text.
   */
  async forThread(stamp: EmbedderStamp | undefined): Promise<Embedder> {
    const expected = stamp?.model === this.model ? stamp : (this.onlyStamp() ?? (await this.load()).stamp);
    return {
      stamp: expected,
      embed: async (texts, options) => {
        if (texts.length === 0) return [];
        const embedder = await this.load(expected.dtype);
        if (stampKey(embedder.stamp) !== stampKey(expected)) throw mismatch(embedder.stamp, expected);
        return embedder.embed(texts, options);
      },
    };
  }

  /** Starts loading the chosen model, so that it is there when the first question comes. */
  warmUp(): void {
    this.load().catch(() => {
      // The embedder's state tells the page.
    });
  }

  /** Loads the chosen model; `dtype` where vectors to match are there. */
  private load(dtype?: string): Promise<Embedder> {
    return this.client.open({
      model: this.model,
      ...(dtype !== undefined && { dtype }),
      ...(this.backend && { backend: this.backend }),
    });
  }

  /** The stamp of a model that has one kind of weights only. */
  private onlyStamp(): EmbedderStamp | undefined {
    const { name, dimension, weights } = embeddingModel(this.model);
    const [only, other] = weights;
    return only && !other ? { model: name, dtype: only.dtype, dimension } : undefined;
  }
}

function mismatch(loaded: EmbedderStamp, expected: EmbedderStamp): SkeinError {
  return new SkeinError(
    'stamp-mismatch',
    `The thread was embedded with ${stampKey(expected)}, but ${stampKey(loaded)} is loaded.`,
    'Embed the thread anew, or choose its embedder again.',
  );
}
