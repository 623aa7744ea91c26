import { SkeinError } from '../core/errors.ts';
import { checkCases } from './case-checks.ts';
import { type FileSource, textOf } from './file-source.ts';
import { groupBy } from './group-by.ts';
import { isJsonPool, readJsonPool } from './json-pool.ts';
import type { BenchCase, Dialogue, Pool } from './pool.ts';
import { questionsOf } from './pool.ts';
import { ProblemList } from './problem-list.ts';
import { type RuntimeFiles, readRuntimeFolder } from './runtime-package.ts';

const TEST_CASES = 'test_cases.py';
const NOISE = 'processed_noise.py';
/** Folders of one mode that hold a batch each: batch_3, b03, 7. */
const BATCH_FOLDER = /^(?:batch|b|part|chunk)?[-_]?\d+$/i;

/**
 * Reads a released runtime package (its root or a runtime folder) or our own JSON pools. What can't be read is
 * in `problems` and costs nothing else. Rejects with `unknown-format` when there is nothing to read, and with
 * `empty-thread` when no question is left.
 */
export async function readPool(source: FileSource, mode?: string): Promise<Pool> {
  const problems = new ProblemList();
  const paths = await source.list();
  const manifest = await readManifest(source, paths, problems);
  const folders = await findFolders(source, paths, manifest, mode, problems);
  const read =
    folders.length > 0
      ? await readRuntime(source, folders, problems)
      : await readJson(source, paths, problems);
  const cases = checkCases(read.cases, problems);
  if (questionsOf(cases).length === 0) {
    const reasons = problems.problems.slice(0, 3).map(({ place, message }) => ` ${place}: ${message}.`);
    throw new SkeinError(
      'empty-thread',
      `${source.name} holds no question that can be asked.${reasons.join('')}`,
      'Choose a SCALE-QA package or a pool of records.',
    );
  }
  return {
    name: source.name,
    cases,
    noise: read.noise,
    problems: problems.problems,
    ...(manifest && { manifest }),
  };
}

interface ReadParts {
  readonly cases: readonly BenchCase[];
  readonly noise: readonly Dialogue[];
}

async function readRuntime(
  source: FileSource,
  folders: readonly Folder[],
  problems: ProblemList,
): Promise<ReadParts> {
  const cases: BenchCase[] = [];
  const noise: Dialogue[] = [];
  for (const { path, batch } of folders) {
    const testCases = await readText(source, join(path, TEST_CASES), problems);
    const noiseText = await readText(source, join(path, NOISE), problems);
    if (testCases === undefined) continue;
    if (noiseText === undefined) problems.add('missing-name', join(path, NOISE), 'the file is missing');
    const files: RuntimeFiles = { testCases, noise: noiseText, folder: path, ...(batch && { batch }) };
    const read = readRuntimeFolder(files, problems);
    cases.push(...read.cases);
    noise.push(...read.noise);
  }
  return { cases, noise };
}

async function readJson(
  source: FileSource,
  paths: readonly string[] | undefined,
  problems: ProblemList,
): Promise<ReadParts> {
  const cases: BenchCase[] = [];
  const noise: Dialogue[] = [];
  for (const path of paths ?? []) {
    if (!/\.(?:jsonl?|ndjson)(?:\.gz)?$/i.test(path)) continue;
    const text = await readText(source, path, problems);
    if (text === undefined || !isJsonPool(text)) continue;
    const read = readJsonPool(text, path, problems);
    cases.push(...read.cases);
    noise.push(...read.noise);
  }
  if (cases.length > 0 || problems.problems.length > 0) return { cases, noise };
  throw new SkeinError(
    'unknown-format',
    `${source.name} holds neither ${TEST_CASES} nor records in JSON Lines.`,
    'Give the root of a SCALE-QA package, one of its runtime folders, or a pool of records.',
  );
}

interface Folder {
  readonly path: string;
  readonly batch?: string;
}

/** The runtime folders to read: one, or one a batch. Of several modes the first is read, unless one is named. */
async function findFolders(
  source: FileSource,
  paths: readonly string[] | undefined,
  manifest: Readonly<Record<string, unknown>> | undefined,
  mode: string | undefined,
  problems: ProblemList,
): Promise<Folder[]> {
  const folders = paths ? foldersOf(paths) : await foldersAt(source, manifest);
  const byMode = groupBy(folders, (path) => (isBatch(path) ? parentOf(path) : path));
  const modes = [...byMode.keys()];
  const chosen = mode === undefined ? modes[0] : modes.find((one) => one.split('/').at(-1) === mode);
  if (mode !== undefined && modes.length > 0 && chosen === undefined) {
    throw new SkeinError('bad-argument', `There is no mode "${mode}".`, `There are: ${modes.join(', ')}.`);
  }
  if (modes.length > 1 && mode === undefined) {
    problems.add('note', source.name, `it has several modes (${modes.join(', ')}); ${chosen} is read`);
  }
  const found = chosen === undefined ? [] : byMode.get(chosen)!;
  return found.length === 1
    ? [{ path: found[0]! }]
    : found.map((path) => ({ path, batch: path.split('/').at(-1)! }));
}

function foldersOf(paths: readonly string[]): string[] {
  return paths
    .filter((path) => path === TEST_CASES || path.endsWith(`/${TEST_CASES}`))
    .map(parentOf)
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

/** Below a URL: the folder itself, or those that the manifest names. */
async function foldersAt(source: FileSource, manifest: unknown): Promise<string[]> {
  if (await source.read(TEST_CASES)) return [''];
  const named = new Set<string>();
  const visit = (value: unknown) => {
    if (typeof value === 'string' && /(?:^|\/)(?:runtime\/[^/]+|test_cases\.py)/.test(value)) {
      named.add(value.replace(/\/?(?:test_cases|processed_noise)\.py$/, '').replace(/^.*?(?=runtime\/)/, ''));
    } else if (typeof value === 'object' && value !== null) Object.values(value).forEach(visit);
  };
  visit(manifest);
  const found: string[] = [];
  for (const path of named) if (await source.read(join(path, TEST_CASES))) found.push(path);
  return found;
}

async function readManifest(
  source: FileSource,
  paths: readonly string[] | undefined,
  problems: ProblemList,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const path = paths
    ? paths.filter((one) => /(?:^|\/)[^/]*manifest[^/]*\.json$/.test(one)).sort(byDepth)[0]
    : 'manifest.json';
  const text = path === undefined ? undefined : await readText(source, path, problems);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch (error) {
    problems.add('unreadable', path!, (error as Error).message);
    return undefined;
  }
}

async function readText(
  source: FileSource,
  path: string,
  problems: ProblemList,
): Promise<string | undefined> {
  const bytes = await source.read(path);
  if (!bytes) return undefined;
  try {
    return textOf(bytes);
  } catch (error) {
    problems.add('unreadable', path, (error as Error).message);
    return undefined;
  }
}

function byDepth(a: string, b: string): number {
  return a.split('/').length - b.split('/').length || (a < b ? -1 : 1);
}

function isBatch(path: string): boolean {
  return BATCH_FOLDER.test(path.split('/').at(-1)!);
}

function parentOf(path: string): string {
  return path.split('/').slice(0, -1).join('/');
}

function join(folder: string, file: string): string {
  return folder === '' ? file : `${folder}/${file}`;
}
