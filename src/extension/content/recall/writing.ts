import type { SiteDescription } from '../../sites/site.ts';
import { findComposer } from './composer.ts';

/** Milliseconds without a keystroke that count as a pause. */
const PAUSE = 1_000;

/** Tells when a person pauses in writing. Text that an input method is still composing is not written yet. */
export class Writing {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #composing = false;
  readonly #listeners: readonly [string, (event: Event) => void][] = [
    ['input', (event) => this.#onInput(event)],
    ['compositionstart', () => this.#compose(true)],
    ['compositionend', (event) => this.#compose(false, event)],
  ];

  constructor(
    private readonly site: SiteDescription,
    private readonly onPause: (composer: HTMLElement) => void,
    private readonly pause = PAUSE,
  ) {
    for (const [type, listener] of this.#listeners) document.addEventListener(type, listener, true);
  }

  /** Resolves once no input method is composing. */
  async written(): Promise<void> {
    if (!this.#composing) return;
    await new Promise((resolve) => document.addEventListener('compositionend', resolve, { once: true }));
  }

  stop(): void {
    clearTimeout(this.#timer);
    for (const [type, listener] of this.#listeners) document.removeEventListener(type, listener, true);
  }

  #compose(composing: boolean, event?: Event): void {
    this.#composing = composing;
    clearTimeout(this.#timer);
    if (event) this.#onInput(event);
  }

  #onInput({ target }: Event): void {
    clearTimeout(this.#timer);
    if (this.#composing || !(target instanceof Node)) return;
    this.#timer = setTimeout(() => {
      const composer = findComposer(this.site);
      if (composer?.contains(target)) this.onPause(composer);
    }, this.pause);
  }
}
