import { topUnits } from './retrieval.ts';
import type { Retrieval, SystemPorts } from './system.ts';
import { ThreadSystem } from './thread-system.ts';

/** Tokens of the window that is filled: that of GPT-4o-mini in the paper. */
export const FULL_CONTEXT_WINDOW = 128_000;

/**
 * Full Context: the thread itself. Where it does not fit into `window` tokens, its most recent turns that do; the
 * one unit's part `share` tells what share of the thread's tokens that is.
 */
export class FullContext extends ThreadSystem {
  constructor(
    ports: SystemPorts,
    private readonly window: number,
  ) {
    super(ports);
  }

  protected async catchUp(): Promise<void> {}

  protected async search(): Promise<Retrieval> {
    const end = this.thread.size;
    const total = this.thread.tokens(0, end);
    let start = end;
    while (start > 0 && this.thread.tokens(start - 1, end) <= this.window) start--;
    const share = total > 0 ? this.thread.tokens(start, end) / total : 1;
    const units = start < end ? [{ span: { start, end }, score: 1, parts: { share } }] : [];
    return topUnits(units, 1);
  }
}
