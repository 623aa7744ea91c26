import type { CapturedTurn, CaptureState } from '../../messages.ts';
import { conversationAt } from '../../sites/index.ts';
import type { SiteDescription } from '../../sites/site.ts';
import { withoutMarked } from '../mark.ts';
import { changedTurns, isBusy, messageId, type PageTurn, pageTurns } from '../read/page-turns.ts';
import type { PageWatcher } from '../read/page-watcher.ts';
import { isBeingEdited, turnText } from '../read/turn-text.ts';
import { type CaptureTimes, captureTimes } from './capture-times.ts';
import { Conversations } from './conversations.ts';
import { type KnownTurns, turnHash } from './known-turns.ts';
import type { Outbox } from './outbox.ts';

/** Milliseconds of work after which the page gets its turn. */
const SLICE = 8;
/** Milliseconds after which turns that still stand from the conversation before are taken for this one's. */
const LINGER = 5_000;
/** The same where new turns stand beside them: longer than one list takes to fade into the other. */
const FADE = 1_500;

/** What is known of an element that shows a turn. */
interface Seen {
  conversation: KnownTurns;
  hash: string;
  /** What the site calls the message. */
  id: string | undefined;
  /** Undefined until the turn is complete. */
  key: string | undefined;
  changedAt: number;
}

interface Reading extends PageTurn {
  seen: Seen;
  /** Read in this look; not kept beyond it. */
  text: string | undefined;
}

/**
 * Reads completed turns off the page and hands them to the outbox. Off until `state` says otherwise; while paused,
 * what is said is remembered by its hash alone, so that it is not captured afterwards either.
 */
export class Capture {
  state: CaptureState = 'off';
  /** How often a turn was read: for a test that work does not grow with every piece of an answer. */
  reads = 0;

  readonly #conversations = new Conversations();
  #seen = new WeakMap<Element, Seen>();
  #looking = false;
  #lookAgain = false;

  constructor(
    private readonly site: SiteDescription,
    private readonly watcher: PageWatcher,
    private readonly outbox: Outbox,
    private readonly times: CaptureTimes = captureTimes(site),
  ) {}

  /** What the page's conversation is called; empty where nothing names it yet. */
  get conversation(): string {
    return this.#conversations.nameAt(conversationAt(this.site, location.href));
  }

  /** What was captured is as if it had not been: it is captured again where it is shown once capture is on again. */
  forget(): void {
    this.#conversations.forget();
    this.#seen = new WeakMap();
  }

