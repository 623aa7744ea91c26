import type { SkeinError } from '../../core/errors.ts';
import type { CaptureState, OfferedEpisode, PageReport, PageState } from '../messages.ts';
import type { SiteDescription } from '../sites/site.ts';
import { Capture } from './capture/capture.ts';
import { type CaptureTimes, captureTimes } from './capture/capture-times.ts';
import { Outbox } from './capture/outbox.ts';
import { ExtensionGoneError, type ExtensionPort } from './extension-port.ts';
import { markedMemory, withoutMarked } from './mark.ts';
import { watchedAttributes } from './read/page-turns.ts';
import { PageWatcher } from './read/page-watcher.ts';
import { SiteCheck } from './read/site-check.ts';
import { RecallButton } from './recall/button.ts';
import { composerText, findComposer } from './recall/composer.ts';
import { type Insertion, insertBefore } from './recall/insert.ts';
import { RecallPanel } from './recall/panel.ts';
import { Writing } from './recall/writing.ts';

export interface PageTimes extends Partial<CaptureTimes> {
  quiet?: number;
  pause?: number;
  check?: number;
  /** Milliseconds before what was not kept is sent again. */
  again?: number;
}

/** Milliseconds until a state that was not answered is asked for again. */
const ASK_AGAIN = 2_000;

