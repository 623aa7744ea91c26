import { toSkeinError } from '../../../core/errors.ts';
import { unreachable } from '../../../core/unreachable.ts';
import type { CaptureState, OfferedEpisode, PageState } from '../../messages.ts';
import { keepInPage, make, makeHost, moveTo } from '../dom.ts';
import { markedMemory } from '../mark.ts';
import { copyText } from './copy.ts';
import { episodeList } from './episode-list.ts';
import type { Insertion } from './insert.ts';
import { type Box, placePanel } from './placement.ts';
import { BASE_STYLE } from './style.ts';

const STYLE = `${BASE_STYLE}
:host { width: min(26rem, calc(100vw - 16px)); }
section {
  display: flex; flex-direction: column; max-height: min(60vh, 34rem); background: var(--surface);
  border: 1px solid var(--line); border-radius: 14px; box-shadow: 0 8px 28px rgb(0 0 0 / 24%); overflow: hidden;
}
header, footer, .capture { display: flex; gap: 8px; align-items: center; padding: 8px 12px; flex-wrap: wrap; }
header { border-block-end: 1px solid var(--line); }
h2 { font-size: 15px; margin: 0; flex: 1; }
footer, .capture { border-block-start: 1px solid var(--line); }
.capture { color: var(--soft); font-size: 13px; }
.capture span, .space { flex: 1; }
.capture div { display: flex; gap: 8px; }
ul { list-style: none; margin: 0; padding: 0 12px; overflow-y: auto; }
li { padding: 8px 0; border-block-end: 1px solid var(--line); }
li:last-child { border: 0; }
.choice { display: flex; gap: 8px; align-items: baseline; }
label { cursor: pointer; overflow-wrap: anywhere; }
details { margin-inline-start: 22px; color: var(--soft); font-size: 13px; }
details p { white-space: pre-wrap; overflow-wrap: anywhere; margin: 4px 0; color: var(--ink); }
[role="status"] { margin: 0; padding: 0 12px; }
[role="status"]:not(:empty) { padding-block: 12px; }
.failed { color: var(--madder); }
`;

/** What the panel asks of the page. */
export interface PanelActions {
  insert(text: string): Promise<Insertion>;
  setCapture(capture: CaptureState): Promise<void>;
  openSidePanel(): void;
  /** The panel closed; the composer gets the focus back. */
  closed(): void;
}

/** The episodes that fit what is being written, to tick and to insert. */
export class RecallPanel {
  readonly #host: HTMLElement;
  readonly #root: ShadowRoot;
  readonly #status = make('p', { attributes: { role: 'status' } });
  readonly #list = make('div', { attributes: { style: 'display: contents' } });
  readonly #insert = make('button', { className: 'main', textContent: 'Insert', type: 'button' });
  readonly #copy = make('button', { textContent: 'Copy instead', type: 'button', hidden: true });
  readonly #captureText = make('span');
  readonly #captureButtons = make('div');
  #ticked: readonly OfferedEpisode[] = [];
  #anchor: Box | undefined;
  #rightToLeft = false;

