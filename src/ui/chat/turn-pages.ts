import type { Turn } from '../../core/turn.ts';

const PAGE = 64;
const KEPT_PAGES = 48;

/**
 * The turns near the ones on screen, read a page at a time. One read is under way at most, and the range wanted
 * last wins: dragging the scroll bar over 50,000 turns does not queue hundreds of reads.
 */
export class TurnPages {
  private readonly pages = new Map<number, readonly Turn[]>();
  private wanted: { from: number; to: number } | undefined;
  private reading = false;
  private generation = 0;

  constructor(
    private readonly read: (from: number, to: number) => Promise<readonly Turn[]>,
    private readonly onChange: () => void,
    private readonly onError: (error: unknown) => void,
  ) {}

  get(index: number): Turn | undefined {
    return this.pages.get(Math.floor(index / PAGE))?.[index % PAGE];
  }

  /** Reads what is missing of the turns `from` to `to - 1`, in the background. */
  want(from: number, to: number): void {
    this.wanted = { from, to };
    if (!this.reading) void this.readWanted();
  }

  /** Forgets what was read: turns changed. What is on screen stays until it has been read again. */
  invalidate(from = 0): void {
    this.generation++;
    const first = Math.floor(from / PAGE);
    for (const page of this.pages.keys()) if (page >= first) this.stale.add(page);
  }

  private readonly stale = new Set<number>();

  private async readWanted(): Promise<void> {
    this.reading = true;
    try {
      for (let page = this.nextMissing(); page !== undefined; page = this.nextMissing()) {
        const generation = this.generation;
        const turns = await this.read(page * PAGE, (page + 1) * PAGE);
        if (generation === this.generation) this.stale.delete(page);
        this.pages.delete(page);
        this.pages.set(page, turns);
        this.dropOldest();
        this.onChange();
      }
    } catch (error) {
      this.wanted = undefined;
      this.onError(error);
    } finally {
      this.reading = false;
    }
  }

  private nextMissing(): number | undefined {
    if (!this.wanted) return undefined;
    const first = Math.floor(this.wanted.from / PAGE);
    const last = Math.floor(Math.max(this.wanted.from, this.wanted.to - 1) / PAGE);
    for (let page = first; page <= last; page++) {
      if (!this.pages.has(page) || this.stale.has(page)) return page;
    }
    return undefined;
  }

  private dropOldest(): void {
    for (const page of this.pages.keys()) {
      if (this.pages.size <= KEPT_PAGES) return;
      this.pages.delete(page);
    }
  }
}
