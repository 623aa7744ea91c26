import type { Turn } from '../../core/turn.ts';
import type { ThreadView } from '../../engine/contract.ts';
import { withoutAsOf } from '../../store/as-of.ts';
import type { AsOfChoice } from '../../store/records.ts';
import { navigate } from '../router.ts';
import type { Session } from '../session.ts';
import type { Trunk } from './branch-note.ts';
import { busyError, type ChatSession } from './chat-session.ts';

const NOTE = 'A new thread begins with everything before this turn. This thread stays as it is.';

/**
 * Lets the person change a question and asks it in a new thread that holds everything said before it. The old thread
 * stays as it is. A question `asOf` a time is asked as of that time again. While that can't be done, the text stays in
 * the editor.
 */
export async function editAndBranch(
  session: Session,
  chat: ChatSession,
  threadId: string,
  question: Turn,
  asOf?: AsOfChoice,
): Promise<void> {
  const { editText } = await import('../memory/turn-editor.ts');
  let text = withoutAsOf(question.text, asOf);
  let note = NOTE;
  for (;;) {
    const edited = await editText({
      title: 'Edit and ask in a branch',
      text,
      note,
      save: 'Ask in a branch',
      mayStay: true,
    });
    if (edited === undefined) return;
    text = edited;
    const branch = await session.attempt(() => startBranch(session, chat, threadId, question.index));
    if (branch) {
      await session.attempt(() => session.refreshThreads());
      navigate({ kind: 'thread', threadId: branch.id });
      await chat.ask(branch.id, text.trim(), asOf);
      return;
    }
    note = `Nothing was asked yet. ${NOTE}`;
  }
}

/** Rejects, before anything is made, where no question can be asked now. */
async function startBranch(
  session: Session,
  chat: ChatSession,
  threadId: string,
  turns: number,
): Promise<ThreadView> {
  if (chat.run) throw busyError();
  return session.engine.branchThread(threadId, turns, branchName(session, threadId));
}

/** The old name with the number of the branch. */
function branchName(session: Session, threadId: string): string {
  const trunk = (session.thread(threadId)?.name ?? 'Thread').replace(/ \(branch(?: \d+)?\)$/, '');
  const taken = new Set(session.threads.map(({ name }) => name));
  for (let number = 1; ; number++) {
    const name = `${trunk} (branch${number === 1 ? '' : ` ${number}`})`;
    if (!taken.has(name)) return name;
  }
}

/** Where a thread was branched off another one, if it was. */
export function trunkOf(session: Session, { branchedFrom }: ThreadView): Trunk | undefined {
  return branchedFrom && { ...branchedFrom, name: session.thread(branchedFrom.threadId)?.name };
}
