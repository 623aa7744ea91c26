import { decodeFloats, encodeFloats } from './base64.ts';
import type {
  AskRecord,
  ClusterRecord,
  EpisodeRecord,
  StoredTurn,
  ThreadRecord,
  VectorBlock,
} from './records.ts';

export const BACKUP_FORMAT = 'skein-backup';
export const BACKUP_VERSION = 1;

/** How every backup begins once it is unpacked. */
export const BACKUP_MAGIC = `{"format":"${BACKUP_FORMAT}"`;

/** The first line of a backup. */
export interface BackupHeader {
  readonly format: typeof BACKUP_FORMAT;
  readonly version: number;
  readonly madeAt: number;
  readonly threads: number;
}

/** How many lines of each kind follow a thread's own, so that a lost one is noticed. */
export interface LineCounts {
  readonly turns: number;
  readonly episodes: number;
  readonly clusters: number;
  readonly asks: number;
  readonly vectors: number;
}

/** Every line after the first. A thread's lines follow its own, its turns in order. */
export type BackupLine =
  | { readonly kind: 'thread'; readonly thread: ThreadRecord; readonly counts: LineCounts }
  | { readonly kind: 'turn'; readonly turn: StoredTurn }
  | { readonly kind: 'episode'; readonly episode: EpisodeRecord }
  | { readonly kind: 'cluster'; readonly cluster: ClusterRecord }
  | { readonly kind: 'ask'; readonly ask: AskRecord }
  | { readonly kind: 'vectors'; readonly block: VectorBlock }
  | { readonly kind: 'end' };

/** `line` as one line of JSON, its kind first; vectors in base64. */
export function encodeLine(line: BackupLine): string {
  return JSON.stringify(line, (_, value) => (value instanceof Float32Array ? encodeFloats(value) : value));
}

