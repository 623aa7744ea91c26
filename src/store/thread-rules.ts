import { SkeinError } from '../core/errors.ts';
import { wellFormed } from '../core/text.ts';
import { countWords, TOKENS_PER_WORD } from '../core/tokens.ts';
import type { NewTurn } from '../core/turn.ts';
import { type EmbedderStamp, stampKey } from '../embed/embedder.ts';
import type {
  AnswerRecord,
  AskRecord,
  ConfigurationName,
  DerivedRecords,
  EpisodeRecord,
  IngestCommit,
  SettledAsk,
  StoredTurn,
  ThreadRecord,
} from './records.ts';

// What a change does to a thread's head and turns, and which changes are refused. Pure functions, shared by
// every ThreadStore so that all of them mean the same.

/** The head of a new, empty thread. */
export function newThread(
  id: string,
  name: string,
  configuration: ConfigurationName,
  now: number,
): ThreadRecord {
  return {
    id,
    name: wellFormed(name),
    createdAt: now,
    updatedAt: now,
    configuration,
    turns: 0,
    ingested: 0,
    tokens: 0,
  };
}

/** `turns` as they are stored from index `first` on; throws `bad-argument` that names the first bad turn. */
export function numberTurns(turns: readonly NewTurn[], first: number): StoredTurn[] {
  return turns.map(({ role, text, time, source }, i) => {
    const refuse = (what: string) =>
      new SkeinError('bad-argument', `Turn ${i + 1} of ${turns.length} ${what}.`, 'Nothing was stored.');
    if (role !== 'user' && role !== 'model') throw refuse(`has the role ${JSON.stringify(role)}`);
    if (typeof text !== 'string') throw refuse('has no text');
    if (time !== undefined && !Number.isFinite(time)) throw refuse(`has the time ${time}`);
    return {
      index: first + i,
      role,
      text: wellFormed(text),
      ...(time !== undefined && { time }),
      ...(source !== undefined && { source: wellFormed(source) }),
    };
  });
}

export function headAfterAppend(head: ThreadRecord, turns: readonly StoredTurn[], now: number): ThreadRecord {
  return {
    ...head,
    updatedAt: now,
    turns: head.turns + turns.length,
    tokens: tokensAfter(head, [], turns),
  };
}

/** Checks `step` against the thread's head and gives the head after it. */
export function headAfterCommit(head: ThreadRecord, step: IngestCommit): ThreadRecord {
  const { from, stamp, vectors } = step;
  const to = from + vectors.length;
  if (from !== head.ingested) {
    throw badArgument(`An ingest step starts at turn ${from}, but ${head.ingested} turns are ingested.`);
  }
  if (to > head.turns) {
    throw badArgument(`An ingest step ends at turn ${to}, but the thread has ${head.turns} turns.`);
  }
  if (head.ingested > 0 && !sameStamp(head, stamp)) {
    throw new SkeinError(
      'stamp-mismatch',
      `The thread's vectors were made with ${stampKey(head.stamp!)}, the new ones with ${stampKey(stamp)}.`,
      'Choose the embedder that the thread was made with, or re-embed the thread.',
    );
  }
  for (const [i, vector] of vectors.entries()) checkDimension(vector, stamp, `of turn ${from + i}`);
  checkDerived(step, to);
  return { ...head, stamp, ingested: to, segmenter: step.segmenter };
}

/** True when the thread's vectors were made under `stamp`. */
export function sameStamp(head: ThreadRecord, stamp: EmbedderStamp): boolean {
  return head.stamp !== undefined && stampKey(head.stamp) === stampKey(stamp);
}

/** `turn` with another text; it is no longer an erased one. */
export function rewritten({ erased: _, ...turn }: StoredTurn, text: string): StoredTurn {
  return { ...turn, text: wellFormed(text) };
}

/** The place that an erased turn leaves: its number, speaker and time. */
export function erasedTurn({ index, role, time }: StoredTurn): StoredTurn {
  return { index, role, text: '', ...(time !== undefined && { time }), erased: true };
}

/** Checks the vector of a rewritten turn: one that is ingested needs it, one that is not has none. */
export function checkRewriteVector(
  head: ThreadRecord,
  index: number,
  vector: Float32Array | undefined,
): void {
  const ingested = index < head.ingested;
  if (ingested !== (vector !== undefined)) {
    throw badArgument(
      `Turn ${index} is ${ingested ? '' : 'not '}ingested, so its new text ${ingested ? 'needs a' : 'has no'} vector.`,
    );
  }
  if (vector) checkDimension(vector, head.stamp!, `of turn ${index}`);
}

/** The head after turns `before` became `after`, with `derived` stored too. */
export function headAfterChange(
  head: ThreadRecord,
  before: readonly StoredTurn[],
  after: readonly StoredTurn[],
  derived: DerivedRecords,
  now: number,
): ThreadRecord {
  checkDerived(derived, head.ingested);
  const changed = { ...head, updatedAt: now, tokens: tokensAfter(head, before, after) };
  return derived.segmenter === undefined ? changed : { ...changed, segmenter: derived.segmenter };
}

