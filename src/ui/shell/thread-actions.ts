import type { ThreadView } from '../../engine/contract.ts';
import { counted } from '../format.ts';
import { askPerson } from '../parts/confirm.ts';
import { navigate } from '../router.ts';
import type { Session } from '../session.ts';
import { saveFile } from './save-file.ts';

export async function startThread(session: Session): Promise<void> {
  const name = await askPerson({
    title: 'Start an empty thread',
    body: [],
    input: { label: 'Name', value: 'My thread' },
    confirm: 'Start',
  });
  if (!name) return;
  const thread = await session.attempt(() => session.engine.createThread(name));
  if (!thread) return;
  await session.refreshThreads();
  navigate({ kind: 'thread', threadId: thread.id });
}

export async function renameThread(session: Session, thread: ThreadView): Promise<void> {
  const name = await askPerson({
    title: 'Rename the thread',
    body: [],
    input: { label: 'Name', value: thread.name },
    confirm: 'Rename',
  });
  if (name && name !== thread.name) await session.attempt(() => session.engine.renameThread(thread.id, name));
}

export async function deleteThread(session: Session, thread: ThreadView): Promise<void> {
  const answer = await askPerson({
    title: `Erase “${thread.name}”?`,
    body: [
      `All ${counted(thread.turns, 'turn')}, their vectors, episodes and questions are erased from this browser.`,
      'There is no undo. Export the thread first if you may want it back.',
    ],
    confirm: 'Erase thread',
    danger: true,
  });
  if (answer === undefined) return;
  await session.attempt(async () => {
    await session.engine.deleteThread(thread.id);
    await session.refreshThreads();
    navigate({ kind: 'home' });
    session.toast('The thread was erased.');
  });
}

export async function saveThread(session: Session, threadId: string): Promise<void> {
  await session.attempt(async () => saveFile(await session.engine.exportThread(threadId)));
}

export async function saveEverything(session: Session): Promise<void> {
  await session.attempt(async () => saveFile(await session.engine.exportEverything()));
}

export async function openDemo(session: Session): Promise<void> {
  await session.attempt(async () => {
    const { threadId } = await session.engine.loadDemo();
    await session.refreshThreads();
    navigate({ kind: 'thread', threadId });
  });
}
