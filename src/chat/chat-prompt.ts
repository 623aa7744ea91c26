import type { AnswerEngine } from '../answer/answer-engine.ts';
import type { Passage } from '../answer/passage.ts';
import { type AnswerPrompt, buildPrompt } from '../answer/prompt.ts';
import type { Turn } from '../core/turn.ts';
import { configuration } from '../memory/configurations.ts';
import { contextRanges } from '../memory/context.ts';
import { asOfLabel, questionAsOf } from '../store/as-of.ts';
import type { AnswerPassage, AskRecord, EpisodeRecord, RecalledEpisode } from '../store/records.ts';

/** Turns right before a question (or its time) that the model sees, whatever was recalled. */
const RECENT_TURNS = 6;

/** A prompt with where its passages stand in the thread. */
export interface ChatPrompt extends AnswerPrompt {
  /** In the order of `passages`. */
  readonly places: readonly AnswerPassage[];
  /** Tokens that the passages add to the prompt. */
  readonly recalledTokens: number;
}

/** What a prompt needs of a thread. */
export interface PromptThread {
  readTurns(from: number, to: number): Promise<Turn[]>;
  /** The thread's episodes as they stand now. */
  listEpisodes(): Promise<readonly Pick<EpisodeRecord, 'start' | 'end' | 'forgottenAt'>[]>;
}

/**
 * The prompt for a question and what it recalled, in at most `budget` tokens by the engine's own count. Nothing that
 * was said after the question, or after the time that it is asked as of, goes in, so an answer that is drawn again
 * reads the same, but for episodes that were forgotten since: those are left out. Rejects as `buildPrompt` does.
 */
export async function promptFor(
  ask: AskRecord,
  thread: PromptThread,
  engine: Pick<AnswerEngine, 'countTokens'>,
  budget: number,
): Promise<ChatPrompt> {
  const placeOf = await readPassages(ask, thread);
  const recent = await readRecent(ask, thread);
  const { asOf } = ask;
  const request = {
    passages: [...placeOf.keys()],
    recent: recent.filter(({ erased }) => !erased),
    question: questionAsOf(ask.text, asOf),
    ...(asOf && { asOf: asOfLabel(asOf) }),
    threadLength: lastReach(ask),
    now: nowOf(ask, recent),
    budget,
    countTokens: (messages: Parameters<AnswerEngine['countTokens']>[0]) => engine.countTokens(messages),
  };
  const prompt = await buildPrompt(request);
  const others = request.recent.filter(({ index }) => prompt.recent.includes(index));
  const without = await buildPrompt({ ...request, passages: [], recent: others });
  return {
    ...prompt,
    places: prompt.passages.map(({ passage }) => placeOf.get(passage)!),
    recalledTokens: prompt.tokens - without.tokens,
  };
}

/**
 * What of the thread a question's prompt may hold, in thread order: the recalled episodes, each as much of it as the
 * thread's configuration puts into a prompt. Stretches of one episode that touch are one.
 */
export function passagesOf({ configuration: name, episodes }: AskRecord): AnswerPassage[] {
  // The cap is the same whatever embedded the thread.
  const { promptCap } = configuration(name, '');
  const passages: AnswerPassage[] = [];
  for (const { episode, start, end } of contextRanges(episodes, promptCap)) {
    const last = passages.at(-1);
    if (last?.episode === episode && start <= last.end) {
      passages[passages.length - 1] = { episode, start: last.start, end: Math.max(last.end, end) };
    } else {
      passages.push({ episode, start, end });
    }
  }
  return passages;
}

/** The recalled episode, or family of them, that a passage came with: the best that shares turns with it. */
export function recalledWith(
  { episodes }: AskRecord,
  { start, end }: AnswerPassage,
): RecalledEpisode | undefined {
  return episodes.find(({ ranges, ...whole }) =>
    (ranges ?? [whole]).some((range) => range.start < end && start < range.end),
  );
}

/** The turn behind the last that the question may be answered from. */
function lastReach({ asOf, answer, position }: AskRecord): number {
  return asOf ? (asOf.runs.at(-1)?.end ?? 0) : (answer?.question ?? position);
}

/** The last turns that the question may be answered from. */
async function readRecent(ask: AskRecord, thread: PromptThread): Promise<Turn[]> {
  const recent: Turn[] = [];
  for (const { start, end } of (ask.asOf?.runs ?? [{ start: 0, end: lastReach(ask) }]).toReversed()) {
    const missing = RECENT_TURNS - recent.length;
    if (missing === 0) break;
    recent.unshift(...(await thread.readTurns(Math.max(start, end - missing), end)));
  }
  return recent;
}

/** The moment that a prompt tells ages from. */
function nowOf({ asOf }: AskRecord, recent: readonly Turn[]): number {
  const now = Date.now();
  if (!asOf) return now;
  return asOf.kind === 'day' ? Math.min(now, asOf.before - 1) : (recent.at(-1)?.time ?? now);
}

async function readPassages(ask: AskRecord, thread: PromptThread): Promise<Map<Passage, AnswerPassage>> {
  const placeOf = new Map<Passage, AnswerPassage>();
  // By turns: the numbers of episodes change when a thread is rebuilt.
  const forgotten = (await thread.listEpisodes()).filter(({ forgottenAt }) => forgottenAt !== undefined);
  const readable = ({ index, erased }: Turn) =>
    !erased && !forgotten.some(({ start, end }) => start <= index && index < end);
  for (const place of passagesOf(ask)) {
    const turns = (await thread.readTurns(place.start, place.end)).filter(readable);
    if (turns.length === 0) continue;
    const { score = 0, decisive = [] } = recalledWith(ask, place) ?? {};
    placeOf.set({ turns, score, decisive }, place);
  }
  return placeOf;
}
