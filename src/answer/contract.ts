import type { ChatMessage, Choice, Generation, LoadedModel, LoadProgress } from './answer-engine.ts';
import type { AnswerModel } from './models.ts';

/** `GenerateOptions` without what travels beside it. */
export interface GenerateRequest {
  readonly messages: readonly ChatMessage[];
  readonly maxTokens: number;
  readonly temperature?: number;
  readonly seed?: number;
}

/**
 * The boundary between a page (or the lab's worker) and the answer worker, which holds one engine at a time: the
 * one of the model that was loaded last. Both sides share this file only; callbacks are Comlink proxies. Every call
 * may reject with a SkeinError (see `AnswerEngine` for the codes).
 */
export interface AnswerApi {
  /** What the endpoint engine sends as its key, from now on; it is kept in this worker's memory only. */
  setKey(key: string | undefined): Promise<void>;
  load(
    model: AnswerModel,
    onProgress: (progress: LoadProgress) => void,
    signal?: AbortSignal,
  ): Promise<LoadedModel>;
  generate(
    request: GenerateRequest,
    onText: (piece: string) => void,
    signal?: AbortSignal,
  ): Promise<Generation>;
  choose(messages: readonly ChatMessage[], letters: readonly string[], signal?: AbortSignal): Promise<Choice>;
  countTokens(messages: readonly ChatMessage[], signal?: AbortSignal): Promise<number>;
  unload(): Promise<void>;
}
