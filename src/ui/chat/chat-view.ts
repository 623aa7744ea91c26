import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import type { EpisodeView, ThreadView } from '../../engine/contract.ts';
import type { AskRecord } from '../../store/records.ts';
import { base, buttons } from '../design/shared-styles.ts';
import { counted, turnSpan } from '../format.ts';
import { type Session, type SessionEvent, SessionListener } from '../session.ts';
import type { AsOfEvent } from './as-of-control.ts';
import type { AskAgainEvent } from './ask-view.ts';
import type { Trunk } from './branch-note.ts';
import { trunkOf } from './branching.ts';
import { ChatListener, type ChatRun, type ChatSession, keptIn } from './chat-session.ts';
import type { Composer, ModeEvent } from './composer.ts';
import { shownVersion } from './sources.ts';
import type { ThreadScroller } from './thread-scroller.ts';
import './composer.ts';
import './ingest-bar.ts';
import './thread-scroller.ts';

/** One thread: its turns and questions, and the composer beneath. */
@customElement('skein-chat-view')
export class ChatView extends LitElement {
  @property({ attribute: false }) session!: Session;
  @property({ attribute: false }) chat!: ChatSession;
  @property({ attribute: false }) thread!: ThreadView;
  /** The turn that the address names. */
  @property({ attribute: false }) target: number | undefined;
  @state() private asks: readonly AskRecord[] = [];
  @state() private episodes: readonly EpisodeView[] = [];
  @state() private questions: readonly string[] = [];
  @state() private adding = false;
  @state() private said = '';
  private trunk: Trunk | undefined;
  /** The run as it was when the chat last changed. */
  private seen: ChatRun | undefined;
  private turnsBefore: number | undefined;
  private shown: { asks: readonly AskRecord[]; hidden: number; rest: readonly AskRecord[] } | undefined;
  @query('skein-thread-scroller') private scroller!: ThreadScroller;
  @query('skein-composer') private composer!: Composer;

  constructor() {
    super();
    new SessionListener(this, (event) => this.onSession(event));
    new ChatListener(this, () => this.onChat());
  }

