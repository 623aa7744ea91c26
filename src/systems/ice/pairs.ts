import type { Span } from '../retrieval.ts';
import type { Thread } from '../thread.ts';
import { intentOf } from './classifier.ts';

/** A user turn and the replies to it: the unit of episodic memory. */
export interface Pair {
  readonly start: number;
  end: number;
  /** Where its first turn was said; undefined in a thread without conversations. */
  readonly conversation: string | undefined;
  /** It asked for something creative: such pairs fade slowly and get no recency bonus. */
  readonly creative: boolean;
}

/** Cuts a thread into pairs as it grows. All but the last pair are closed. */
export class PairList {
  readonly all: Pair[] = [];
  private seen = 0;

  /** Takes new turns; returns the first pair that is new or has grown. */
  extend(thread: Thread): number {
    let changed = this.all.length;
    for (; this.seen < thread.size; this.seen++) {
      const { role, source, text } = thread.at(this.seen);
      const open = this.all.at(-1);
      if (open && role === 'model' && open.conversation === source) {
        open.end = this.seen + 1;
        changed = Math.min(changed, this.all.length - 1);
      } else {
        const creative = role === 'user' && intentOf(text) === 'creative';
        this.all.push({ start: this.seen, end: this.seen + 1, conversation: source, creative });
      }
    }
    return changed;
  }

  /** Closed pairs, in order. */
  get closed(): number {
    return Math.max(0, this.all.length - 1);
  }
}

export function pairSpan({ start, end }: Pair): Span {
  return { start, end };
}
