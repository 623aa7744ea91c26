/** Which engine runs a model. */
export const ENGINE_KINDS = ['transformers', 'webllm', 'gguf', 'prompt-api', 'endpoint'] as const;
export type EngineKind = (typeof ENGINE_KINDS)[number];

/** What a model asks of the device. */
export interface ModelNeeds {
  readonly webgpu: boolean;
  readonly shaderF16: boolean;
  /** Memory that it takes while it runs, GPU or main, in bytes; 0 where another program holds it. */
  readonly memoryBytes: number;
}

/** Where a model's files come from. */
export type ModelSource =
  /** Served by the site itself, below `path`. */
  | { readonly kind: 'site'; readonly path: string }
  /** A repository of the model hub, and for WebLLM the URL of its compiled library. */
  | { readonly kind: 'hub'; readonly repository: string; readonly library?: string }
  /** A base URL of one's own. */
  | { readonly kind: 'url'; readonly url: string; readonly library?: string }
  /** Files that the person dropped, kept on the device under `name`. */
  | { readonly kind: 'files'; readonly name: string }
  /** A model that the browser brings. */
  | { readonly kind: 'browser' }
  /** A server that speaks the OpenAI chat protocol. */
  | { readonly kind: 'endpoint'; readonly url: string; readonly model: string };

/** One language model as the picker lists it. */
export interface AnswerModel {
  /** Unique over all engines; names the model in settings, caches and results. */
  readonly id: string;
  readonly engine: EngineKind;
  readonly title: string;
  /** In millions; undefined where nobody says. */
  readonly parameters?: number;
  /** Bytes to download; 0 where there are none. */
  readonly bytes: number;
  /** Tokens of prompt and answer together. */
  readonly contextWindow: number;
  readonly licence: string;
  readonly needs: ModelNeeds;
  readonly source: ModelSource;
  /** What a model of this kind can and can't do, in a sentence or two. */
  readonly note: string;
}

/**
 * Whether prompts to this model leave the tab, which the page must show. A model that the browser brings runs on the
 * device, in another process of the browser, and sends nothing away.
 */
export function leavesTheTab({ source }: AnswerModel): boolean {
  return source.kind === 'endpoint';
}