/** The kind that a line claims, even when the rest of it can't be read. */
export function claimedKind(text: string): string | undefined {
  return /^\{"kind":"([a-z]+)"/.exec(text)?.[1];
}

/**
 * One line of a backup. Throws a plain Error that says what is wrong with it. Fields that this version does not
 * know are kept as they are.
 */
export function decodeLine(text: string): BackupLine {
  const line = record(JSON.parse(text), 'line');
  switch (line.kind) {
    case 'thread':
      return { kind: 'thread', thread: decodeThread(line.thread), counts: decodeCounts(line.counts) };
    case 'turn':
      return { kind: 'turn', turn: decodeTurn(line.turn) };
    case 'episode':
      return { kind: 'episode', episode: decodeEpisode(line.episode) };
    case 'cluster':
      return { kind: 'cluster', cluster: decodeCluster(line.cluster) };
    case 'ask':
      return { kind: 'ask', ask: decodeAsk(line.ask) };
    case 'vectors':
      return { kind: 'vectors', block: decodeBlock(line.block) };
    case 'end':
      return { kind: 'end' };
    default:
      throw new Error(`unknown kind of line ${JSON.stringify(line.kind)}`);
  }
}

function decodeThread(value: unknown): ThreadRecord {
  const thread = record(value, 'thread');
  check(thread, 'id', isText);
  check(thread, 'name', isText);
  check(thread, 'createdAt', isNumber);
  check(thread, 'updatedAt', isNumber);
  check(thread, 'configuration', isText);
  check(thread, 'turns', isCount);
  check(thread, 'ingested', isCount);
  check(thread, 'tokens', isNumber);
  if (thread.stamp !== undefined) checkStamp(thread.stamp);
  if (thread.branchedFrom !== undefined) checkBranch(thread.branchedFrom);
  return thread as unknown as ThreadRecord;
}

function checkBranch(value: unknown): void {
  const branch = record(value, 'branchedFrom');
  check(branch, 'threadId', isText);
  check(branch, 'turns', isCount);
}

function decodeCounts(value: unknown): LineCounts {
  const counts = record(value, 'counts');
  for (const name of ['turns', 'episodes', 'clusters', 'asks', 'vectors']) check(counts, name, isCount);
  return counts as unknown as LineCounts;
}

function decodeTurn(value: unknown): StoredTurn {
  const turn = record(value, 'turn');
  check(turn, 'index', isCount);
  check(turn, 'role', (role) => role === 'user' || role === 'model');
  check(turn, 'text', isText);
  checkOptional(turn, 'time', isNumber);
  checkOptional(turn, 'source', isText);
  checkOptional(turn, 'erased', isFlag);
  return turn as unknown as StoredTurn;
}

function decodeEpisode(value: unknown): EpisodeRecord {
  const episode = record(value, 'episode');
  check(episode, 'id', isCount);
  check(episode, 'start', isCount);
  check(episode, 'end', isCount);
  check(episode, 'tokens', isNumber);
  check(episode, 'closed', isFlag);
  checkOptional(episode, 'pinned', isFlag);
  checkOptional(episode, 'forgottenAt', isNumber);
  const decoded = episode as unknown as EpisodeRecord;
  return episode.summary === undefined ? decoded : { ...decoded, summary: floats(episode, 'summary') };
}

function decodeCluster(value: unknown): ClusterRecord {
  const cluster = record(value, 'cluster');
  check(cluster, 'id', isCount);
  check(cluster, 'members', isListOf(isCount));
  return { ...(cluster as unknown as ClusterRecord), vector: floats(cluster, 'vector') };
}

function decodeAsk(value: unknown): AskRecord {
  const ask = record(value, 'ask');
  check(ask, 'id', isCount);
  check(ask, 'text', isText);
  check(ask, 'askedAt', isNumber);
  check(ask, 'position', isCount);
  check(ask, 'ingested', isCount);
  check(ask, 'configuration', isText);
  check(ask, 'milliseconds', isNumber);
  check(ask, 'episodes', isListOf(isRecord));
  for (const recalled of ask.episodes as Record<string, unknown>[]) {
    check(recalled, 'episode', isCount);
    check(recalled, 'start', isCount);
    check(recalled, 'end', isCount);
    check(recalled, 'score', isNumber);
    check(recalled, 'parts', isRecord);
    check(recalled, 'terms', isListOf(isText));
    check(recalled, 'decisive', isListOf(isCount));
    if (recalled.ranges !== undefined) check(recalled, 'ranges', isListOf(isRange));
  }
  if (ask.asOf !== undefined) checkAsOf(ask.asOf);
  if (ask.answer !== undefined) checkAnswer(ask.answer);
  return ask as unknown as AskRecord;
}

function checkAsOf(value: unknown): void {
  const asOf = record(value, 'asOf');
  check(asOf, 'kind', (kind) => kind === 'day' || kind === 'turn');
  if (asOf.kind === 'turn') check(asOf, 'turns', isCount);
  else {
    check(asOf, 'day', isDay);
    check(asOf, 'before', isNumber);
  }
  check(asOf, 'runs', isListOf(isRun));
  check(asOf, 'placed', isCount);
}

function isDay(value: unknown): boolean {
  return (
    isText(value) && /^\d{4,6}-\d\d-\d\d$/.test(value as string) && !Number.isNaN(Date.parse(value as string))
  );
}

function isRange(value: unknown): boolean {
  return isRun(value) && isCount((value as Fields).episode);
}

function isRun(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { start, end } = value as Fields;
  return isCount(start) && isCount(end);
}

function checkAnswer(value: unknown): void {
  const answer = record(value, 'answer');
  check(answer, 'question', isCount);
  check(answer, 'turn', isCount);
  check(answer, 'versions', isListOf(isRecord));
  const versions = answer.versions as Fields[];
  check(answer, 'shown', (shown) => isCount(shown) && (shown as number) < versions.length);
  for (const version of versions) {
    checkOptional(version, 'text', isText);
    for (const name of ['model', 'title', 'engine', 'backend', 'finish']) check(version, name, isText);
    for (const name of ['answeredAt', 'promptTokens', 'tokens', 'recalledTokens', 'milliseconds']) {
      check(version, name, isNumber);
    }
    checkOptional(version, 'firstTokenMs', isNumber);
    check(version, 'cited', isListOf(isCount));
    checkOptional(version, 'recent', isListOf(isCount));
    check(version, 'passages', isListOf(isRecord));
    for (const passage of version.passages as Fields[]) {
      for (const name of ['episode', 'start', 'end']) check(passage, name, isCount);
    }
  }
}

function decodeBlock(value: unknown): VectorBlock {
  const block = record(value, 'block');
  check(block, 'block', isCount);
  checkStamp(block.stamp);
  const decoded = { ...(block as unknown as VectorBlock), vectors: floats(block, 'vectors') };
  if (decoded.vectors.length % decoded.stamp.dimension !== 0) {
    throw new Error(`${decoded.vectors.length} floats are no whole number of vectors`);
  }
  return decoded;
}

function checkStamp(value: unknown): void {
  const stamp = record(value, 'stamp');
  check(stamp, 'model', isText);
  check(stamp, 'dtype', isText);
  check(stamp, 'dimension', (dimension) => isCount(dimension) && dimension !== 0);
}

type Fields = Record<string, unknown>;
type Check = (value: unknown) => boolean;

function record(value: unknown, name: string): Fields {
  if (!isRecord(value)) throw new Error(`no ${name}`);
  return value as Fields;
}

function check(fields: Fields, name: string, holds: Check): void {
  if (!holds(fields[name])) throw new Error(`bad value of ${name}: ${shortly(fields[name])}`);
}

function checkOptional(fields: Fields, name: string, holds: Check): void {
  if (fields[name] !== undefined) check(fields, name, holds);
}

function floats(fields: Fields, name: string): Float32Array {
  check(fields, name, isText);
  try {
    return decodeFloats(fields[name] as string);
  } catch {
    throw new Error(`${name} is no base64 of floats`);
  }
}

function shortly(value: unknown): string {
  return String(JSON.stringify(value)).slice(0, 40);
}

const isText: Check = (value) => typeof value === 'string';
const isNumber: Check = (value) => Number.isFinite(value);
const isFlag: Check = (value) => typeof value === 'boolean';
const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isRecord: Check = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isListOf =
  (holds: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(holds);
