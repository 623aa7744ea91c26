import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ImportedFile } from './person.ts';

type Dialogue = [role: 'user' | 'model', text: string][];

/** A conversation of the pool, with a question and the texts of the turns that decide it. */
export interface PoolRecord {
  readonly id: string;
  readonly dialogue: Dialogue;
  readonly query: string;
  readonly expected_doc: readonly string[];
}

/** Five conversations about different things, for a thread of a few episodes. */
const SMALL_THREAD = ['Biomed-003', 'CS-Software-025', 'Daily-Life-032', 'Game-Novel-010', 'Legal-009'];

/** The text of a file of this repository. */
export function repositoryFile(path: string): string {
  return readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');
}

/** Records of a pool in `public/packages`. */
export function pool<T>(name: string): T[] {
  const lines = repositoryFile(`public/packages/${name}.jsonl`).trim().split('\n');
  return lines.map((line) => JSON.parse(line) as T);
}

export function smallThread(): PoolRecord[] {
  const records = pool<PoolRecord>('scaleqa-dev');
  return SMALL_THREAD.map((id) => records.find((record) => record.id === id)!);
}

/** A conversation as text that a person might paste. */
export function transcriptOf({ dialogue }: PoolRecord): string {
  return dialogue.map(([role, text]) => `${role === 'user' ? 'User' : 'Assistant'}: ${text}`).join('\n');
}

/** Conversations as a chat export (ShareGPT JSONL). */
export function exportOf(records: readonly PoolRecord[]): ImportedFile {
  const lines = records.map(({ id, dialogue }) =>
    JSON.stringify({
      id,
      conversations: dialogue.map(([role, value]) => ({ from: role === 'user' ? 'human' : 'gpt', value })),
    }),
  );
  return { name: 'chats.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from(lines.join('\n')) };
}

/** A chat export of at least `turns` turns, and how many they are. */
export function longExport(turns: number): { file: ImportedFile; turns: number } {
  const records: PoolRecord[] = [];
  let count = 0;
  for (const record of pool<PoolRecord>('scaleqa-dev')) {
    if (count >= turns) break;
    count += record.dialogue.length;
    records.push(record);
  }
  return { file: exportOf(records), turns: count };
}