/** Everything Skein does on one page of a known site: capture, the button, the hint, the panel. */
export class PageSession {
  readonly capture: Capture;
  readonly #watcher: PageWatcher;
  readonly #outbox: Outbox;
  readonly #button: RecallButton;
  readonly #panel: RecallPanel;
  readonly #writing: Writing;
  readonly #check: SiteCheck;
  readonly #onHide = () => {
    this.capture.leave();
    this.#outbox.hurry();
  };
  /** A page that comes back as it was left heard nothing meanwhile: what holds now is asked for. */
  readonly #onShow = ({ persisted }: PageTransitionEvent) => {
    if (!persisted) return;
    this.#conversation = undefined;
    void this.#look();
  };
  #conversation: string | undefined;
  #state: PageState = { capture: 'off', kept: 0 };
  /** Counts recalls, so that a late answer to an earlier one is not shown. */
  #recalls = 0;
  #stopped = false;

  constructor(
    readonly site: SiteDescription,
    private readonly port: ExtensionPort,
    times: PageTimes = {},
  ) {
    this.#watcher = new PageWatcher(() => void this.#look(), {
      attributes: watchedAttributes(site),
      ...(times.quiet !== undefined && { quiet: times.quiet }),
    });
    const events = {
      kept: (conversation: string, added: number) => this.#kept(conversation, added),
      failed: (error: SkeinError) => this.#failed(error),
      gone: () => this.#gone(),
    };
    this.#outbox = new Outbox(port, events, times.again);
    this.capture = new Capture(site, this.#watcher, this.#outbox, { ...captureTimes(site), ...times });
    this.#button = new RecallButton(site, () => void this.recall());
    this.#panel = new RecallPanel(site.name, {
      insert: (text) => this.#insert(text),
      setCapture: (capture) => this.#setCapture(capture),
      openSidePanel: () => void this.#ask({ kind: 'open-panel' }),
      closed: () => findComposer(site)?.focus(),
    });
    this.#writing = new Writing(site, (composer) => void this.#hint(composer), times.pause);
    this.#check = new SiteCheck(site, this.#watcher, times.check);
    addEventListener('pagehide', this.#onHide);
    addEventListener('pageshow', this.#onShow);
    void this.#look();
  }

  /** What stands on the page, for the side panel. */
  report(): PageReport {
    const composer = findComposer(this.site);
    return { text: composer ? withoutMarked(composerText(composer)) : '' };
  }

  /** Opens the panel with the episodes that fit what is being written. */
  async recall(): Promise<void> {
    if (this.#stopped) return;
    if (this.#panel.isOpen) {
      this.#panel.close();
      return;
    }
    const { text } = this.report();
    this.#panel.open(this.#button.box, this.#button.look);
    if (text === '') {
      this.#panel.say('Write something first; episodes that fit it are offered here.');
      return;
    }
    const recall = ++this.#recalls;
    try {
      const { episodes } = await this.port.request({ kind: 'recall', text });
      if (recall === this.#recalls && this.#panel.isOpen) this.#panel.show(episodes);
    } catch (error) {
      if (error instanceof ExtensionGoneError) this.#gone();
      else if (recall === this.#recalls) this.#panel.fail(error);
    }
  }

  /** Inserts what was ticked elsewhere. */
  async insertEpisodes(episodes: readonly OfferedEpisode[]): Promise<boolean> {
    return (await this.#insert(markedMemory(episodes))) === 'inserted';
  }

  setState(state: PageState): void {
    const began = this.capture.state !== state.capture;
    // What was said in a pause is noted as such before it ends.
    if (began && this.capture.state === 'paused') this.capture.leave();
    this.#state = state;
    this.capture.state = state.capture;
    this.#panel.showCapture(state);
    if (state.capture !== 'on') this.#button.hint(0);
    if (began && state.capture === 'off') this.#forget();
    if (began && state.capture === 'on') this.#outbox.hurry();
    if (began) void this.capture.look();
  }

  stop(): void {
    this.#stopped = true;
    this.capture.state = 'off';
    this.#watcher.stop();
    this.#writing.stop();
    this.#outbox.clear();
    this.#button.remove();
    this.#panel.remove();
    removeEventListener('pagehide', this.#onHide);
    removeEventListener('pageshow', this.#onShow);
  }

  async #look(): Promise<void> {
    if (this.#stopped) return;
    this.#button.place();
    await this.#enter(this.capture.conversation);
    if (this.#stopped) return;
    const missing = this.#check.missing();
    if (missing) void this.#ask({ kind: 'site-changed', site: this.site.id, missing });
    await this.capture.look();
    // One without an address was named just now, or gave way to another.
    if (this.#conversation !== undefined) await this.#enter(this.capture.conversation);
  }

  /** The page shows this conversation, which the extension is told. */
  async #enter(conversation: string): Promise<void> {
    if (this.#stopped || conversation === this.#conversation) return;
    this.#conversation = conversation;
    this.#check.enter(conversation);
    const state = await this.#ask({ kind: 'page-state', site: this.site.id, conversation });
    if (this.#stopped) return;
    if (state) this.setState(state);
    else this.#askAgain();
  }

  /** Nothing captured waits or is known any more: it may just have been deleted. */
  #forget(): void {
    this.#outbox.clear();
    this.capture.forget();
  }

  /** The background worker may just have been stopped: without its word nothing is captured. */
  #askAgain(): void {
    this.#conversation = undefined;
    this.#watcher.lookAfter(ASK_AGAIN);
  }

  /** Asks the extension; undefined where it did not answer, which no one waits for. */
  async #ask<K extends 'page-state' | 'site-changed' | 'open-panel' | 'hint'>(
    request: Extract<Parameters<ExtensionPort['request']>[0], { kind: K }>,
  ) {
    try {
      return await this.port.request<K>(request);
    } catch (error) {
      if (error instanceof ExtensionGoneError) this.#gone();
      return undefined;
    }
  }

  async #hint(composer: HTMLElement): Promise<void> {
    if (this.#stopped || this.#state.capture !== 'on') return;
    const text = withoutMarked(composerText(composer));
    const answer = text === '' ? undefined : await this.#ask({ kind: 'hint', text });
    if (!this.#stopped) this.#button.hint(answer?.episodes ?? 0);
  }

  async #insert(text: string): Promise<Insertion> {
    await this.#writing.written();
    return insertBefore(() => findComposer(this.site), text);
  }

  async #setCapture(capture: CaptureState): Promise<void> {
    try {
      this.setState(await this.port.request({ kind: 'set-capture', site: this.site.id, capture }));
    } catch (error) {
      this.#panel.fail(error);
    }
  }

  #kept(conversation: string, added: number): void {
    if (this.#stopped) return;
    this.#button.notice('');
    if (conversation !== this.#conversation) return;
    this.#state = { ...this.#state, kept: this.#state.kept + added };
    this.#panel.showCapture(this.#state);
  }

  #failed(error: SkeinError): void {
    if (this.#stopped) return;
    // Switched off meanwhile: what waits is refused, and comes once it is on again.
    if (this.#state.capture !== 'on') return;
    this.#button.notice(`Not kept yet: ${error.message}`);
  }

  /** The extension went away: everything stops, and the button says what helps. */
  #gone(): void {
    if (this.#stopped) return;
    const { message, remedy } = new ExtensionGoneError();
    this.#stopped = true;
    this.capture.state = 'off';
    this.#watcher.stop();
    this.#writing.stop();
    this.#outbox.clear();
    this.#panel.remove();
    this.#button.notice(`${message} ${remedy}`);
  }
}
