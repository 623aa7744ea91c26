import type { Turn } from '../../core/turn.ts';
import type { ThreadView } from '../../engine/contract.ts';
import { navigate } from '../router.ts';
import type { Session } from '../session.ts';
import type { Trunk } from './branch-note.ts';
import type { ChatSession } from './chat-session.ts';

/**
 * Lets the person change a question and asks it in a new thread that holds everything said before it. The old thread
 * stays as it is.
 */
export async function editAndBranch(
  session: Session,
  chat: ChatSession,
  threadId: string,
  question: Turn,
): Promise<void> {
  const { editText } = await import('../memory/turn-editor.ts');
  const text = await editText({
    title: 'Edit and ask in a branch',
    text: question.text,
    note: 'A new thread begins with everything before this turn. This thread stays as it is.',
    save: 'Ask in a branch',
    mayStay: true,
  });
  if (text === undefined) return;
  await session.attempt(async () => {
    const name = branchName(session, threadId);
    const branch = await session.engine.branchThread(threadId, question.index, name);
    await session.refreshThreads();
    navigate({ kind: 'thread', threadId: branch.id });
    await chat.ask(branch.id, text.trim());
  });
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
