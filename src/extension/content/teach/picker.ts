import { HOST_ATTRIBUTE, keepInPage, make, makeHost } from '../dom.ts';
import { BASE_STYLE } from '../recall/style.ts';

const STYLE = `${BASE_STYLE}
:host { inset: 0; pointer-events: none; }
.bar {
  pointer-events: auto; position: fixed; top: 8px; left: 50%; transform: translateX(-50%);
  width: min(40rem, calc(100vw - 16px)); display: flex; gap: 8px; align-items: center; flex-wrap: wrap;
  padding: 8px 16px; background: var(--surface); border: 2px solid var(--woad); border-radius: 14px;
  box-shadow: 0 8px 28px rgb(0 0 0 / 24%);
}
.bar.low { top: auto; bottom: 8px; }
.bar p { flex: 1; margin: 0; }
.outline { position: fixed; border: 2px solid #15566a; background: rgb(21 86 106 / 14%); border-radius: 4px; }
.outline.second { border-color: #8a6d00; background: rgb(244 223 134 / 24%); }
`;
/** What a page must not see while a person points at it. */
const POINTING = [
  'pointerdown',
  'pointerup',
  'mousedown',
  'mouseup',
  'click',
  'dblclick',
  'contextmenu',
] as const;
/** Elements outlined at once at most. */
const OUTLINES = 60;

export type Picked = Element | 'skipped' | 'confirmed' | 'cancelled';

/** Lets a person point at elements of the page: hovering outlines, a click picks, Escape cancels. */
export class Picker {
  readonly #host: HTMLElement;
  readonly #text = make('p', { attributes: { role: 'status' } });
  readonly #buttons = make('span');
  readonly #outlines = make('div');
  #settle: ((picked: Picked) => void) | undefined;
  #isPicking = false;
  readonly #onPoint = (event: Event) => this.#point(event);
  readonly #onHover = (event: Event) => this.#hover(event);
  readonly #onKey = (event: KeyboardEvent) => this.#key(event);

  constructor() {
    const { host, root } = makeHost('teach', STYLE);
    this.#host = host;
    const bar = make('div', {
      className: 'bar',
      attributes: { role: 'dialog', 'aria-label': 'Teach Skein this site' },
    });
    const move = make('button', {
      type: 'button',
      textContent: 'Move',
      title: 'Move this bar out of the way',
    });
    move.addEventListener('click', () => bar.classList.toggle('low'));
    bar.append(this.#text, this.#buttons, move);
    root.append(this.#outlines, bar);
    keepInPage(host);
    // A key is heard wherever the focus is, in our bar or in the page.
    root.addEventListener('keydown', (event) => this.#onKey(event as KeyboardEvent));
    addEventListener('keydown', this.#onKey, true);
    for (const type of POINTING) addEventListener(type, this.#onPoint, true);
    addEventListener('pointermove', this.#onHover, true);
  }

  /** Asks for one element. */
  pick(text: string, canSkip = false): Promise<Picked> {
    this.#isPicking = true;
    const choices: [string, Picked][] = [['Cancel', 'cancelled']];
    return this.#ask(text, canSkip ? [['Skip', 'skipped'], ...choices] : choices);
  }

  /** Asks whether what is outlined is right; false starts again. */
  async confirm(text: string): Promise<boolean | 'cancelled'> {
    this.#isPicking = false;
    const answer = await this.#ask(text, [
      ['That is right', 'confirmed'],
      ['Start again', 'skipped'],
      ['Cancel', 'cancelled'],
    ]);
    return answer === 'cancelled' ? answer : answer === 'confirmed';
  }

  /** Says something that a person has to have read. */
  async tell(text: string): Promise<void> {
    this.#isPicking = false;
    await this.#ask(text, [['Close', 'confirmed']]);
  }

  outline(elements: readonly Element[], second: readonly Element[] = []): void {
    const box = (element: Element, className: string) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      const outline = make('div', { className });
      Object.assign(outline.style, {
        left: `${left}px`,
        top: `${top}px`,
        width: `${width}px`,
        height: `${height}px`,
      });
      return outline;
    };
    this.#outlines.replaceChildren(
      ...elements.slice(0, OUTLINES).map((element) => box(element, 'outline')),
      ...second.slice(0, OUTLINES).map((element) => box(element, 'outline second')),
    );
  }

  close(): void {
    this.#settle?.('cancelled');
    this.#host.remove();
    removeEventListener('keydown', this.#onKey, true);
    for (const type of POINTING) removeEventListener(type, this.#onPoint, true);
    removeEventListener('pointermove', this.#onHover, true);
  }

  #ask(text: string, choices: readonly [string, Picked][]): Promise<Picked> {
    this.#text.textContent = text;
    this.#buttons.replaceChildren(
      ...choices.map(([label, picked]) => {
        const button = make('button', { type: 'button', textContent: label });
        button.addEventListener('click', () => this.#settle?.(picked));
        return button;
      }),
    );
    return new Promise((resolve) => {
      this.#settle = (picked) => {
        this.#settle = undefined;
        this.outline([]);
        resolve(picked);
      };
    });
  }

  #point(event: Event): void {
    const element = this.#elementOf(event);
    if (!element || !this.#isPicking) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.type === 'click') this.#settle?.(element);
  }

  #hover(event: Event): void {
    const element = this.#elementOf(event);
    if (this.#isPicking) this.outline(element ? [element] : []);
  }

  #key(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.#settle?.('cancelled');
  }

  /** The page's element under the pointer; undefined over our own bar. */
  #elementOf({ target }: Event): Element | undefined {
    return target instanceof Element && !target.hasAttribute(HOST_ATTRIBUTE) ? target : undefined;
  }
}
