import type { TabRole } from './contract.ts';

/** Held by the engine that leads. */
export const LEADER_LOCK = 'skein-leader';

/**
 * Which of several open tabs writes: the one that holds a Web Lock. The others read, and one of them becomes
 * leader when the leader goes or when its person asks for it. Where there are no locks, every tab leads.
 */
export class Leadership {
  private held: TabRole = 'reader';
  private waiting: AbortController | undefined;

  constructor(
    private readonly onChange: (role: TabRole) => void,
    private readonly locks: LockManager | undefined = globalThis.navigator?.locks,
  ) {}

  get role(): TabRole {
    return this.held;
  }

  /** Leads at once when no other tab does, and otherwise waits for its turn; resolves with the role for now. */
  async start(): Promise<TabRole> {
    if (!this.locks) {
      this.held = 'leader';
      return this.held;
    }
    const { promise, resolve } = Promise.withResolvers<TabRole>();
    void this.request({ ifAvailable: true }, () => resolve('leader')).then((granted) => {
      if (granted) return;
      resolve('reader');
      this.wait();
    });
    return promise;
  }

  /** Takes the lead from the tab that has it. */
  async take(): Promise<void> {
    if (this.held === 'leader') return;
    this.waiting?.abort();
    await new Promise<void>((resolve) => void this.request({ steal: true }, resolve));
  }

  private wait(): void {
    this.waiting = new AbortController();
    void this.request({ signal: this.waiting.signal }, () => {});
  }

  /** Holds the lock until it is stolen or the tab goes; false when it was not to be had. */
  private async request(options: LockOptions, onLead: () => void): Promise<boolean> {
    try {
      return await this.locks!.request(LEADER_LOCK, options, async (lock) => {
        if (!lock) return false;
        this.lead(onLead);
        // Held until it is stolen, or the tab goes.
        return new Promise<never>(() => {});
      });
    } catch {
      // A wait that was given up for a steal of our own, or locks that this place forbids.
      if (this.held !== 'leader') return false;
      // Stolen by another tab.
      this.follow();
      return true;
    }
  }

  private lead(onLead: () => void): void {
    this.held = 'leader';
    this.onChange('leader');
    onLead();
  }

  private follow(): void {
    this.held = 'reader';
    this.onChange('reader');
    this.wait();
  }
}
