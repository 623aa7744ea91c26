import type { Summariser } from '../summariser.ts';
import { ICE } from './constants.ts';
import type { Pair } from './pairs.ts';

/** A summary of several pairs of one conversation. */
export interface Batch {
  readonly text: string;
  /** Its first turn. */
  readonly turn: number;
  readonly conversation: string | undefined;
}

/** Summarises closed pairs, so many of a conversation at a time. */
export class BatchSummaries {
  readonly batches: Batch[] = [];
  private readonly open = new Map<string | undefined, number[]>();
  private seen = 0;

  constructor(private readonly summariser: Summariser) {}

  async extend(pairs: readonly Pair[], closed: number, textOf: (pair: number) => string): Promise<void> {
    for (; this.seen < closed; this.seen++) {
      const { conversation } = pairs[this.seen]!;
      const members = [...(this.open.get(conversation) ?? []), this.seen];
      if (members.length === ICE.batch.pairs) {
        const text = await this.summariser.summarise(members.map(textOf), ICE.batch.summary);
        if (text !== '') this.batches.push({ text, turn: pairs[members[0]!]!.start, conversation });
        members.length = 0;
      }
      this.open.set(conversation, members);
    }
  }
}
