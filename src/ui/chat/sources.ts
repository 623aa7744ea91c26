import type { AnswerPrompt } from '../../answer/prompt.ts';
import { recalledWith } from '../../chat/chat-prompt.ts';
import type { AnswerPassage, AskRecord, RecalledEpisode } from '../../store/records.ts';
import { turnSpan } from '../format.ts';
import type { Source } from '../parts/markdown-blocks.ts';
import { navigate } from '../router.ts';

const known = new WeakMap<AskRecord | AnswerPrompt, readonly Source[]>();

/** What the answer that is shown may cite. The same array for the same record, so that nothing is drawn twice. */
export function sourcesOf(ask: AskRecord): readonly Source[] {
  return remember(ask, () =>
    (shownVersion(ask)?.passages ?? []).map(({ start, end }, i) => ({
      number: i + 1,
      label: turnSpan(start, end),
    })),
  );
}

/** The same while the answer is being written. */
export function sourcesInPrompt(prompt: AnswerPrompt): readonly Source[] {
  return remember(prompt, () =>
    prompt.passages.map(({ number, passage: { turns } }) => ({
      number,
      label: turnSpan(turns[0]!.index, turns.at(-1)!.index + 1),
    })),
  );
}

export function shownVersion({ answer }: AskRecord) {
  return answer?.versions[answer.shown];
}

/** Goes to the turn that decides in the source of that number. */
export function goToSource(threadId: string, ask: AskRecord, number: number): void {
  const passage = shownVersion(ask)?.passages[number - 1];
  if (!passage) return;
  const turn = sourceOf(ask, passage)?.decisive[0] ?? passage.start;
  navigate({ kind: 'thread', threadId, turn });
}

/** A passage as the episode that was recalled, in the passage's bounds. */
export function sourceOf(
  ask: AskRecord,
  { episode, start, end }: AnswerPassage,
): RecalledEpisode | undefined {
  const found = recalledWith(ask, { episode, start, end });
  if (!found) return undefined;
  const { score, parts, terms, decisive } = found;
  const within = decisive.filter((turn) => start <= turn && turn < end);
  const ranges = found.ranges?.filter((range) => range.start < end && start < range.end);
  return { episode, start, end, score, parts, terms, decisive: within, ...(ranges && { ranges }) };
}

function remember(key: AskRecord | AnswerPrompt, make: () => readonly Source[]): readonly Source[] {
  const sources = known.get(key) ?? make();
  known.set(key, sources);
  return sources;
}
