/** Milliseconds without a change after which the page counts as quiet. */
const QUIET = 400;
/** A page that never falls quiet is looked at this often. */
const LONGEST = 5_000;

export interface PageWatcherOptions {
  attributes: readonly string[];
  quiet?: number;
  longest?: number;
}

/**
 * Tells when the page changed and fell quiet again. While an answer streams in, all it does per change is to note
 * which node changed.
 */
export class PageWatcher {
  /** Nodes that changed since `takeChanged`. */
  #changed = new Set<Node>();
  #quietTimer: ReturnType<typeof setTimeout> | undefined;
  #wantedTimer: ReturnType<typeof setTimeout> | undefined;
  #wantedAt = Number.POSITIVE_INFINITY;
  #firstUnseen = 0;
  #lastChange = 0;
  readonly #observer = new MutationObserver((records) => this.#note(records));
  readonly #onPopState = () => this.#schedule();

  constructor(
    private readonly onQuiet: () => void,
    private readonly options: PageWatcherOptions,
  ) {
    this.#observer.observe(document.documentElement, {
      childList: true,
      subtree: true,
      characterData: true,
      ...(options.attributes.length > 0 && { attributes: true, attributeFilter: [...options.attributes] }),
    });
    addEventListener('popstate', this.#onPopState);
  }

  /** When the page last changed, as `performance.now()` counts. */
  get lastChange(): number {
    return this.#lastChange;
  }

  stop(): void {
    this.#observer.disconnect();
    clearTimeout(this.#quietTimer);
    clearTimeout(this.#wantedTimer);
    removeEventListener('popstate', this.#onPopState);
  }

  /** The nodes that changed since the last call. */
  takeChanged(): Set<Node> {
    this.#note(this.#observer.takeRecords());
    const changed = this.#changed;
    this.#changed = new Set();
    this.#firstUnseen = 0;
    return changed;
  }

  /** Has the page looked at in `milliseconds` at the latest, even if nothing changes. */
  lookAfter(milliseconds: number): void {
    const at = performance.now() + milliseconds;
    if (at >= this.#wantedAt) return;
    clearTimeout(this.#wantedTimer);
    this.#wantedAt = at;
    this.#wantedTimer = setTimeout(() => {
      this.#wantedAt = Number.POSITIVE_INFINITY;
      this.onQuiet();
    }, milliseconds);
  }

  #note(records: readonly MutationRecord[]): void {
    if (records.length === 0) return;
    for (const { target } of records) this.#changed.add(target);
    this.#schedule();
  }

  #schedule(): void {
    const { quiet = QUIET, longest = LONGEST } = this.options;
    const now = performance.now();
    this.#lastChange = now;
    this.#firstUnseen ||= now;
    clearTimeout(this.#quietTimer);
    this.#quietTimer = setTimeout(
      this.onQuiet,
      Math.max(0, Math.min(quiet, this.#firstUnseen + longest - now)),
    );
  }
}
