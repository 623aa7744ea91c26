import type { ChatMessage } from '../answer-engine.ts';

/** What of Chrome's Prompt API is used here (W3C Web Machine Learning, "Prompt API"); no type package has it yet. */
export interface LanguageModelStatic {
  availability(options?: LanguageModelOptions): Promise<LanguageModelAvailability>;
  create(options?: LanguageModelCreateOptions): Promise<LanguageModelSession>;
  /** In extensions only: pages can't set a temperature. */
  params?(): Promise<{ readonly defaultTopK: number; readonly maxTemperature: number } | null>;
}

export type LanguageModelAvailability = 'unavailable' | 'downloadable' | 'downloading' | 'available';

export interface LanguageModelOptions {
  readonly expectedInputs?: readonly { readonly type: 'text'; readonly languages?: readonly string[] }[];
  readonly expectedOutputs?: readonly { readonly type: 'text'; readonly languages?: readonly string[] }[];
  readonly temperature?: number;
  readonly topK?: number;
}

export interface LanguageModelCreateOptions extends LanguageModelOptions {
  /** A system message may only be the first of these. */
  readonly initialPrompts?: readonly ChatMessage[];
  readonly monitor?: (monitor: EventTarget) => void;
  readonly signal?: AbortSignal;
}

export interface LanguageModelPromptOptions {
  /** A JSON schema: the answer is JSON that fits it. */
  readonly responseConstraint?: object;
  readonly omitResponseConstraintInput?: boolean;
  readonly signal?: AbortSignal;
}

/** The later names; those before Chrome renamed them stand beside. */
export interface LanguageModelSession {
  prompt(input: readonly ChatMessage[], options?: LanguageModelPromptOptions): Promise<string>;
  promptStreaming(
    input: readonly ChatMessage[],
    options?: LanguageModelPromptOptions,
  ): ReadableStream<string>;
  measureContextUsage?(input: readonly ChatMessage[]): Promise<number>;
  measureInputUsage?(input: readonly ChatMessage[]): Promise<number>;
  readonly contextUsage?: number;
  readonly inputUsage?: number;
  readonly contextWindow?: number;
  readonly inputQuota?: number;
  destroy(): void;
}

/** The same at every call: the browser answers `availability` for these options only. */
export const TEXT_ONLY: LanguageModelOptions = {
  expectedInputs: [{ type: 'text' }],
  expectedOutputs: [{ type: 'text', languages: ['en'] }],
};

/** The browser's language model, or undefined where it has none. Pages have it, workers don't. */
export function languageModel(): LanguageModelStatic | undefined {
  return (globalThis as { LanguageModel?: LanguageModelStatic }).LanguageModel;
}

export async function measure(
  session: LanguageModelSession,
  messages: readonly ChatMessage[],
): Promise<number> {
  // A system message is no input after the start of a session; as a user's it takes as many tokens.
  const input = messages.map((message) =>
    message.role === 'system' ? { ...message, role: 'user' as const } : message,
  );
  const tokens = session.measureContextUsage?.(input) ?? session.measureInputUsage?.(input);
  return Math.ceil((await tokens) ?? 0);
}

export function usage(session: LanguageModelSession): number {
  return session.contextUsage ?? session.inputUsage ?? 0;
}

export function quota(session: LanguageModelSession): number {
  return session.contextWindow ?? session.inputQuota ?? 0;
}
