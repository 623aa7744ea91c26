import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { Mutex } from '../../core/mutex.ts';
import { base, buttons, dialogs, fields } from '../design/shared-styles.ts';

/** What is asked before something that cannot be undone, or that needs a line of text. */
export interface Question {
  readonly title: string;
  /** What happens, a sentence or two a paragraph. */
  readonly body: readonly string[];
  /** The text concerned, quoted. */
  readonly quote?: string;
  readonly confirm: string;
  readonly danger?: boolean;
  /** A line the person fills in; `must` is what it has to say before the answer counts. */
  readonly input?: { readonly label: string; readonly value?: string; readonly must?: string };
}

/** A modal dialog for one question. `ask` resolves with what was typed ('' without input), or undefined. */
@customElement('skein-confirm')
export class ConfirmDialog extends LitElement {
  @property({ attribute: false }) question: Question = { title: '', body: [], confirm: 'OK' };
  @state() private typed = '';
  @query('dialog') private dialog!: HTMLDialogElement;
  private readonly asking = new Mutex();

  override render(): TemplateResult {
    const { title, body, quote, confirm, danger, input } = this.question;
    const ready =
      input === undefined || (input.must ? this.typed.trim() === input.must : this.typed.trim() !== '');
    return html`<dialog aria-labelledby="title" aria-describedby="body">
      <form method="dialog">
        <h2 id="title">${title}</h2>
        <div id="body" class="body">
          ${body.map((line) => html`<p>${line}</p>`)}
          ${quote ? html`<blockquote class="user-text" dir="auto">${quote}</blockquote>` : nothing}
        </div>
        ${
          input
            ? html`<label class="field"
                >${input.label}<input autocomplete="off" dir="auto" .value=${this.typed} @input=${this.onType}
              /></label>`
            : nothing
        }
        <div class="row actions">
          <button type="button" class="outline" ?autofocus=${danger && !input} @click=${() => this.dialog.close('')}>
            Cancel
          </button>
          <button
            value="yes"
            class=${danger ? 'danger solid' : 'primary'}
            ?disabled=${!ready}
          >
            ${confirm}
          </button>
        </div>
      </form>
    </dialog>`;
  }

  /** One question at a time: a dialog's end is told a moment after it closed, and must not end the next question. */
  ask(question: Question): Promise<string | undefined> {
    return this.asking.run(() => this.show(question));
  }

  private async show(question: Question): Promise<string | undefined> {
    this.question = question;
    this.typed = question.input?.value ?? '';
    await this.updateComplete;
    this.dialog.returnValue = '';
    this.dialog.showModal();
    this.dialog.querySelector('input')?.select();
    await new Promise((resolve) => this.dialog.addEventListener('close', resolve, { once: true }));
    return this.dialog.returnValue === 'yes' ? this.typed.trim() : undefined;
  }

  private readonly onType = (event: Event): void => {
    this.typed = (event.target as HTMLInputElement).value;
  };

  static override readonly styles = [
    base,
    buttons,
    fields,
    dialogs,
    css`
      dialog {
        width: min(30rem, calc(100vw - 2rem));
      }
      form,
      .body {
        display: grid;
        gap: var(--s3);
        min-width: 0;
      }
      form {
        gap: var(--s4);
      }
      h2 {
        font-size: var(--text-l);
      }
      blockquote {
        padding-inline-start: var(--s3);
        border-inline-start: 2px solid var(--line-strong);
        max-height: 7.5rem;
        overflow: auto;
        font-size: var(--text-s);
      }
      .actions {
        justify-content: flex-end;
      }
    `,
  ];
}

let shared: ConfirmDialog | undefined;

/** Asks `question` in a dialog over the page. */
export function askPerson(question: Question): Promise<string | undefined> {
  if (!shared?.isConnected) {
    shared = document.createElement('skein-confirm') as ConfirmDialog;
    document.body.append(shared);
  }
  return shared.ask(question);
}
