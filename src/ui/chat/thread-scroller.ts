import { VirtualizerController } from '@tanstack/lit-virtual';
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { classMap } from 'lit/directives/class-map.js';
import { repeat } from 'lit/directives/repeat.js';
import type { Turn } from '../../core/turn.ts';
import type { EpisodeView } from '../../engine/contract.ts';
import type { AskRecord } from '../../store/records.ts';
import { icon } from '../design/icons.ts';
import { base, buttons, virtualLists } from '../design/shared-styles.ts';
import { formatCount, turnNumber } from '../format.ts';
import type { CiteEvent } from '../parts/markdown-text.ts';
import { measureAfterLayout } from '../parts/measure.ts';
import { type Session, SessionListener } from '../session.ts';
import { AsOfEvent } from './as-of-control.ts';
import { branchNote, branchNoteStyles, type Trunk } from './branch-note.ts';
import { editAndBranch } from './branching.ts';
import type { ChatSession } from './chat-session.ts';
import { Rows } from './rows.ts';
import { goToSource, sourcesOf } from './sources.ts';
import { strandStyles, strandView } from './strand.ts';
import { threadScrollerStyles } from './thread-scroller-styles.ts';
import { runTurnAction } from './turn-actions.ts';
import { TurnPages } from './turn-pages.ts';
import { speaker, turnStyles, turnView } from './turn-view.ts';
import './answer-view.ts';
import './ask-view.ts';
import './pending-answer.ts';

const OVERSCAN = 6;
const TURN_HEIGHT = 104;
const ASK_HEIGHT = 620;
/** Within this many pixels of the end the view follows new turns. */
const NEAR_END = 80;

/**
 * A thread as a scrolled list of turns and questions. Only the rows near the window are in the page; turns are
 * read as they come near; heights are measured. It opens at the end, and stays where it is when turns arrive.
 */
@customElement('skein-thread-scroller')
export class ThreadScroller extends LitElement {
  @property({ attribute: false }) session!: Session;
  @property({ attribute: false }) chat!: ChatSession;
  @property() threadId = '';
  @property({ type: Number }) turns = 0;
  /** Where this thread was branched off another one. */
  @property({ attribute: false }) trunk: Trunk | undefined;
  @property({ attribute: false }) asks: readonly AskRecord[] = [];
  @property({ attribute: false }) episodes: readonly EpisodeView[] = [];
  /** True while a question is being answered here: it is the last row. */
  @property({ type: Boolean }) pending = false;
  @query('.scroller') private scroller!: HTMLElement;
  private focusedRow = -1;
  @state() private flashed: number | undefined;
  @state() private awayFromEnd = false;
  /** What stays in view while heights become known and turns arrive, until the person scrolls. */
  private hold: Hold | undefined = { kind: 'end' };
  private lastTop = 0;
  private rows = new Rows(0);
  private episodesById: ReadonlyMap<number, EpisodeView> = new Map();
  /** Answered questions by the turn of their answer. */
  private answers: ReadonlyMap<number, AskRecord> = new Map();
  private readonly pages = new TurnPages(
    (from, to) => this.session.engine.readTurns(this.threadId, from, to),
    () => this.requestUpdate(),
    (error) => this.session.fail(error),
  );
  private readonly virtual = new VirtualizerController<HTMLElement, HTMLElement>(this, {
    count: 0,
    getScrollElement: () => this.scroller ?? null,
    estimateSize: (row) => (this.rows.at(row).kind === 'turn' ? TURN_HEIGHT : ASK_HEIGHT),
    getItemKey: (row) => this.rows.key(row),
    measureElement: measureAfterLayout,
    overscan: OVERSCAN,
    paddingStart: 16,
    paddingEnd: 24,
    rangeExtractor: (range) => this.withFocusedRow(range),
  });

  /** The composer grew, the window was turned: what is held stays in view. */
  private readonly resized = new ResizeObserver(() => this.keepInView());

