import type { AnswerModel } from '../models.ts';
import { languageModel, TEXT_ONLY } from './language-model.ts';

/** Until a session tells: the least that any browser has offered. */
const CONTEXT_WINDOW = 4096;

/**
 * The catalogue entry of the model that the browser brings, or undefined where it has none or can't run it on this
 * device. Asks the browser only; nothing is downloaded.
 */
export async function promptApiModel(): Promise<AnswerModel | undefined> {
  const availability = await languageModel()
    ?.availability(TEXT_ONLY)
    .catch(() => undefined);
  if (availability === undefined || availability === 'unavailable') return undefined;
  return {
    id: 'prompt-api',
    engine: 'prompt-api',
    title: "This browser's own model",
    bytes: 0,
    contextWindow: CONTEXT_WINDOW,
    licence: "the browser maker's terms",
    needs: { webgpu: false, shaderF16: false, memoryBytes: 0 },
    source: { kind: 'browser' },
    note:
      availability === 'available'
        ? 'It is on this device already. The browser chooses its words at random: an answer can differ from the last.'
        : 'The browser downloads it once, several gigabytes, when you choose it. It chooses its words at random: an answer can differ from the last.',
  };
}
