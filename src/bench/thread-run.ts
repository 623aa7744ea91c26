import type { Embedder } from '../embed/embedder.ts';
import type { SystemDescription } from '../systems/system.ts';
import { exchangeUnit } from './ask.ts';
import { type ExchangeThread, headLine, modesOf, questionText, resultLine } from './exchange.ts';

export interface ThreadRunOptions {
  readonly embedder: Embedder;
  /** Units written for each question. */
  readonly keptUnits: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

/** Runs a system over a ready thread; gives the lines of the exchange format, the head first. */
export async function runThread(
  thread: ExchangeThread,
  system: SystemDescription,
  { embedder, keptUnits, signal, onProgress }: ThreadRunOptions,
): Promise<string[]> {
  const memory = await system.create({ embedder });
  await memory.append(thread.turns, signal);
  const lines = [headLine(thread.sha, system.name, memory.index?.().map(exchangeUnit))];
  const total = thread.questions.length;
  for (const [i, question] of thread.questions.entries()) {
    for (const mode of modesOf(question)) {
      const { units } = await memory.retrieve(questionText(question, mode), signal);
      lines.push(resultLine(question.id, mode, units.slice(0, keptUnits).map(exchangeUnit)));
    }
    onProgress?.(i + 1, total);
  }
  return lines;
}
