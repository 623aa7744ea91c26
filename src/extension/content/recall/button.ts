import type { SiteDescription } from '../../sites/site.ts';
import { HOST_ATTRIBUTE, keepInPage, make, makeHost, moveTo } from '../dom.ts';
import { composerBox, findComposer, findSendButton, isDark, isRightToLeft } from './composer.ts';
import { type Box, placeButton } from './placement.ts';
import { BASE_STYLE } from './style.ts';

const STYLE = `${BASE_STYLE}
button {
  display: flex; align-items: center; gap: 6px; height: 30px; min-width: 30px; padding: 0 8px;
  border-radius: 15px; white-space: nowrap; font-size: 13px; box-shadow: 0 1px 3px rgb(0 0 0 / 18%);
}
svg { flex: none; }
`;
const SVG = 'http://www.w3.org/2000/svg';
const CLICKABLE = 'a, button, input, select, textarea, [role="button"], [contenteditable="true"]';

/** Milliseconds between two looks at where the composer is while the page scrolls. */
const MOVING = 100;

/** The button that opens the panel: near the composer, never in the site's own tree, so that nothing moves. */
export class RecallButton {
  readonly #host: HTMLElement;
  readonly #button: HTMLButtonElement;
  readonly #hint = make('span', { hidden: true });
  readonly #resized = new ResizeObserver(() => this.#soon());
  readonly #onMove = () => this.#soon();
  #watched: Element | undefined;
  #moving: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly site: SiteDescription,
    onClick: () => void,
  ) {
    const { host, root } = makeHost('button', STYLE);
    this.#host = host;
    this.#button = make('button', { type: 'button' }, icon(), this.#hint);
    this.#button.addEventListener('click', onClick);
    // The composer keeps its caret.
    this.#button.addEventListener('pointerdown', (event) => event.preventDefault());
    root.append(this.#button);
    this.hint(0);
    addEventListener('resize', this.#onMove);
    addEventListener('scroll', this.#onMove, { capture: true, passive: true });
  }

  /** Where the button stands, for the panel. */
  get box(): Box {
    return this.#host.getBoundingClientRect();
  }

  get look(): { dark: boolean; rightToLeft: boolean } {
    const element = findComposer(this.site) ?? document.body;
    return { dark: isDark(element), rightToLeft: isRightToLeft(element) };
  }

  /** Says quietly how many episodes fit; 0 says nothing. */
  hint(episodes: number): void {
    // What must not be missed stays.
    if (this.#host.dataset.notice !== undefined) return;
    const text = episodes === 0 ? '' : episodes === 1 ? '1 episode fits' : `${episodes} episodes fit`;
    this.#hint.textContent = text;
    this.#hint.hidden = text === '';
    const name = text === '' ? 'Skein: look for earlier episodes' : `Skein: ${text}`;
    this.#button.ariaLabel = name;
    this.#button.title = name;
    this.#host.dataset.hint = String(episodes);
    this.place();
  }

  /** Says something that must not be missed; an empty text takes it back. */
  notice(text: string): void {
    if (this.#host.dataset.notice === text || (text === '' && this.#host.dataset.notice === undefined))
      return;
    delete this.#host.dataset.notice;
    this.hint(0);
    if (text !== '') {
      this.#host.dataset.notice = text;
      this.#hint.textContent = text;
      this.#hint.hidden = false;
      this.#button.ariaLabel = `Skein: ${text}`;
    }
    this.place();
  }

  /** Follows the composer to wherever the page has put it. */
  place(): void {
    keepInPage(this.#host);
    const composer = findComposer(this.site);
    const send = findSendButton(this.site);
    const box = composer && composerBox(composer, send);
    this.#watch(box);
    const { dark, rightToLeft } = this.look;
    this.#host.dataset.theme = dark ? 'dark' : 'light';
    const { width, height } = this.#button.getBoundingClientRect();
    const { left, top, where } = placeButton(
      { composer: box?.getBoundingClientRect(), send: send?.getBoundingClientRect() },
      { width: innerWidth, height: innerHeight, rightToLeft },
      { width, height },
      isFree,
    );
    this.#host.dataset.where = where;
    moveTo(this.#host, { left, top });
  }

  remove(): void {
    this.#host.remove();
    this.#resized.disconnect();
    clearTimeout(this.#moving);
    removeEventListener('resize', this.#onMove);
    removeEventListener('scroll', this.#onMove, { capture: true });
  }

  #watch(box: Element | undefined): void {
    if (box === this.#watched) return;
    this.#resized.disconnect();
    if (box) this.#resized.observe(box);
    this.#watched = box;
  }

  #soon(): void {
    this.#moving ??= setTimeout(() => {
      this.#moving = undefined;
      this.place();
    }, MOVING);
  }
}

function isFree(x: number, y: number): boolean {
  const top = document.elementsFromPoint(x, y).find((element) => !element.hasAttribute(HOST_ATTRIBUTE));
  return !top?.closest(CLICKABLE);
}

/** A strand with a knot. */
function icon(): SVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  for (const [name, value] of Object.entries({
    width: '16',
    height: '16',
    viewBox: '0 0 16 16',
    fill: 'none',
  }))
    svg.setAttribute(name, value);
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', 'M2 11c3 0 3-6 6-6s3 6 6 6M2 5c3 0 3 6 6 6s3-6 6-6');
  path.setAttribute('stroke', 'currentColor');
  path.setAttribute('stroke-width', '1.6');
  path.setAttribute('stroke-linecap', 'round');
  svg.append(path);
  return svg;
}
