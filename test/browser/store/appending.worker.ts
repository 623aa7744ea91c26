import { SkeinDatabase } from '../../../src/store/idb/database.ts';
import { someStep, someTurns } from '../../store-contract.ts';

/** Appends 40 turns and ingests them as one episode, over and over, and tells each acknowledgement. */
async function appendForEver(name: string, threadId: string): Promise<void> {
  const store = (await SkeinDatabase.open({ name })).getThreadStore(threadId);
  for (;;) {
    const from = await store.append(someTurns(40));
    self.postMessage({ turns: from + 40, ingested: from });
    await store.commit(someStep(from, from + 40));
    self.postMessage({ turns: from + 40, ingested: from + 40 });
  }
}

self.addEventListener('message', ({ data }) => void appendForEver(data.name, data.threadId));
