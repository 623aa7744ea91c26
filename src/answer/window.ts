import { SkeinError } from '../core/errors.ts';
import type { LoadedModel } from './answer-engine.ts';

/** Throws `prompt-too-long` where a prompt and the most that its answer may take pass the model's window. */
export function checkWindow(
  { model, contextWindow }: Pick<LoadedModel, 'model' | 'contextWindow'>,
  promptTokens: number,
  maxTokens: number,
): void {
  if (promptTokens + maxTokens <= contextWindow) return;
  const larger =
    model.engine === 'endpoint'
      ? 'start the server with a larger context and state it under Models'
      : 'choose a model with a larger window';
  throw new SkeinError(
    'prompt-too-long',
    `The prompt takes ${promptTokens} tokens and its answer up to ${maxTokens}; ${model.title} has room for ${contextWindow}.`,
    `Recall fewer episodes, ask for a shorter answer, or ${larger}.`,
  );
}
