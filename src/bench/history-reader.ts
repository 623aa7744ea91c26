import type { HistorySet } from './histories.ts';
import { readLoCoMo } from './locomo-reader.ts';
import { readLongMemEval } from './longmemeval-reader.ts';

/** Reads a file of LongMemEval or LoCoMo, whichever it is. Throws `bad-file` when it is no JSON list. */
export function readHistories(text: string, file: string): HistorySet {
  const isLoCoMo = /"(?:sample_id|dia_id)"\s*:/.test(text.slice(0, 200_000));
  return isLoCoMo ? readLoCoMo(text, file) : readLongMemEval(text, file);
}
