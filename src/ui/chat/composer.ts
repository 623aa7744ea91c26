import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import { type SkeinError, toSkeinError } from '../../core/errors.ts';
import { countWords } from '../../core/tokens.ts';
import type { NewTurn, Role } from '../../core/turn.ts';
import { asOfLabel } from '../../store/as-of.ts';
import type { AsOfChoice } from '../../store/records.ts';
import { icon } from '../design/icons.ts';
import { base, buttons, fields, notices } from '../design/shared-styles.ts';
import { counted, formatBytes } from '../format.ts';
import type { Session } from '../session.ts';
import type { AsOfEvent } from './as-of-control.ts';
import { ChatListener, type ChatSession } from './chat-session.ts';
import { composerStyles } from './composer-styles.ts';
import { problemNotice } from './failed-answer.ts';
import { recogniseTranscript } from './transcript-hint.ts';
import './as-of-control.ts';
import './model-button.ts';
import '../parts/segmented.ts';

/** A pasted text longer than this stands beside the field, so that the field stays quick. */
const LONG_PASTE = 20_000;
const MODES = [
  { value: 'ask', label: 'Ask' },
  { value: 'add', label: 'Add to thread' },
];
const SPEAKERS = [
  { value: 'user', label: 'You' },
  { value: 'model', label: 'Assistant' },
];

export type ComposerMode = 'ask' | 'add';

/** Fires `mode` when the field is for asking or for adding from now on. */
export class ModeEvent extends Event {
  constructor(readonly mode: ComposerMode) {
    super('mode');
  }
}

/** Where a person asks the thread or adds to it; fires `added`. Enter sends, Shift+Enter breaks the line. */
@customElement('skein-composer')
export class Composer extends LitElement {
  @property({ attribute: false }) session!: Session;
  @property({ attribute: false }) chat!: ChatSession;
  @property() threadId = '';
  @property() mode: ComposerMode = 'ask';
  @property({ type: Boolean }) disabled = false;
  /** Turns of the thread. */
  @property({ type: Number }) turns = 0;
  /** Up to when questions are answered; undefined: up to now. */
  @state() private asOf: AsOfChoice | undefined;
  @state() private text = '';
  @state() private pasted = '';
  @state() private speaker: Role = 'user';
  @state() private transcript: readonly NewTurn[] = [];
  @state() private problem: SkeinError | undefined;
  @query('textarea') private field!: HTMLTextAreaElement;
  /** Messages over the page stay clear of what a person needs to go on (see toasts.ts). */
  private readonly size = new ResizeObserver(() => this.tellHeight(this.offsetHeight));

