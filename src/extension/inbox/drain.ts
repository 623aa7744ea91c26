import { wellFormed } from '../../core/text.ts';
import type { NewTurn, Turn } from '../../core/turn.ts';
import type { EngineApi } from '../../engine/contract.ts';
import { type EraseEngine, eraseSite } from './erase.ts';
import type { Inbox } from './inbox.ts';
import { withInboxLock } from './lock.ts';
import { movable } from './movable.ts';
import type { DrainIntent, InboxRow } from './schema.ts';

/** The part of the engine that a drain uses. */
export type DrainEngine = Pick<EngineApi, 'listThreads' | 'createThread' | 'readTurns' | 'append'>;

export const CAPTURED_NAME = 'Captured chats';

/**
 * Moves captured turns from the inbox into their thread, each exactly once. The two are different databases, so that
 * what is about to be appended is written down first. Whoever comes after a crash looks in the thread whether it
 * was appended, and only then goes on.
 */
export class Drain {
  constructor(
    private readonly inbox: Inbox,
    private readonly engine: DrainEngine,
  ) {}

  /** Moves what is there; resolves with the number of turns moved. */
  run(): Promise<number> {
    return withInboxLock(() => this.move());
  }

  /** Erases what was captured from a site (`eraseSite`), what is just being moved too. */
  erase(engine: EraseEngine, site: string): Promise<number> {
    return withInboxLock(async () => {
      await this.resolveIntent();
      return eraseSite(this.inbox, engine, site);
    });
  }

  /**
   * With the thread of captured turns goes everything that was captured, and what was about to come into it.
   *
   * @param endCapture ends the capture first, so that nothing comes in afterwards
   * @returns whether the thread was deleted
   */
  forgetDeleted(endCapture: () => Promise<void>): Promise<boolean> {
    return withInboxLock(async () => {
      const id = await this.inbox.thread();
      if (id === undefined || (await this.engine.listThreads()).some((thread) => thread.id === id))
        return false;
      await endCapture();
      await this.inbox.clear();
      return true;
    });
  }

  private async move(): Promise<number> {
    await this.resolveIntent();
    let moved = 0;
    for (;;) {
      const rows = movable(await this.inbox.pending(), Date.now());
      const thread = rows.length > 0 && (await this.thread());
      if (!thread) return moved;
      const intent = { threadId: thread.id, from: thread.turns, seqs: rows.map(({ seq }) => seq) };
      await this.inbox.begin(intent);
      const { from } = await this.engine.append(thread.id, rows.map(turnOf));
      await this.inbox.settle(intent, from);
      moved += rows.length;
    }
  }

  /** What a drain left that did not come to its end. */
  private async resolveIntent(): Promise<void> {
    const intent = await this.inbox.intent();
    if (!intent) return;
    const from = await this.placeOf(intent);
    if (from === undefined) await this.inbox.giveUp();
    else await this.inbox.settle(intent, from);
  }

  /** Where in the thread the turns of an intent stand; undefined when they were not appended. */
  private async placeOf({ threadId, from, seqs }: DrainIntent): Promise<number | undefined> {
    const thread = (await this.engine.listThreads()).find(({ id }) => id === threadId);
    const rows = await this.inbox.read(seqs);
    if (!thread || rows.length < seqs.length) return undefined;
    const wanted = rows.map(turnOf);
    const turns = await this.engine.readTurns(threadId, from, thread.turns);
    const at = turns.findIndex((_, i) => wanted.every((turn, j) => isSame(turns[i + j], turn)));
    return at < 0 ? undefined : from + at;
  }

  /** The thread of captured turns, made when it is first needed; undefined where it was deleted. */
  private async thread(): Promise<{ readonly id: string; readonly turns: number } | undefined> {
    const threads = await this.engine.listThreads();
    const id = await this.inbox.thread();
    if (id !== undefined) return threads.find((thread) => thread.id === id);
    // An empty one of that name is left over from a start that was cut short.
    const leftOver = threads.find(({ name, turns }) => name === CAPTURED_NAME && turns === 0);
    const thread = leftOver ?? (await this.engine.createThread(CAPTURED_NAME));
    await this.inbox.setThread(thread.id);
    return thread;
  }
}

function turnOf({ role, pending }: InboxRow): NewTurn {
  const { text, source, at } = pending!;
  return { role, text: wellFormed(text), time: at, source };
}

/** A turn that was erased meanwhile has kept its speaker and its time. */
function isSame(turn: Turn | undefined, wanted: NewTurn): boolean {
  if (turn?.role !== wanted.role || turn.time !== wanted.time) return false;
  return turn.erased === true || (turn.text === wanted.text && turn.source === wanted.source);
}