  /** The question under way in this thread. */
  private get run(): ChatRun | undefined {
    const { run } = this.chat;
    return run?.threadId === this.thread.id ? run : undefined;
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('thread')) this.trunk = trunkOf(this.session, this.thread);
  }

  override firstUpdated(): void {
    void this.load();
  }

  override updated(changed: PropertyValues<this>): void {
    if (changed.has('target') && this.target !== undefined) void this.scroller?.jumpToTurn(this.target);
  }

  override render(): TemplateResult {
    const { session, chat, thread, run } = this;
    const empty = thread.turns === 0 && this.asks.length === 0 && run === undefined;
    return html`
      <skein-ingest-bar .session=${session} .threadId=${thread.id}></skein-ingest-bar>
      ${
        empty
          ? this.emptyThread()
          : html`<skein-thread-scroller
              .session=${session}
              .chat=${chat}
              .threadId=${thread.id}
              .turns=${this.shownTurns()}
              .trunk=${this.trunk}
              .asks=${this.shownAsks()}
              .episodes=${this.episodes}
              .pending=${run !== undefined}
              @ask-again=${this.onAskAgain}
              @as-of=${this.onAsOf}
            ></skein-thread-scroller>`
      }
      <footer>
        ${this.examples()}
        <skein-composer
          .session=${session}
          .chat=${chat}
          .threadId=${thread.id}
          .turns=${thread.turns}
          .mode=${thread.turns === 0 && !chat.model ? 'add' : 'ask'}
          .disabled=${session.readOnly}
          @mode=${this.onMode}
          @added=${() => this.scroller?.followEnd()}
        ></skein-composer>
      </footer>
      <p class="visually-hidden" role="status">${this.said}</p>
    `;
  }

  /** Jumps again to the turn that the address names. */
  jump(turn: number): void {
    void this.scroller?.jumpToTurn(turn);
  }

  private emptyThread(): TemplateResult {
    return html`<div class="empty">
      <h2>Nothing here yet</h2>
      <p class="soft">
        Write the first turn below, paste a whole conversation, or drop an export anywhere on this page.
      </p>
    </div>`;
  }

  private examples(): TemplateResult | typeof nothing {
    const open = this.questions.filter((question) => !this.asks.some(({ text }) => text === question));
    if (open.length === 0 || this.adding || this.session.readOnly) return nothing;
    return html`<div class="examples">
      <span class="soft small" id="examples">Try asking</span>
      <ul aria-labelledby="examples">
        ${open.map(
          (question) => html`<li>
            <button class="outline" ?disabled=${this.chat.run !== undefined} @click=${() => this.composer.ask(question)}>
              ${question}
            </button>
          </li>`,
        )}
      </ul>
    </div>`;
  }

  private onSession(event: SessionEvent): boolean {
    if (event.kind === 'tab') return true;
    if (!('threadId' in event) || event.threadId !== this.thread.id) return false;
    if (event.kind === 'asks') void this.loadAsks();
    if (event.kind === 'episodes' || event.kind === 'ingest-done') void this.loadEpisodes();
    return false;
  }

  private async load(): Promise<void> {
    const { engine } = this.session;
    await Promise.all([
      this.loadAsks(),
      this.loadEpisodes(),
      this.session.attempt(async () => {
        this.questions = await engine.exampleQuestions(this.thread.id);
      }),
    ]);
    await this.beginAtLastAsk();
  }

  /** A thread that ends with a question opens at the top of it, where its answer begins. */
  private async beginAtLastAsk(): Promise<void> {
    const last = this.asks.findLast(({ position }) => position >= this.thread.turns);
    if (!last || this.target !== undefined || this.run) return;
    await this.updateComplete;
    if (last.answer) this.scroller?.restAt(last.answer.question);
    else await this.scroller?.jumpToAsk(last.id);
  }

  private async loadAsks(): Promise<void> {
    await this.session.attempt(async () => {
      this.asks = await this.session.engine.listAsks(this.thread.id);
    });
  }

  private async loadEpisodes(): Promise<void> {
    await this.session.attempt(async () => {
      this.episodes = await this.session.engine.listEpisodes(this.thread.id);
    });
  }

  /** The question under way is the last row, and an answer that another one is drawn for makes room for it. */
  private shownAsks(): readonly AskRecord[] {
    const hidden = keptIn(this.run)?.id ?? this.run?.again?.id;
    if (hidden === undefined) return this.asks;
    if (this.shown?.asks !== this.asks || this.shown.hidden !== hidden) {
      this.shown = { asks: this.asks, hidden, rest: this.asks.filter(({ id }) => id !== hidden) };
    }
    return this.shown.rest;
  }

  /** An answer is shown in one place: as the last row until it is kept, and then as a turn. */
  private shownTurns(): number {
    const { turns } = this.thread;
    if (this.run?.again) return turns - 1;
    if (this.run?.step.kind !== 'keeping') this.turnsBefore = turns;
    return this.turnsBefore ?? turns;
  }

  private onChat(): void {
    const before = this.seen;
    const now = this.run;
    this.seen = now;
    if (now && !before) this.onBegin(now);
    if (before && !now) void this.onEnd();
    if (now?.step.kind === 'writing' && before?.step.kind !== 'writing') this.said = 'The answer begins.';
  }

  private onBegin(run: ChatRun): void {
    this.said = run.again ? 'Another answer is being written.' : 'Looking through the thread.';
    // What is written below is to be seen.
    if (run.model) this.scroller?.followEnd();
  }

  private async onEnd(): Promise<void> {
    const ask = this.chat.settled;
    await Promise.all([this.loadAsks(), this.loadEpisodes()]);
    this.said = ask ? announcement(ask) : 'Stopped.';
    await this.updateComplete;
    if (ask?.answer) this.scroller?.restAt(ask.answer.question);
    else if (ask) await this.scroller?.jumpToAsk(ask.id);
  }

  private readonly onMode = (event: ModeEvent): void => {
    this.adding = event.mode === 'add';
  };

  private readonly onAskAgain = (event: AskAgainEvent): void => {
    void this.composer.askUpTo(event.text, event.asOf);
  };

  private readonly onAsOf = (event: AsOfEvent): void => {
    this.composer.askAsOf(event.choice);
  };

  static override readonly styles = [
    base,
    buttons,
    css`
      :host {
        display: grid;
        grid-template-rows: auto minmax(0, 1fr) auto;
        grid-template-columns: minmax(0, 1fr);
        min-height: 0;
        height: 100%;
      }
      skein-thread-scroller,
      .empty {
        grid-row: 2;
      }
      .empty {
        align-self: center;
        justify-self: center;
        max-width: 30rem;
        padding: var(--s5);
        text-align: center;
        display: grid;
        gap: var(--s2);
      }
      .empty h2 {
        font-size: var(--text-xl);
      }
      footer {
        grid-row: 3;
        width: 100%;
        max-width: calc(var(--measure) + var(--strand) + var(--s4) + 2 * var(--s4));
        margin-inline: auto;
        padding: 0 var(--s4) max(var(--s4), env(safe-area-inset-bottom));
      }
      .examples {
        display: flex;
        align-items: center;
        padding-block: var(--s2);
      }
      .examples > span {
        white-space: nowrap;
      }
      .examples ul {
        display: flex;
        gap: var(--s2);
        overflow-x: auto;
        scrollbar-width: none;
        padding: 3px 2.5rem 3px var(--s3);
        /* What goes on beyond an edge fades there. */
        mask-image: linear-gradient(
          to right,
          transparent,
          #000 var(--s3),
          #000 calc(100% - 2.5rem),
          transparent
        );
      }
      .examples button {
        white-space: nowrap;
        font-weight: 450;
        border-radius: 999px;
        border-color: var(--line);
      }
    `,
  ];
}

/** What a screen reader says when an answer is there. */
function announcement(ask: AskRecord): string {
  const version = shownVersion(ask);
  if (version) {
    const cited = version.cited.length;
    return `The answer is there, ${counted(version.tokens, 'token')}, ${counted(cited, 'episode')} cited.`;
  }
  const first = ask.episodes[0];
  if (!first) return 'Nothing in this thread fits the question.';
  return `Recalled ${counted(ask.episodes.length, 'episode')}. First: ${turnSpan(first.start, first.end).toLowerCase()}.`;
}