  constructor() {
    super();
    new ChatListener(this);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.size.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.size.disconnect();
    this.tellHeight(0);
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('threadId') || changed.get('threadId') === undefined) return;
    this.clear();
    this.problem = undefined;
    this.asOf = undefined;
  }

  private tellHeight(pixels: number): void {
    document.documentElement.style.setProperty('--composer-height', `${pixels}px`);
  }

  override render(): TemplateResult {
    const asking = this.mode === 'ask';
    return html`
      <form @submit=${this.onSubmit}>
        ${this.problem ? problemNotice(this.problem) : nothing}
        <skein-failed-answer
          .chat=${this.chat}
          .threadId=${this.threadId}
          .field=${this.text}
        ></skein-failed-answer>
        ${this.transcript.length > 1 ? this.transcriptOffer() : nothing}
        ${this.pasted ? this.pastedNote() : nothing}
        <div class="box">
          ${asking && this.asOf ? this.asOfChip(this.asOf) : nothing}
          <label class="visually-hidden" for="text">${asking ? 'Question to this thread' : 'Text to add'}</label>
          <textarea
            id="text"
            rows="1"
            dir="auto"
            enterkeyhint="send"
            placeholder=${this.placeholder()}
            ?disabled=${this.disabled}
            .value=${live(this.text)}
            @input=${this.onInput}
            @keydown=${this.onKey}
            @paste=${this.onPaste}
          ></textarea>
          <div class="tools">
            <skein-segmented
              label="What the text is for"
              .options=${MODES}
              .value=${this.mode}
              @change=${this.onMode}
            ></skein-segmented>
            ${
              asking
                ? nothing
                : html`<skein-segmented
                    label="Who says it"
                    .options=${SPEAKERS}
                    .value=${this.speaker}
                    @change=${this.onSpeaker}
                  ></skein-segmented>`
            }
            ${asking ? html`<skein-model-button .chat=${this.chat}></skein-model-button>${this.asOfControl()}` : nothing}
            <span class="hint soft">${this.hint()}</span>
            ${asking && this.chat.run ? this.stopButton() : this.sendButton()}
          </div>
        </div>
      </form>
    `;
  }

  override focus(): void {
    this.field.focus();
  }

  /** Has questions answered from what was said up to then, until the person takes it back. */
  askAsOf(choice: AsOfChoice | undefined): void {
    this.asOf = choice;
    if (choice && this.mode !== 'ask') this.setMode('ask');
    this.focus();
  }

  /** Sends a question as if it had been typed. */
  ask(question: string): Promise<void> {
    return this.askUpTo(question, this.asOf);
  }

  /** Sends a question that is answered from what was said up to then; from all, where that is undefined. */
  async askUpTo(question: string, asOf: AsOfChoice | undefined): Promise<void> {
    const { threadId } = this;
    this.problem = undefined;
    const kept = await this.chat.ask(threadId, question, asOf);
    // What was not even kept comes back to be sent again.
    if (kept || this.threadId !== threadId || this.text !== '') return;
    this.setText(question);
    this.asOf = asOf;
  }

  private placeholder(): string {
    if (this.disabled) return 'This tab reads only';
    if (this.mode === 'add') return 'Write or paste what was said';
    return this.asOf ? `Ask as of ${asOfLabel(this.asOf)}` : 'Ask this thread something';
  }

  /** True while an answer of this thread is drawn again: what was added would stand behind it. */
  private get redrawing(): boolean {
    const { run } = this.chat;
    return run?.again !== undefined && run.threadId === this.threadId;
  }

  private hint(): string {
    const { run } = this.chat;
    if (this.mode === 'add' && this.redrawing) return 'Wait for the answer that is being written';
    if (run && run.threadId !== this.threadId) return 'A question in another thread is being answered';
    return `${this.mode === 'ask' ? 'Enter asks' : 'Enter adds'}, Shift+Enter for a new line`;
  }

  private asOfControl(): TemplateResult | typeof nothing {
    if (this.turns === 0 || this.disabled) return nothing;
    return html`<skein-as-of
      .session=${this.session}
      .threadId=${this.threadId}
      .turns=${this.turns}
      .choice=${this.asOf}
      @as-of=${(event: AsOfEvent) => this.askAsOf(event.choice)}
    ></skein-as-of>`;
  }

  private asOfChip(choice: AsOfChoice): TemplateResult {
    return html`<div class="chip">
      ${icon('clock')} <span>As of ${asOfLabel(choice)}</span>
      <button
        type="button"
        class="icon-only"
        aria-label="Answer from the whole thread again"
        title="Answer from the whole thread again"
        @click=${() => this.askAsOf(undefined)}
      >
        ${icon('close')}
      </button>
    </div>`;
  }

  private transcriptOffer(): TemplateResult {
    return html`<div class="notice">
      ${icon('info')}
      <span>
        This looks like a conversation of ${counted(this.transcript.length, 'turn')}.
        <span class="row">
          <button type="button" class="text-button" ?disabled=${this.redrawing} @click=${this.addTranscript}>
            Add as ${counted(this.transcript.length, 'turn')}
          </button>
          <button type="button" class="text-button" @click=${this.dropTranscript}>Keep as one text</button>
        </span>
      </span>
    </div>`;
  }

  private pastedNote(): TemplateResult {
    return html`<div class="pasted">
      ${icon('file')}
      <span>
        Pasted text, ${formatBytes(this.pasted.length)}, ${counted(countWords(this.pasted), 'word')}.
        ${
          this.mode === 'ask'
            ? html`<button type="button" class="text-button" @click=${() => this.setMode('add')}>
                Add it to the thread instead
              </button>`
            : nothing
        }
      </span>
      <button type="button" class="icon-only" aria-label="Remove the pasted text" @click=${this.dropPasted}>
        ${icon('close')}
      </button>
    </div>`;
  }

  private sendButton(): TemplateResult {
    const label = this.mode === 'ask' ? 'Ask' : 'Add';
    return html`<button
      class="primary send"
      aria-label=${label}
      ?disabled=${this.disabled || this.content() === '' || (this.mode === 'add' && this.redrawing)}
    >
      ${icon(this.mode === 'ask' ? 'send' : 'plus')} <span>${label}</span>
    </button>`;
  }

  private stopButton(): TemplateResult {
    return html`<button
      type="button"
      class="outline send"
      aria-label="Stop"
      ?disabled=${this.chat.run?.stopping}
      @click=${this.onStop}
    >
      ${icon('stop')} <span>Stop</span>
    </button>`;
  }

  /** The button goes: whoever pressed it with a key goes on in the field. */
  private readonly onStop = (event: Event): void => {
    const byKey = (event.currentTarget as Element).matches(':focus-visible');
    this.chat.stop();
    if (byKey) this.focus();
  };

  private content(): string {
    const parts = [this.text.trim(), this.pasted.trim()];
    return parts.filter((part) => part !== '').join('\n\n');
  }

  private readonly onSubmit = (event: Event): void => {
    event.preventDefault();
    void this.send();
  };

  private async send(): Promise<void> {
    const content = this.content();
    if (content === '' || this.disabled || (this.mode === 'ask' ? this.chat.run : this.redrawing)) return;
    const { text, pasted, speaker } = this;
    this.clear();
    if (this.mode === 'ask') {
      await this.ask(content);
      return;
    }
    // At once, so that the next turn may be written before this one is stored.
    this.speaker = speaker === 'user' ? 'model' : 'user';
    if (await this.add([{ role: speaker, text: content, time: Date.now() }])) return;
    this.setText(text);
    this.pasted = pasted;
    this.speaker = speaker;
  }

  private async add(turns: readonly NewTurn[]): Promise<boolean> {
    this.problem = undefined;
    try {
      await this.session.engine.append(this.threadId, turns);
      this.dispatchEvent(new Event('added'));
      return true;
    } catch (error) {
      this.problem = toSkeinError(error);
      return false;
    }
  }

  private readonly addTranscript = async (): Promise<void> => {
    const turns = this.transcript;
    if (await this.add(turns)) {
      this.clear();
      this.session.toast(`Added ${counted(turns.length, 'turn')}.`);
    }
  };

  /** Enter that ends an IME composition must not send half a word. */
  private readonly onKey = (event: KeyboardEvent): void => {
    const composing = event.isComposing || event.keyCode === 229;
    if (event.key !== 'Enter' || event.shiftKey || composing) return;
    event.preventDefault();
    void this.send();
  };

  private readonly onInput = (): void => {
    const begins = this.text === '' && this.mode === 'ask';
    this.text = this.field.value;
    if (this.text === '') this.transcript = [];
    // Whatever keeps it from being ready is told when the question is asked.
    if (begins) this.session.engine.prepare(this.threadId).catch(() => {});
    this.grow();
  };

  private readonly onPaste = (event: ClipboardEvent): void => {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (text.length > LONG_PASTE) {
      event.preventDefault();
      this.pasted = this.pasted ? `${this.pasted}\n\n${text}` : text;
    }
    if (text.includes('\n')) void this.lookForTranscript(text);
  };

  private async lookForTranscript(text: string): Promise<void> {
    const turns = await recogniseTranscript(text);
    // A conversation is to be added, not asked; a pasted part of a longer draft is left alone.
    const whole = this.pasted === text || this.text.trim() === text.replace(/\r\n?/g, '\n').trim();
    if (turns && whole) this.transcript = turns;
  }

  private readonly onMode = (event: Event): void => {
    this.setMode((event.target as HTMLInputElement).value as ComposerMode);
  };

  private setMode(mode: ComposerMode): void {
    this.mode = mode;
    this.problem = undefined;
    this.dispatchEvent(new ModeEvent(mode));
  }

  private readonly onSpeaker = (event: Event): void => {
    this.speaker = (event.target as HTMLInputElement).value as Role;
  };

  private readonly dropPasted = (): void => {
    this.pasted = '';
    this.transcript = [];
  };

  private readonly dropTranscript = (): void => {
    this.transcript = [];
    this.setMode('add');
  };

  private clear(): void {
    this.setText('');
    this.pasted = '';
    this.transcript = [];
  }

  private setText(text: string): void {
    this.text = text;
    void this.updateComplete.then(() => this.grow());
  }

  /** The field is as high as its text, up to a share of the window; CSS bounds it. */
  private grow(): void {
    if (!this.field) return;
    this.field.style.height = 'auto';
    this.field.style.height = `${this.field.scrollHeight + 2}px`;
  }

  static override readonly styles = [base, buttons, fields, notices, composerStyles];
}