  /** Reads what changed since the last look. */
  async look(): Promise<void> {
    if (this.state === 'off') {
      this.watcher.takeChanged();
      return;
    }
    this.#lookAgain = true;
    if (this.#looking) return;
    this.#looking = true;
    try {
      while (this.#lookAgain) {
        this.#lookAgain = false;
        await this.#look(SLICE);
      }
    } finally {
      this.#looking = false;
    }
  }

  /** Reads what is complete before the page goes away; a half-written answer stays behind. */
  leave(): void {
    if (this.state !== 'off') void this.#look(Number.POSITIVE_INFINITY, true);
  }

  async #look(slice: number, leaving = false): Promise<void> {
    let start = performance.now();
    const turns = pageTurns(this.site);
    const changed = changedTurns(turns, this.watcher.takeChanged());
    this.#enter(turns, changed);
    const conversation = this.#known;
    const readings: Reading[] = [];
    const left: Element[] = [];
    for (const turn of turns) {
      const reading = this.#read(turn, changed.has(turn.element));
      if (reading === 'later') break;
      if (reading === 'left') left.push(turn.element);
      else if (reading !== 'none') readings.push(reading);
      if (performance.now() - start < slice) continue;
      await new Promise((resolve) => setTimeout(resolve));
      start = performance.now();
    }
    if (left.length > 0) this.#take(left, readings.length > 0);
    else if (conversation === this.#known) this.#hand(this.#complete(readings, leaving));
  }

  /** Notices that the page shows another conversation. */
  #enter(turns: readonly PageTurn[], changed: ReadonlySet<Element>): void {
    const address = conversationAt(this.site, location.href);
    this.#conversations.enter(address, (known) =>
      turns.some(({ element }) => this.#seen.get(element)?.conversation === known),
    );
    const { name } = this.#conversations;
    if (address === '' && name !== '' && !this.#goesOn(turns, changed)) this.#conversations.beginAnew();
  }

  /**
   * Whether the page still shows the conversation without an address: one of its questions in the same element, or
   * with an answer that it had.
   */
  #goesOn(turns: readonly PageTurn[], changed: ReadonlySet<Element>): boolean {
    const hashOf = (turn: PageTurn) => {
      const seen = changed.has(turn.element) ? undefined : this.#seen.get(turn.element);
      return seen?.hash ?? turnHash(turn.role, this.#textOf(turn));
    };
    return turns.some((turn, at) => {
      if (turn.role !== 'user') return false;
      const hash = hashOf(turn);
      if (!this.#known.has(hash)) return false;
      const seen = this.#seen.get(turn.element);
      if (seen?.conversation === this.#known && seen.hash === hash) return true;
      const next = turns[at + 1];
      return next?.role === 'model' && this.#known.has(hashOf(next));
    });
  }

  get #known(): KnownTurns {
    return this.#conversations.known;
  }

  /**
   * `none` where nothing was said, `left` where the turn stands from another conversation, `later` where it is not
   * there yet.
   */
  #read(turn: PageTurn, hasChanged: boolean): Reading | 'none' | 'left' | 'later' {
    const seen = this.#seen.get(turn.element);
    const isOurs = seen?.conversation === this.#known;
    if (seen?.key !== undefined && isOurs) {
      const isBusyWith = turn.role === 'user' && hasChanged && isBeingEdited(turn.element);
      if (!hasChanged || isBusyWith) return { ...turn, seen, text: undefined };
    } else if (turn.role === 'user' && isBeingEdited(turn.element)) return 'later';
    const text = this.#textOf(turn);
    const hash = turnHash(turn.role, text);
    const id = messageId(turn.element, this.site);
    const isSame = seen?.hash === hash;
    if (isSame && !isOurs && seen.id === id) return 'left';
    const changedAt = isSame && !hasChanged ? seen.changedAt : this.watcher.lastChange;
    const key = isSame && isOurs ? seen.key : undefined;
    const next: Seen = { conversation: this.#known, hash, id, key, changedAt };
    this.#seen.set(turn.element, next);
    return text === '' ? 'none' : { ...turn, seen: next, text };
  }

  /**
   * Turns from the conversation before stay a while after the address has changed. Where they stay for good, the site
   * put them to use again.
   */
  #take(left: readonly Element[], amongNew: boolean): void {
    const wait = this.#conversations.enteredAt + (amongNew ? FADE : LINGER) - performance.now();
    if (wait > 0) {
      this.watcher.lookAfter(wait);
      return;
    }
    for (const element of left) this.#seen.delete(element);
    this.#lookAgain = true;
    if (!this.#looking) void this.look();
  }

  #textOf({ element }: PageTurn): string {
    this.reads++;
    return withoutMarked(turnText(element, this.site.leaveOut));
  }

  /** The turns up to the first that is still being written. */
  #complete(readings: readonly Reading[], leaving: boolean): readonly Reading[] {
    const lastQuestion = readings.findLastIndex(({ role }) => role === 'user');
    const from = Math.max(lastQuestion, 0);
    if (leaving) {
      // Without a marker for a busy page, only stillness tells that an answer is complete.
      const isUnmarked = this.site.selectors.busy.length === 0;
      const isOpen = isBusy(this.site) || (isUnmarked && this.#waitFor(readings.slice(from)) > 0);
      return readings.slice(0, isOpen ? from + 1 : undefined);
    }
    const wait = this.#waitFor(readings.slice(from));
    if (wait <= 0) return readings;
    this.watcher.lookAfter(wait);
    return readings.slice(0, from);
  }

  /** Milliseconds until the last exchange may count as complete. */
  #waitFor(exchange: readonly Reading[]): number {
    if (exchange.every(({ seen }) => seen.key !== undefined)) return 0;
    const { settled, unanswered, stuck, unnamed } = this.times;
    const still = performance.now() - Math.max(...exchange.map(({ seen }) => seen.changedAt));
    const isAnswered = exchange.some(({ role }) => role === 'model');
    const needed = isBusy(this.site) ? stuck : isAnswered ? settled : unanswered;
    const mayBeNamed = this.#conversations.name === '' && this.site.namedByContent;
    return Math.max(needed, mayBeNamed ? unnamed : 0) - still;
  }

  #hand(readings: readonly Reading[]): void {
    // Switched off while a long page was being read.
    if (this.state === 'off') return;
    if (this.#conversations.name === '') this.#callByContent(readings);
    // What belongs to no conversation yet is named once it does, if it still stands there.
    const { name: conversation } = this.#conversations;
    if (conversation === '' && this.state === 'on') return;
    const named = this.#known.name(
      readings.map(({ role, seen }) => ({
        role,
        hash: seen.hash,
        id: seen.id,
        known: seen.key,
      })),
      this.state === 'paused',
    );
    const at = Date.now();
    const news: CapturedTurn[] = [];
    for (const [index, { key, after, isNews }] of named.entries()) {
      const reading = readings[index]!;
      reading.seen.key = key;
      if (!isNews) continue;
      news.push({ key, role: reading.role, text: reading.text ?? this.#textOf(reading), after, at });
    }
    if (news.length === 0) return;
    const { id: site } = this.site;
    const { title } = document;
    this.outbox.add({ site, conversation, title }, news);
  }

  /** Where the address names no conversation, its first exchange may. */
  #callByContent(readings: readonly Reading[]): void {
    if (!this.site.namedByContent) return;
    const question = readings.findIndex(({ role }) => role === 'user');
    const answer = readings.slice(question + 1).find(({ role }) => role === 'model');
    if (question < 0 || !answer) return;
    this.#conversations.call(`~${readings[question]!.seen.hash}~${answer.seen.hash}`);
    for (const { seen } of readings) seen.conversation = this.#known;
  }
}
