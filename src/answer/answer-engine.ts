import type { AnswerModel } from './models.ts';

/** One message of a chat prompt, in the roles that every chat template knows. */
export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** Where a model's arithmetic runs; `browser`: the browser's own model; `remote`: another program. */
export type AnswerBackend = 'webgpu' | 'wasm' | 'native' | 'browser' | 'remote';

/** Bytes of a load; `total` is known before the first byte and does not change. */
export interface LoadProgress {
  readonly loadedBytes: number;
  readonly totalBytes: number;
  /** What is under way, for a person. */
  readonly step: 'download' | 'verify' | 'start';
}

/** A model that is ready to answer. */
export interface LoadedModel {
  readonly model: AnswerModel;
  readonly backend: AnswerBackend;
  /** Tokens of prompt and answer together. */
  readonly contextWindow: number;
  /** What a person should know, such as a fall-back from WebGPU to WASM and why. */
  readonly notice?: string;
}

export interface LoadOptions {
  readonly onProgress?: (progress: LoadProgress) => void;
  readonly signal?: AbortSignal;
}

export interface GenerateOptions {
  /** Most tokens of the answer. */
  readonly maxTokens: number;
  /** 0 (the default) always takes the likeliest token. */
  readonly temperature?: number;
  readonly seed?: number;
  /** Called with each piece of text as it comes; the pieces joined are the answer. */
  readonly onText?: (piece: string) => void;
  readonly signal?: AbortSignal;
}

/** A finished answer. Stopped by the signal, it is not an error: `finish` says so and `text` holds what came. */
export interface Generation {
  readonly text: string;
  readonly finish: 'stop' | 'length' | 'interrupted';
  readonly promptTokens: number;
  readonly tokens: number;
  /** From the call to the first piece of text; undefined when none came. */
  readonly firstTokenMs?: number;
  readonly milliseconds: number;
}

export interface ChooseOptions {
  readonly signal?: AbortSignal;
}

/** One of several letters, and how it was read out of the model. */
export interface Choice {
  /** Null only when an answer was parsed and held none of them. */
  readonly letter: string | null;
  /** `probabilities`: the likeliest of the letters at the first token of the answer; `grammar`: no other token was
   * allowed; `parsed`: read out of a free answer. */
  readonly how: 'probabilities' | 'grammar' | 'parsed';
  /** Of each letter, normalised over the letters; present with `probabilities`. */
  readonly probabilities?: Readonly<Record<string, number>>;
}

/**
 * Port: a language model that answers chat prompts. One model at a time; one call at a time (a second one waits).
 *
 * Errors, all SkeinErrors: `no-webgpu`, `no-shader-f16`, `out-of-memory`, `download-failed`, `integrity-failed`,
 * `model-missing`, `model-broken`, `device-lost`, `prompt-too-long`, `aborted`, `worker-died`, `offline`, `quota`;
 * from a server of one's own also `unreachable`, `unauthorised`, `rate-limited`.
 */
export interface AnswerEngine {
  /** The model that is ready, if any. */
  readonly loaded: LoadedModel | undefined;
  /** Loads `model` in place of the present one; at once where it is loaded already. An abort rejects with `aborted`. */
  load(model: AnswerModel, options?: LoadOptions): Promise<LoadedModel>;
  /** Answers a prompt. Rejects with `prompt-too-long` when prompt and `maxTokens` pass the window, before computing. */
  generate(messages: readonly ChatMessage[], options: GenerateOptions): Promise<Generation>;
  /** Chooses the letter that begins the answer. `letters` are single capitals. */
  choose(
    messages: readonly ChatMessage[],
    letters: readonly string[],
    options?: ChooseOptions,
  ): Promise<Choice>;
  /** Tokens of the whole prompt, with what the chat template adds, by the model's own tokenizer where it can tell. */
  countTokens(messages: readonly ChatMessage[], options?: ChooseOptions): Promise<number>;
  /** Frees the model; `load` brings it back. */
  unload(): Promise<void>;
  /** Frees everything; the engine can't be used afterwards. */
  dispose(): Promise<void>;
}
