import type { AnswerEngine } from '../answer/answer-engine.ts';
import type { Passage } from '../answer/passage.ts';
import { type AnswerPrompt, buildPrompt } from '../answer/prompt.ts';
import type { Turn } from '../core/turn.ts';
import { configuration } from '../memory/configurations.ts';
import { contextRanges } from '../memory/context.ts';
import type { AnswerPassage, AskRecord } from '../store/records.ts';

/** Turns right before a question that the model sees, whatever was recalled. */
const RECENT_TURNS = 6;

/** A prompt with where its passages stand in the thread. */
export interface ChatPrompt extends AnswerPrompt {
  /** In the order of `passages`. */
  readonly places: readonly AnswerPassage[];
  /** Tokens that the passages add to the prompt. */
  readonly recalledTokens: number;
}

interface TurnReader {
  readTurns(from: number, to: number): Promise<Turn[]>;
}

/**
 * The prompt for a question and what it recalled, in at most `budget` tokens by the engine's own count. Nothing that
 * was said after the question goes in, so an answer that is drawn again reads the same. Rejects as `buildPrompt` does.
 */
export async function promptFor(
  ask: AskRecord,
  thread: TurnReader,
  engine: Pick<AnswerEngine, 'countTokens'>,
  budget: number,
): Promise<ChatPrompt> {
  const threadLength = ask.answer?.question ?? ask.position;
  const placeOf = await readPassages(ask, thread);
  const recent = await thread.readTurns(Math.max(0, threadLength - RECENT_TURNS), threadLength);
  const request = {
    passages: [...placeOf.keys()],
    recent: recent.filter(({ erased }) => !erased),
    question: ask.text,
    threadLength,
    now: Date.now(),
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

/** The recalled episodes as passages, each as much as the thread's configuration puts into a prompt. */
async function readPassages(ask: AskRecord, thread: TurnReader): Promise<Map<Passage, AnswerPassage>> {
  // The cap is the same whatever embedded the thread.
  const { promptCap } = configuration(ask.configuration, '');
  const placeOf = new Map<Passage, AnswerPassage>();
  for (const { episode, start, end } of contextRanges(ask.episodes, promptCap)) {
    const turns = (await thread.readTurns(start, end)).filter(({ erased }) => !erased);
    if (turns.length === 0) continue;
    const { score, decisive } = ask.episodes.find((recalled) => recalled.episode === episode)!;
    placeOf.set({ turns, score, decisive }, { episode, start, end });
  }
  return placeOf;
}
