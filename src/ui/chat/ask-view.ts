import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import type { EpisodeView } from '../../engine/contract.ts';
import { asOfLabel, questionAsOf } from '../../store/as-of.ts';
import type { AskRecord, AsOfChoice } from '../../store/records.ts';
import { icon } from '../design/icons.ts';
import { base, buttons } from '../design/shared-styles.ts';
import { counted, formatDayAndTime, formatMilliseconds } from '../format.ts';
import type { Session } from '../session.ts';
import { asOfMark, asOfMarkStyles, reachNote } from './as-of-mark.ts';
import { ChatListener, type ChatSession } from './chat-session.ts';
import { episodesOf } from './episode-actions.ts';
import './recalled-episode.ts';

/** Asks the view around it to do something with the question: fires `again`. */
export class AskAgainEvent extends Event {
  constructor(
    readonly text: string,
    readonly asOf: AsOfChoice | undefined,
  ) {
    super('ask-again', { bubbles: true, composed: true });
  }
}

/** A question beside the thread and the episodes it recalled, word for word. */
@customElement('skein-ask')
export class AskView extends LitElement {
  @property({ attribute: false }) session!: Session;
  @property() threadId = '';
  @property({ attribute: false }) ask!: AskRecord;
  @property({ attribute: false }) chat!: ChatSession;
  /** True at the end of the thread: nothing was said since. */
  @property({ type: Boolean }) last = false;
  /** The thread's episodes by id, for what was pinned or forgotten since. */
  @property({ attribute: false }) episodes: ReadonlyMap<number, EpisodeView> = new Map();

  constructor() {
    super();
    new ChatListener(this);
  }

  override render(): TemplateResult {
    const { ask } = this;
    const recalled = ask.episodes;
    return html`<section aria-label="Question">
      <header>
        <span class="label">Question</span>
        <span class="soft meta">${formatDayAndTime(ask.askedAt)}</span>
        ${ask.asOf ? asOfMark(ask.asOf) : nothing}
        ${
          this.session.readOnly
            ? nothing
            : html`<skein-menu label="Question: more">${this.changes()}</skein-menu>`
        }
      </header>
      <h2 class="user-text" dir="auto">${ask.text}</h2>
      <p class="soft small note">${this.note()}</p>
      ${this.answerButton()}
      <ol>
        ${repeat(
          recalled,
          ({ start, ranges }) => ranges?.[0]?.start ?? start,
          (episode, place) => html`<li>
            <skein-recalled-episode
              .session=${this.session}
              .threadId=${this.threadId}
              .episode=${episode}
              .all=${recalled}
              .rank=${place + 1}
              .position=${ask.position}
              .pinned=${episodesOf(episode).every(({ id }) => this.episodes.get(id)?.pinned)}
              .forgotten=${episodesOf(episode).some(({ id }) => this.episodes.get(id)?.forgottenAt !== undefined)}
              ?open=${place < 2}
            ></skein-recalled-episode>
          </li>`,
        )}
      </ol>
    </section>`;
  }

  /** A question at the end of the thread can be answered yet: it was stopped, or asked before a model was chosen. */
  private answerButton(): TemplateResult | typeof nothing {
    const { model, run } = this.chat;
    if (!model || !this.last || this.session.readOnly) return nothing;
    return html`<p class="answer">
      <button class="outline" ?disabled=${run !== undefined} @click=${() => this.chat.ask(this.threadId, this.ask)}>
        ${icon('send')} Answer with ${model.title}
      </button>
    </p>`;
  }

  private changes(): TemplateResult {
    const { run } = this.chat;
    // What was added would stand behind an answer that is drawn again.
    const redrawing = run?.again !== undefined && run.threadId === this.threadId;
    return html`
      <button data-close @click=${() => this.dispatchEvent(new AskAgainEvent(this.ask.text, this.ask.asOf))}>
        ${icon('again')} Ask again
      </button>
      <button data-close ?disabled=${redrawing} @click=${this.addToThread}>
        ${icon('plus')} Add to the thread
      </button>
      <button data-close class="danger" @click=${this.removeAsk}>${icon('erase')} Remove question</button>
    `;
  }

  /** Says honestly what the answer is: turns recalled, not a model's words, and from how much of the thread. */
  private note(): string {
    const { asOf, episodes, ingested, position } = this.ask;
    const left = position - ingested;
    const partial = left > 0 ? ` ${counted(left, 'turn')} not yet ready were left out.` : '';
    if (episodes.length === 0) {
      return asOf
        ? `Nothing that was said up to ${asOfLabel(asOf)} fits the question.${partial}`
        : `Nothing in this thread fits the question.${partial}`;
    }
    const past = reachNote(this.ask);
    return `Recall only, no language model: the turns that decide, word for word. ${past}${timing(this.ask)}.${partial}`;
  }

  private readonly addToThread = (): void => {
    void this.session.attempt(async () => {
      await this.session.engine.append(this.threadId, [
        { role: 'user', text: questionAsOf(this.ask.text, this.ask.asOf), time: this.ask.askedAt },
      ]);
      this.session.toast('The question is now a turn of the thread.');
    });
  };

  private readonly removeAsk = (): void => {
    void this.session.attempt(() => this.session.engine.removeAsk(this.threadId, this.ask.id));
  };

  static override readonly styles = [
    base,
    buttons,
    asOfMarkStyles,
    css`
      :host {
        display: block;
        padding: var(--s4) 0;
      }
      section {
        max-width: calc(var(--measure) + var(--s4));
        margin-inline-start: calc(-1 * var(--s4));
        padding: var(--s3) var(--s4) 0;
        background: var(--surface);
        border: 1px solid var(--line);
        border-block-start: 3px solid var(--woad);
        border-radius: var(--radius-s) var(--radius-s) var(--radius-l) var(--radius-l);
      }
      header {
        display: flex;
        align-items: center;
        gap: var(--s2);
      }
      .label {
        font-size: var(--text-s);
        font-weight: 620;
        color: var(--woad);
      }
      .meta {
        font-size: var(--text-xs);
        white-space: nowrap;
      }
      @media (max-width: 40rem) {
        header {
          flex-wrap: wrap;
        }
        .as-of {
          order: 1;
        }
      }
      skein-menu {
        margin-inline-start: auto;
        margin-block: -0.25rem;
        color: var(--ink-soft);
      }
      h2 {
        font-size: var(--text-l);
        text-wrap: pretty;
      }
      .note {
        padding: var(--s1) 0 var(--s3);
      }
      .answer {
        padding-block-end: var(--s3);
      }
    `,
  ];
}

/** How long it took: reading the question (and, the first time, loading the model), and the search behind that. */
function timing({ milliseconds, rankMilliseconds }: AskRecord): string {
  if (rankMilliseconds === undefined) return `Found in ${formatMilliseconds(milliseconds)}`;
  const read = formatMilliseconds(milliseconds - rankMilliseconds);
  return `Searched in ${formatMilliseconds(rankMilliseconds)} (question read in ${read})`;
}