  constructor() {
    super();
    new SessionListener(this, (event) => {
      if (event.kind !== 'turns' || event.threadId !== this.threadId) return event.kind === 'tab';
      this.pages.invalidate();
      return true;
    });
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('episodes'))
      this.episodesById = new Map(this.episodes.map((episode) => [episode.id, episode]));
    if (changed.has('asks'))
      this.answers = new Map(this.asks.flatMap((ask) => (ask.answer ? [[ask.answer.turn, ask]] : [])));
    if (changed.has('turns') || changed.has('asks') || changed.has('pending')) {
      this.rows = new Rows(this.turns, this.asks, this.pending);
      const virtualizer = this.virtual.getVirtualizer();
      // A fresh key function: the same row number may now stand for another row.
      const getItemKey = (row: number) => this.rows.key(row);
      virtualizer.setOptions({ ...virtualizer.options, count: this.rows.count, getItemKey });
    }
  }

  override firstUpdated(): void {
    this.resized.observe(this.scroller);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.resized.disconnect();
  }

  override render(): TemplateResult {
    const virtualizer = this.virtual.getVirtualizer();
    const items = virtualizer.getVirtualItems();
    return html`
      <div
        class="scroller"
        role="feed"
        aria-label="Turns of this thread"
        tabindex="0"
        @keydown=${this.onKey}
        @scroll=${this.onScroll}
        @wheel=${this.letGo}
        @touchmove=${this.letGo}
        @pointerdown=${this.letGo}
      >
        <div class="sizer" .style=${`height: ${virtualizer.getTotalSize()}px`}>
          ${repeat(
            items,
            (item) => item.key,
            (item) => this.row(item.index, item.start),
          )}
        </div>
      </div>
      ${
        this.awayFromEnd
          ? html`<button class="to-end outline" @click=${this.goToEnd}>${icon('down')} <span>To the end</span></button>`
          : nothing
      }
    `;
  }

  override updated(): void {
    const virtualizer = this.virtual.getVirtualizer();
    this.wantVisibleTurns();
    // Rows whose turn is still being read keep their estimate: the first real height is the one that counts.
    for (const row of this.renderRoot.querySelectorAll<HTMLElement>('.item:not([aria-busy="true"])')) {
      virtualizer.measureElement(row);
    }
    virtualizer.measureElement(null);
    this.keepInView();
  }

  /** Scrolls to a turn, marks it for a moment and gives it the focus. */
  async jumpToTurn(index: number): Promise<void> {
    await this.updateComplete;
    const turn = Math.min(Math.max(index, 0), this.turns - 1);
    this.flashed = undefined;
    const row = this.rows.rowOfTurn(turn);
    this.hold = { kind: 'row', key: this.rows.key(row), align: 'center' };
    await this.focusRow(row);
    this.flashed = turn;
  }

  /** Scrolls so that a question and its first episodes are in view. */
  async jumpToAsk(id: number): Promise<void> {
    await this.updateComplete;
    this.hold = { kind: 'row', key: `a${id}`, align: 'start' };
    this.requestUpdate();
  }

  /** Goes to the end and stays there as turns arrive. */
  followEnd(): void {
    this.setFocusedRow(-1);
    this.hold = { kind: 'end' };
  }

  /** Whoever followed the end stays at a question from now on, so that its answer can be read from the top. */
  restAt(turn: number): void {
    if (this.hold?.kind !== 'end') return;
    this.hold = { kind: 'row', key: `t${turn}`, align: 'start' };
    this.requestUpdate();
  }

  /** The turn at the top of the window. */
  get topTurn(): number {
    const first = this.virtual.getVirtualizer().range?.startIndex ?? 0;
    const row = this.rows.at(first);
    return row.kind === 'turn' ? row.index : this.turns;
  }

  private row(row: number, start: number): TemplateResult {
    const item = this.rows.at(row);
    const turn = item.kind === 'turn' ? this.pages.get(item.index) : undefined;
    return html`<div
      class=${classMap({ item: true, flash: item.kind === 'turn' && item.index === this.flashed })}
      role="article"
      tabindex="-1"
      data-index=${row}
      aria-posinset=${row + 1}
      aria-setsize=${this.rows.count}
      aria-label=${turn ? `Turn ${formatCount(turnNumber(turn.index))}, ${speaker(turn.role)}` : nothing}
      aria-describedby=${turn ? `text-${turn.index}` : nothing}
      aria-busy=${item.kind === 'turn' && !turn ? 'true' : nothing}
      .style=${`transform: translateY(${start}px)`}
    >
      ${item.kind === 'turn' ? strandView(item.index, this.episodes) : html`<span class="strand"></span>`}
      <div class="content" @cite=${(event: Event) => this.onCite(row, event)}>${this.content(row, turn)}</div>
    </div>`;
  }

  private content(row: number, turn: Turn | undefined): TemplateResult {
    const item = this.rows.at(row);
    switch (item.kind) {
      case 'turn':
        return turn
          ? this.turnContent(turn)
          : html`<div class="unread"><span class="visually-hidden">Reading this turn</span></div>`;
      case 'ask':
        return this.askContent(item.ask);
      case 'pending':
        return html`<skein-pending-answer .session=${this.session} .chat=${this.chat}></skein-pending-answer>`;
    }
  }

  private turnContent(turn: Turn): TemplateResult {
    const { session, chat, threadId, trunk } = this;
    const ask = this.answers.get(turn.index);
    return html`${turnView(
      turn,
      session.readOnly,
      (action, of) => runTurnAction(action, of, session, threadId),
      {
        sources: ask && sourcesOf(ask),
        onBranch: (question) =>
          void editAndBranch(session, chat, threadId, question, this.answers.get(question.index + 1)?.asOf),
        onAsOf: ({ index }) => this.dispatchEvent(new AsOfEvent({ kind: 'turn', turns: index + 1 })),
      },
    )}
    ${trunk && turn.index === trunk.turns - 1 ? branchNote(trunk) : nothing}`;
  }

  private askContent(ask: AskRecord): TemplateResult {
    const { session, chat, threadId, episodesById } = this;
    const last = !this.pending && ask.position === this.turns;
    return ask.answer
      ? html`<skein-answer
          .session=${session}
          .chat=${chat}
          .threadId=${threadId}
          .ask=${ask}
          .episodes=${episodesById}
          .last=${last}
        ></skein-answer>`
      : html`<skein-ask
          .session=${session}
          .chat=${chat}
          .threadId=${threadId}
          .ask=${ask}
          .episodes=${episodesById}
          .last=${last}
        ></skein-ask>`;
  }

  private onCite(row: number, event: Event): void {
    const item = this.rows.at(row);
    const ask = item.kind === 'turn' ? this.answers.get(item.index) : undefined;
    if (ask) goToSource(this.threadId, ask, (event as CiteEvent).number);
  }

  private wantVisibleTurns(): void {
    const items = this.virtual.getVirtualizer().getVirtualItems();
    let from = Number.POSITIVE_INFINITY;
    let to = -1;
    for (const { index } of items) {
      if (index === this.focusedRow && items.length > 1) continue;
      const row = this.rows.at(index);
      if (row.kind !== 'turn') continue;
      from = Math.min(from, row.index);
      to = Math.max(to, row.index + 1);
    }
    if (to > from) this.pages.want(from, to);
  }

  /** The rows to draw: those near the window, and the one that has the focus, which must not vanish. */
  private withFocusedRow({ startIndex, endIndex, overscan, count }: RangeLike): number[] {
    const first = Math.max(0, startIndex - overscan);
    const last = Math.min(count - 1, endIndex + overscan);
    const rows = Array.from({ length: last - first + 1 }, (_, i) => first + i);
    const focused = this.focusedRow;
    if (focused < 0 || focused >= count || (focused >= first && focused <= last)) return rows;
    return focused < first ? [focused, ...rows] : [...rows, focused];
  }

  private keepInView(): void {
    const virtualizer = this.virtual.getVirtualizer();
    if (this.hold?.kind === 'end') virtualizer.scrollToEnd();
    if (this.hold?.kind !== 'row') return;
    const row = this.rows.rowOfKey(this.hold.key);
    if (row !== undefined) virtualizer.scrollToIndex(row, { align: this.hold.align });
  }

  private setFocusedRow(row: number): void {
    this.focusedRow = row;
    const virtualizer = this.virtual.getVirtualizer();
    // A fresh function: the virtualizer remembers the rows of the one it knows.
    virtualizer.setOptions({ ...virtualizer.options, rangeExtractor: (range) => this.withFocusedRow(range) });
    this.requestUpdate();
  }

  private async focusRow(row: number): Promise<void> {
    this.setFocusedRow(row);
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>(`.item[data-index="${row}"]`)?.focus({ preventScroll: true });
  }

  private readonly onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || isTyping(event)) return;
    this.letGo();
    const current = this.focusedRow >= 0 ? this.focusedRow : this.rows.rowOfTurn(this.topTurn) - 1;
    const target = { j: current + 1, k: current - 1, Home: 0, End: this.rows.count - 1 }[event.key];
    if (target === undefined || this.rows.count === 0) return;
    event.preventDefault();
    const row = Math.min(Math.max(target, 0), this.rows.count - 1);
    this.virtual.getVirtualizer().scrollToIndex(row, { align: 'auto' });
    void this.focusRow(row);
  };

  private readonly letGo = (): void => {
    this.hold = undefined;
  };

  private readonly onScroll = (): void => {
    const { scrollHeight, scrollTop, clientHeight } = this.scroller;
    const left = scrollHeight - scrollTop - clientHeight;
    this.awayFromEnd = left > clientHeight;
    if (!this.hold && scrollTop > this.lastTop && left < NEAR_END) this.hold = { kind: 'end' };
    this.lastTop = scrollTop;
  };

  private readonly goToEnd = (): void => {
    this.followEnd();
    this.scroller.focus({ preventScroll: true });
  };

  static override readonly styles = [
    base,
    buttons,
    turnStyles,
    strandStyles,
    branchNoteStyles,
    virtualLists,
    threadScrollerStyles,
  ];
}

type Hold =
  | { readonly kind: 'end' }
  | { readonly kind: 'row'; readonly key: string; readonly align: 'start' | 'center' };

interface RangeLike {
  readonly startIndex: number;
  readonly endIndex: number;
  readonly overscan: number;
  readonly count: number;
}

/** True while the key goes into a field or presses a button inside a row. */
function isTyping(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');
}
