import type { ImportFile } from '../import/contract.ts';
import { importFiles } from '../import/import-files.ts';
import { textOf } from './file-source.ts';
import { isJsonPool, readJsonPool } from './json-pool.ts';
import type { Dialogue, PoolProblem } from './pool.ts';
import { ProblemList } from './problem-list.ts';
import { readRuntimeFolder } from './runtime-package.ts';

/**
 * Distractor dialogues of any file: our own pools, a released `processed_noise.py`, UltraChat or ShareGPT JSON
 * Lines, chat exports; packed with gzip or not. A bad file or line is named and costs nothing else.
 */
export async function readDistractors(
  files: readonly ImportFile[],
): Promise<{ dialogues: readonly Dialogue[]; problems: readonly PoolProblem[] }> {
  const list = new ProblemList();
  const dialogues: Dialogue[] = [];
  for (const file of files) dialogues.push(...(await readFile(file, list)));
  return { dialogues: withoutDuplicateIds(dialogues, list), problems: list.problems };
}

async function readFile(file: ImportFile, problems: ProblemList): Promise<readonly Dialogue[]> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const text = readText(bytes);
  if (text !== undefined && isJsonPool(text)) {
    const { cases, noise } = readJsonPool(text, file.name, problems);
    return [...cases.flatMap((one) => one.dialogues), ...noise];
  }
  if (text !== undefined && /^NOISE\b/m.test(text)) {
    const { noise } = readRuntimeFolder({ testCases: EMPTY_CASES, noise: text, folder: file.name }, problems);
    return noise;
  }
  return importConversations(text === undefined ? file : asFile(file.name, text), problems);
}

const EMPTY_CASES = 'GROUND_TRUTH_HISTORY = []\nEVALUATION_QUERIES = []\n';

/** Undefined for what is no text (a ZIP), which the importer opens by itself. */
function readText(bytes: Uint8Array): string | undefined {
  try {
    return textOf(bytes);
  } catch {
    return undefined;
  }
}

async function importConversations(file: ImportFile, problems: ProblemList): Promise<Dialogue[]> {
  const { conversations, report } = await importFiles([file]);
  for (const { kind, place, reason } of report.problems) {
    problems.add(kind === 'failed' ? 'unreadable' : 'note', place, reason);
  }
  if (report.problemsLeftOut > 0) {
    problems.add('note', file.name, `${report.problemsLeftOut} more messages or conversations are left out`);
  }
  return conversations.map(({ place, turns }) => ({ id: place, turns }));
}

function asFile(name: string, text: string): ImportFile {
  const bytes = new TextEncoder().encode(text);
  return { name: name.replace(/\.gz$/i, ''), size: bytes.length, arrayBuffer: async () => bytes.buffer };
}

function withoutDuplicateIds(dialogues: readonly Dialogue[], problems: ProblemList): Dialogue[] {
  const seen = new Set<string>();
  return dialogues.filter(({ id }) => {
    if (!seen.has(id)) return seen.add(id);
    problems.add(
      'duplicate-id',
      `distractor ${id}`,
      'the id stands a second time; the later one is left out',
    );
    return false;
  });
}
