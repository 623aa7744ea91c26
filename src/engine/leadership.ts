import type { TabRole } from './contract.ts';

const LOCK = 'skein-leader';

/**
 * Which of several open tabs writes: the one that holds a Web Lock. The others read, and one of them becomes
 * leader when the leader goes or when its person asks for it. Where there are no locks, every tab leads.
 */
export class Leadership {
  private held: TabRole = 'reader';
  private release: () => void = () => {};
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

  /** Gives the lead up for good, so that another tab can have it. */
  stop(): void {
    this.waiting?.abort();
    this.release();
  }

  private wait(): void {
    this.waiting = new AbortController();
    void this.request({ signal: this.waiting.signal }, () => {});
  }

  /** Holds the lock until it is stolen or released; false when it was not to be had. */
  private async request(options: LockOptions, onLead: () => void): Promise<boolean> {
    try {
      return await this.locks!.request(LOCK, options, async (lock) => {
        if (!lock) return false;
        this.lead(onLead);
        await new Promise<void>((resolve) => {
          this.release = resolve;
        });
        return true;
      });
    } catch {
      // Stolen by another tab, or this wait was given up for a steal of our own.
      if (this.held === 'leader') this.follow();
      return false;
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
