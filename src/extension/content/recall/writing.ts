import type { SiteDescription } from '../../sites/site.ts';
import { findComposer } from './composer.ts';

/** Milliseconds without a keystroke that count as a pause. */
const PAUSE = 1_000;

/** How often a composition is looked at that something waits for: its field may go without a word. */
const LOOK_EVERY = 50;

/** Tells when a person pauses in writing. Text that an input method is still composing is not written yet. */
export class Writing {
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Where an input method is composing. */
  #field: Element | undefined;
  readonly #listeners: readonly [string, (event: Event) => void][] = [
    ['input', (event) => this.#onInput(event)],
    ['compositionstart', ({ target }) => this.#compose(target)],
    ['compositionend', (event) => this.#composed(event)],
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
    while (this.#isComposing) await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY));
  }

  /** A field that is gone, or not written in any more, may never say that its composition ended. */
  get #isComposing(): boolean {
    const { activeElement } = document;
    return this.#field?.isConnected === true && (activeElement?.contains(this.#field) ?? false);
  }

  stop(): void {
    clearTimeout(this.#timer);
    for (const [type, listener] of this.#listeners) document.removeEventListener(type, listener, true);
  }

  #compose(target: EventTarget | null): void {
    this.#field = target instanceof Element ? target : undefined;
    clearTimeout(this.#timer);
  }

  #composed(event: Event): void {
    this.#field = undefined;
    this.#onInput(event);
  }

  #onInput({ target }: Event): void {
    clearTimeout(this.#timer);
    if (this.#isComposing || !(target instanceof Node)) return;
    this.#timer = setTimeout(() => {
      const composer = findComposer(this.site);
      if (composer?.contains(target)) this.onPause(composer);
    }, this.pause);
  }
}
