import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { passagesOf } from '../../chat/chat-prompt.ts';
import type { EpisodeView } from '../../engine/contract.ts';
import type { AnswerRecord, AnswerVersion, AskRecord } from '../../store/records.ts';
import { icon } from '../design/icons.ts';
import { base, buttons } from '../design/shared-styles.ts';
import type { Session } from '../session.ts';
import { answerFacts, endNote, sourceNote, tokensASecond } from './answer-facts.ts';
import { answerViewStyles } from './answer-view-styles.ts';
import { asOfMark, asOfMarkStyles, reachNote } from './as-of-mark.ts';
import { editAndBranch } from './branching.ts';
import { ChatListener, type ChatSession } from './chat-session.ts';
import { shownVersion, sourceOf } from './sources.ts';
import './recalled-episode.ts';

/** What stands under an answer: what can be done with it, how it was made, and the episodes it was made from. */
@customElement('skein-answer')
export class AnswerView extends LitElement {
  @property({ attribute: false }) session!: Session;
  @property({ attribute: false }) chat!: ChatSession;
  @property() threadId = '';
  @property({ attribute: false }) ask!: AskRecord;
  /** The thread's episodes by id, for what was pinned or forgotten since. */
  @property({ attribute: false }) episodes: ReadonlyMap<number, EpisodeView> = new Map();
  /** True under the thread's last turn: only there another answer can be drawn. */
  @property({ type: Boolean }) last = false;
  @state() private busy = false;

  constructor() {
    super();
    new ChatListener(this);
  }

  override render(): TemplateResult | typeof nothing {
    const { answer } = this.ask;
    const version = shownVersion(this.ask);
    if (!answer || !version) return nothing;
    const end = endNote(version);
    return html`<section aria-label="About this answer">
      <div class="tools">
        ${this.ask.asOf ? asOfMark(this.ask.asOf) : nothing}
        ${answer.versions.length > 1 ? this.versions(answer) : nothing}
        ${this.session.readOnly ? nothing : this.changes()}
        <button class="tool" @click=${this.copy}>${icon('copy')} Copy</button>
      </div>
      ${end ? html`<p class="small soft">${end}</p>` : nothing}
      ${this.details(version)}
      ${this.sources(version, answer)}
    </section>`;
  }

  private changes(): TemplateResult {
    const { chat, busy } = this;
    const idle = chat.run === undefined && !busy;
    return html`
      ${
        this.last && chat.model
          ? html`<button class="tool" ?disabled=${!idle} @click=${this.retry}>${icon('again')} Retry</button>`
          : nothing
      }
      <button class="tool" ?disabled=${!idle} @click=${this.edit}>${icon('edit')} Edit question</button>
    `;
  }

  private versions({ versions, shown }: AnswerRecord): TemplateResult {
    const go = (to: number, label: string, turn: string) => html`<button
      class="icon-only step ${turn}"
      aria-label=${label}
      ?disabled=${to < 0 || to >= versions.length || this.busy || this.session.readOnly}
      @click=${() => this.show(to)}
    >
      ${icon('chevron')}
    </button>`;
    return html`<span class="versions" role="group" aria-label="Versions of this answer">
      ${go(shown - 1, 'Earlier version', 'back')}
      <span class="number small" aria-live="polite">${shown + 1} of ${versions.length}</span>
      ${go(shown + 1, 'Later version', '')}
    </span>`;
  }

  private details(version: AnswerVersion): TemplateResult {
    const speed = tokensASecond(version);
    return html`<details>
      <summary class="small soft">
        ${version.title}${speed === undefined ? nothing : ` · ${speed} tokens/s`}
        ${
          version.engine === 'endpoint'
            ? html`<span class="remote">${icon('warning')} The text left this tab</span>`
            : nothing
        }
      </summary>
      <dl class="small">
        ${answerFacts(version).map(([name, value]) => html`<div><dt>${name}</dt><dd class="number">${value}</dd></div>`)}
      </dl>
    </details>`;
  }

  private sources(version: AnswerVersion, { question }: AnswerRecord): TemplateResult {
    const { ask } = this;
    const recalled = version.passages.flatMap((passage, place) => {
      const found = sourceOf(ask, passage);
      return found ? [{ found, place }] : [];
    });
    return html`
      <p class="small soft note">${reachNote(ask)}${sourceNote(version, passagesOf(ask).length)}</p>
      <ol>
        ${recalled.map(
          ({ found, place }) => html`<li>
            <skein-recalled-episode
              kind="Source"
              .session=${this.session}
              .threadId=${this.threadId}
              .episode=${found}
              .all=${ask.episodes}
              .rank=${place + 1}
              .position=${question}
              .cited=${version.cited.includes(place)}
              .pinned=${this.episodes.get(found.episode)?.pinned ?? false}
              .forgotten=${this.episodes.get(found.episode)?.forgottenAt !== undefined}
            ></skein-recalled-episode>
          </li>`,
        )}
      </ol>
    `;
  }

  private readonly retry = (): void => {
    void this.chat.ask(this.threadId, this.ask);
  };

  private readonly edit = (): Promise<void> =>
    this.whileBusy(async () => {
      const { question } = this.ask.answer!;
      const [turn] = await this.session.engine.readTurns(this.threadId, question, question + 1);
      if (turn) await editAndBranch(this.session, this.chat, this.threadId, turn, this.ask.asOf);
    });

  private readonly copy = (): Promise<void> =>
    this.whileBusy(async () => {
      const { turn } = this.ask.answer!;
      const [found] = await this.session.engine.readTurns(this.threadId, turn, turn + 1);
      await navigator.clipboard.writeText(found?.text ?? '');
      this.session.toast('Copied the answer.');
    });

  private show(version: number): Promise<void> {
    return this.whileBusy(() => this.session.engine.showAnswer(this.threadId, this.ask.id, version));
  }

  private async whileBusy(work: () => Promise<void>): Promise<void> {
    this.busy = true;
    await this.session.attempt(work);
    this.busy = false;
  }

  static override readonly styles = [base, buttons, asOfMarkStyles, answerViewStyles];
}
