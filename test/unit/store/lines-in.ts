import { readLines } from '../../../src/store/backup-stream.ts';

/** Every line of a backup file. */
export async function linesIn(file: Blob): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of readLines(file)) lines.push(line);
  return lines;
}