  constructor(
    siteName: string,
    private readonly actions: PanelActions,
  ) {
    const { host, root } = makeHost('panel', STYLE);
    this.#host = host;
    this.#root = root;
    host.hidden = true;
    const close = make('button', { textContent: '✕', type: 'button', ariaLabel: 'Close' });
    const side = make('button', { textContent: 'Side panel', type: 'button' });
    close.addEventListener('click', () => this.close());
    side.addEventListener('click', () => actions.openSidePanel());
    this.#insert.addEventListener('click', () => void this.#insertTicked());
    this.#copy.addEventListener('click', () => void this.#copyTicked());
    root.addEventListener('keydown', (event) => this.#onKey(event as KeyboardEvent));
    root.append(
      make(
        'section',
        { attributes: { role: 'dialog', 'aria-label': `Skein: earlier episodes for ${siteName}` } },
        make('header', {}, make('h2', { textContent: 'Earlier episodes that fit' }), close),
        this.#status,
        this.#list,
        make('footer', {}, this.#insert, this.#copy, make('span', { className: 'space' }), side),
        make('div', { className: 'capture' }, this.#captureText, this.#captureButtons),
      ),
    );
  }

  get isOpen(): boolean {
    return !this.#host.hidden && this.#host.isConnected;
  }

  /** Opens beside `anchor` and waits for `show` or `fail`. */
  open(anchor: Box, look: { dark: boolean; rightToLeft: boolean }): void {
    this.#anchor = anchor;
    this.#rightToLeft = look.rightToLeft;
    this.#host.dataset.theme = look.dark ? 'dark' : 'light';
    this.#host.dir = look.rightToLeft ? 'rtl' : 'ltr';
    this.#host.dataset.state = 'loading';
    this.#host.hidden = false;
    keepInPage(this.#host);
    this.#clear();
    this.say('Looking for episodes …');
    (this.#root.querySelector('header button') as HTMLElement).focus();
    this.#place();
  }

  show(episodes: readonly OfferedEpisode[]): void {
    this.#clear();
    this.#host.dataset.state = 'ready';
    this.say(episodes.length === 0 ? 'No earlier episode fits.' : '');
    if (episodes.length > 0) {
      this.#list.replaceChildren(episodeList(episodes, (ticked) => this.#tick(ticked)));
      (this.#root.querySelector('input') as HTMLElement | null)?.focus();
    }
    this.#place();
  }

  /** Says what went wrong and what to do about it. */
  fail(error: unknown): void {
    const { message, remedy } = toSkeinError(error);
    this.#host.dataset.state = 'failed';
    this.say(`${message} ${remedy}`.trim(), true);
    this.#place();
  }

  say(text: string, failed = false): void {
    this.#status.textContent = text;
    this.#status.className = failed ? 'failed' : '';
  }

  /** Shows what is captured on this site, and what can be done about it. */
  showCapture({ capture, kept }: PageState): void {
    const [text, ...choices] = captureChoices(capture, kept);
    this.#captureText.textContent = text;
    this.#captureButtons.replaceChildren(
      ...choices.map(([label, next]) => {
        const button = make('button', { textContent: label, type: 'button' });
        button.addEventListener('click', () => void this.actions.setCapture(next));
        return button;
      }),
    );
  }

  close(): void {
    if (!this.isOpen) return;
    this.#host.hidden = true;
    this.#clear();
    this.actions.closed();
  }

  remove(): void {
    this.#host.remove();
  }

  #clear(): void {
    this.#list.replaceChildren();
    this.#copy.hidden = true;
    this.#tick([]);
  }

  #tick(ticked: readonly OfferedEpisode[]): void {
    this.#ticked = ticked;
    this.#insert.disabled = ticked.length === 0;
  }

  #onKey(event: KeyboardEvent): void {
    if (event.key === 'Escape') this.close();
    // Enter on a tick box inserts, as it would submit a form.
    else if (event.key === 'Enter' && event.target instanceof HTMLInputElement) void this.#insertTicked();
    else return;
    event.preventDefault();
  }

  async #insertTicked(): Promise<void> {
    if (this.#ticked.length === 0 || this.#insert.disabled) return;
    const ticked = this.#ticked;
    this.#insert.disabled = true;
    const outcome = await this.actions.insert(markedMemory(ticked));
    this.#insert.disabled = false;
    switch (outcome) {
      case 'inserted':
        return this.close();
      case 'unchanged':
        this.say('The composer did not take the text. Copy it and paste it yourself.', true);
        break;
      case 'changed':
        this.say(
          'The composer changed the text. Undo it there, or copy the text and paste it yourself.',
          true,
        );
        break;
      default:
        unreachable(outcome);
    }
    this.#copy.hidden = false;
    this.#copy.focus();
  }

  async #copyTicked(): Promise<void> {
    const copied = await copyText(markedMemory(this.#ticked), this.#root);
    this.say(
      copied ? 'Copied. Paste it into the composer.' : 'The page forbids copying. Use the side panel.',
      !copied,
    );
  }

  #place(): void {
    if (!this.#anchor) return;
    const { width, height } = this.#host.getBoundingClientRect();
    const view = { width: innerWidth, height: innerHeight, rightToLeft: this.#rightToLeft };
    moveTo(this.#host, placePanel(this.#anchor, view, { width, height }));
  }
}

/** What is said of a state, and the states that can be chosen. */
function captureChoices(capture: CaptureState, kept: number): [string, ...[string, CaptureState][]] {
  switch (capture) {
    case 'off':
      return ['Nothing is captured on this site.', ['Turn capture on', 'on']];
    case 'on':
      return [`Captured on this device: ${kept} turns here.`, ['Pause', 'paused'], ['Turn off', 'off']];
    case 'paused':
      return ['Capture is paused.', ['Go on', 'on'], ['Turn off', 'off']];
    default:
      return unreachable(capture);
  }
}
