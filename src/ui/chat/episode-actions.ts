import type { RecalledEpisode } from '../../store/records.ts';
import { hasRead } from '../../store/thread-rules.ts';
import { formatCount, turnNumber, turnSpan } from '../format.ts';
import { askPerson } from '../parts/confirm.ts';
import type { Session } from '../session.ts';

/** What an action needs to know of an episode. */
export interface EpisodePlace {
  readonly id: number;
  readonly start: number;
  readonly end: number;
}

/** The episodes that a recalled one stands for: itself, or those of its family's ranges, each once. */
export function episodesOf({ episode, start, end, ranges }: RecalledEpisode): readonly EpisodePlace[] {
  const places = new Map<number, EpisodePlace>();
  for (const range of ranges ?? [{ episode, start, end }]) {
    const known = places.get(range.episode);
    places.set(range.episode, { id: range.episode, start: known?.start ?? range.start, end: range.end });
  }
  return [...places.values()];
}

export function setPinned(
  session: Session,
  threadId: string,
  episodes: readonly EpisodePlace[],
  pinned: boolean,
): Promise<void> {
  return session.attempt(async () => {
    for (const { id } of episodes) await session.engine.pinEpisode(threadId, id, pinned);
  });
}

/** Forgets episodes and offers to undo it. */
export async function forgetWithUndo(
  session: Session,
  threadId: string,
  episodes: readonly EpisodePlace[],
): Promise<void> {
  await session.attempt(async () => {
    for (const { id } of episodes) await session.engine.forgetEpisode(threadId, id, true);
    const places = episodes.map(({ start, end }) => turnSpan(start, end)).join('; ');
    session.toast(`${places} will not be recalled any more.`, {
      label: 'Undo',
      run: () => remember(session, threadId, episodes),
    });
  });
}

export async function remember(
  session: Session,
  threadId: string,
  episodes: readonly EpisodePlace[],
): Promise<void> {
  await session.attempt(async () => {
    for (const { id } of episodes) await session.engine.forgetEpisode(threadId, id, false);
  });
}

/** Erases turns for good, once the person has confirmed it. `quote` shows what goes. */
export async function eraseConfirmed(
  session: Session,
  threadId: string,
  { start, end }: { start: number; end: number },
  quote: string,
): Promise<void> {
  const place = turnSpan(start, end).toLowerCase();
  const retold = await session.attempt(() => answersFrom(session, threadId, start, end));
  const answer = await askPerson({
    title: `Erase ${place}?`,
    body: [
      'The text, its vectors, and every question that recalled it are erased from this browser. The numbers of the other turns stay.',
      ...(retold?.length ? [retoldNote(retold)] : []),
      'There is no undo. To keep the text and only stop recalling it, forget the episode instead.',
    ],
    quote,
    confirm: `Erase ${place}`,
    danger: true,
  });
  if (answer === undefined) return;
  await session.attempt(async () => {
    await session.engine.eraseTurns(threadId, start, end);
    session.toast(`Erased ${place}.`);
  });
}

/** Turns outside of `start` to `end - 1` in which a model answered from them. */
async function answersFrom(
  session: Session,
  threadId: string,
  start: number,
  end: number,
): Promise<number[]> {
  const asks = await session.engine.listAsks(threadId);
  return asks.flatMap(({ answer }) => {
    if (!answer || (answer.turn >= start && answer.turn < end)) return [];
    return hasRead(answer, start, end) ? [answer.turn] : [];
  });
}

function retoldNote(turns: readonly number[]): string {
  const places = turns.map((turn) => formatCount(turnNumber(turn))).join(', ');
  return `A model has answered from it (${turns.length === 1 ? 'turn' : 'turns'} ${places}). Such an answer is a turn of its own and stays: erase it, too, if it repeats the text.`;
}
