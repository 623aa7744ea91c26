import { openError, storageError } from '../../store/idb/errors.ts';
import type { CaptureBatch } from '../messages.ts';
import { addTurn } from './add-turn.ts';
import {
  type DrainIntent,
  type InboxDatabase,
  type InboxRow,
  type InboxTransaction,
  openInbox,
} from './schema.ts';

/**
 * Captured turns on the disk: those that wait to be moved into a thread, and the names of all that ever came, so that
 * none is kept twice. Every call that writes is one strictly durable transaction. A background worker that is killed
 * at any moment loses nothing that it acknowledged.
 */
export class Inbox {
  private opening: Promise<InboxDatabase> | undefined;

  constructor(private readonly name = 'skein-inbox') {}

  /** Keeps the turns of a batch that are not known yet. `siteName` is how their source calls the site. */
  async add(batch: CaptureBatch, siteName: string): Promise<{ added: number; known: number }> {
    let added = 0;
    await this.write(async (tx) => {
      for (const turn of batch.turns) if (await addTurn(tx, batch, siteName, turn)) added++;
    });
    return { added, known: batch.turns.length - added };
  }

  /** How many turns of a conversation are kept. */
  async kept(site: string, conversation: string): Promise<number> {
    return (await this.open()).countFromIndex('turns', 'conversation', [site, conversation]);
  }

  async keptOfSite(site: string): Promise<number> {
    return (await this.open()).countFromIndex('turns', 'site', site);
  }

  /** The turns that stand in no thread yet, in the order they came. */
  async pending(): Promise<InboxRow[]> {
    const rows = await (await this.open()).getAllFromIndex('turns', 'pending');
    return rows.sort((a, b) => a.seq - b.seq);
  }

  async pendingCount(): Promise<number> {
    return (await this.open()).countFromIndex('turns', 'pending');
  }

  async read(seqs: readonly number[]): Promise<InboxRow[]> {
    const db = await this.open();
    const rows = await Promise.all(seqs.map((seq) => db.get('turns', seq)));
    return rows.filter((row) => row !== undefined);
  }

  async thread(): Promise<string | undefined> {
    return (await (await this.open()).get('meta', 'thread')) as string | undefined;
  }

  async setThread(threadId: string): Promise<void> {
    await this.write((tx) => tx.objectStore('meta').put(threadId, 'thread'));
  }

  /**
   * A thread of the app that is recalled from beside the captured one. It is kept here, since an offscreen page has
   * no access to the extension's settings.
   */
  async recalledThread(): Promise<string | undefined> {
    return (await (await this.open()).get('meta', 'recalled')) as string | undefined;
  }

  async chooseRecalledThread(threadId: string | undefined): Promise<void> {
    await this.write((tx) => {
      const meta = tx.objectStore('meta');
      return threadId === undefined ? meta.delete('recalled') : meta.put(threadId, 'recalled');
    });
  }

  async intent(): Promise<DrainIntent | undefined> {
    return (await (await this.open()).get('meta', 'intent')) as DrainIntent | undefined;
  }

  async begin(intent: DrainIntent): Promise<void> {
    await this.write((tx) => tx.objectStore('meta').put(intent, 'intent'));
  }

  /** The turns of an intent stand in the thread from `from` on: their texts are dropped here. */
  async settle({ seqs }: DrainIntent, from: number): Promise<void> {
    await this.write(async (tx) => {
      const turns = tx.objectStore('turns');
      for (const [i, seq] of seqs.entries()) {
        const row = await turns.get(seq);
        if (!row) continue;
        const { pending: _, ...name } = row;
        await turns.put({ ...name, turn: from + i });
      }
      await tx.objectStore('meta').delete('intent');
    });
  }

  /** An intent that came to nothing. */
  async giveUp(): Promise<void> {
    await this.write((tx) => tx.objectStore('meta').delete('intent'));
  }

  /** The numbers in the thread of the last `most` turns of a conversation. */
  async latestTurns(site: string, conversation: string, most: number): Promise<number[]> {
    const rows = await (await this.open()).getAllFromIndex('turns', 'conversation', [site, conversation]);
    return rows
      .flatMap(({ turn }) => turn ?? [])
      .sort((a, b) => a - b)
      .slice(-most);
  }

  /** The numbers in the thread of the turns that came from a site, ascending. */
  async turnsOfSite(site: string): Promise<number[]> {
    const rows = await (await this.open()).getAllFromIndex('turns', 'site', site);
    return rows.flatMap(({ turn }) => turn ?? []).sort((a, b) => a - b);
  }

  async forgetSite(site: string): Promise<void> {
    await this.write(async (tx) => {
      const turns = tx.objectStore('turns');
      for (const seq of await turns.index('site').getAllKeys(site)) await turns.delete(seq);
    });
  }

  /** Forgets everything that was captured, and the thread it stood in. */
  async clear(): Promise<void> {
    await this.write(async (tx) => {
      await tx.objectStore('turns').clear();
      await tx.objectStore('meta').delete('thread');
      await tx.objectStore('meta').delete('intent');
    });
  }

  async close(): Promise<void> {
    (await this.opening)?.close();
    this.opening = undefined;
  }

  private async write(work: (tx: InboxTransaction) => Promise<unknown>): Promise<void> {
    const db = await this.open();
    const tx = db.transaction(['turns', 'meta'], 'readwrite', { durability: 'strict' });
    tx.done.catch(() => {});
    try {
      await work(tx);
      await tx.done;
    } catch (error) {
      abort(tx);
      await tx.done.catch(() => {});
      // A full disk aborts the transaction: its requests then report only the abort, the transaction the reason.
      throw storageError(tx.error ?? error);
    }
  }

  private open(): Promise<InboxDatabase> {
    const again = () => {
      this.opening = undefined;
    };
    this.opening ??= openInbox(this.name, again).catch((error: unknown) => {
      throw openError(error);
    });
    this.opening.catch(again);
    return this.opening;
  }
}

/** Aborts `tx` unless it has ended by itself. */
function abort(tx: InboxTransaction): void {
  try {
    tx.abort();
  } catch {
    // It had ended already: there is nothing left to take back.
  }
}