export function headAfterReset(
  { segmenter: _, stamp, ...head }: ThreadRecord,
  configuration: ConfigurationName,
  keepVectors: boolean,
): ThreadRecord {
  return { ...head, configuration, ingested: 0, ...(keepVectors && stamp && { stamp }) };
}

/**
 * True when `ask` may hold words of the turns `from` to `to - 1`: it recalled an episode of them, they stood in the
 * prompt of an answer, or they are its question or its answer.
 */
export function concerns({ episodes, answer }: AskRecord, from: number, to: number): boolean {
  const within = (turn: number) => from <= turn && turn < to;
  if (answer && (within(answer.question) || within(answer.turn))) return true;
  if (answer && hasRead(answer, from, to)) return true;
  const recalled = episodes.flatMap((episode) => [episode, ...(episode.ranges ?? [])]);
  return recalled.some(({ start, end }) => start < to && from < end);
}

/** True when a turn of `from` to `to - 1` stood in the prompt of one of the answer's versions. */
export function hasRead({ versions }: AnswerRecord, from: number, to: number): boolean {
  return versions.some(
    ({ passages, recent = [] }) =>
      passages.some(({ start, end }) => start < to && from < end) ||
      recent.some((turn) => from <= turn && turn < to),
  );
}

/** `ask`, once the turns `first` and `first + 1` are its question and its answer. */
export function settled(
  ask: AskRecord | undefined,
  { askId, version }: SettledAsk,
  first: number,
  turns: readonly NewTurn[],
): AskRecord {
  const { answer: known } = requireAsk(ask, askId);
  if (known || turns.length !== 2 || turns[0]!.role !== 'user' || turns[1]!.role !== 'model') {
    throw badArgument(`Question ${askId} is answered already, or is not answered by these turns.`);
  }
  const { text: _, ...shown } = version;
  const answer = { question: first, turn: first + 1, versions: [shown], shown: 0 };
  return { ...ask!, text: wellFormed(turns[0]!.text), position: first + 2, answer };
}

/** Those of `asks` whose question is turn `index`, with the turn's new text. */
export function reworded(asks: readonly AskRecord[], index: number, text: string): AskRecord[] {
  return asks
    .filter(({ answer }) => answer?.question === index)
    .map((ask) => ({ ...ask, text: wellFormed(text) }));
}

/** Question `id`, which must exist. */
export function requireAsk(ask: AskRecord | undefined, id: number): AskRecord {
  if (ask) return ask;
  throw new SkeinError('not-found', `The thread has no question ${id}.`, 'It was removed: ask it again.');
}

/** Throws `bad-argument` unless every episode lies within the first `ingested` turns. */
export function checkEpisodes(episodes: readonly EpisodeRecord[], ingested: number): void {
  for (const { id, start, end } of episodes) {
    if (!(Number.isInteger(id) && start >= 0 && start < end && end <= ingested)) {
      throw badArgument(
        `Episode ${id} spans turns ${start} to ${end - 1}, but ${ingested} turns are ingested.`,
      );
    }
  }
}

/** Turn `index`, which must exist. */
export function requireTurn(turn: StoredTurn | undefined, index: number): StoredTurn {
  if (turn) return turn;
  throw new SkeinError('not-found', `The thread has no turn ${index}.`, 'Reload the thread.');
}

/** The head of thread `id`, which must exist. */
export function requireThread<Head extends ThreadRecord>(head: Head | undefined, id: string): Head {
  if (head) return head;
  throw new SkeinError(
    'not-found',
    `There is no thread ${id}.`,
    'It may have been deleted in another tab: reload the list of threads.',
  );
}

/** The error of a write through a connection that may only read. */
export function readOnlyError(): SkeinError {
  return new SkeinError(
    'read-only',
    'This tab may only read: another tab of Skein is writing.',
    'Go on in the other tab, or take over writing here.',
  );
}

function checkDerived({ episodes = [] }: DerivedRecords, ingested: number): void {
  checkEpisodes(episodes, ingested);
}

function checkDimension(vector: Float32Array, stamp: EmbedderStamp, which: string): void {
  if (vector.length === stamp.dimension) return;
  throw new SkeinError(
    'wrong-dimension',
    `The vector ${which} has ${vector.length} dimensions, but ${stampKey(stamp)} has ${stamp.dimension}.`,
    'Embed it with the embedder of this thread.',
  );
}

function badArgument(message: string): SkeinError {
  return new SkeinError('bad-argument', message, 'Nothing was stored. Load the thread again.');
}

/** Counted in whole words, so that adding and taking away leaves no rounding error behind. */
function tokensAfter(
  head: ThreadRecord,
  removed: readonly StoredTurn[],
  added: readonly StoredTurn[],
): number {
  const words = Math.round(head.tokens / TOKENS_PER_WORD) - wordsOf(removed) + wordsOf(added);
  return TOKENS_PER_WORD * words;
}

function wordsOf(turns: readonly StoredTurn[]): number {
  return turns.reduce((sum, turn) => sum + countWords(turn.text), 0);
}
