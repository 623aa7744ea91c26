import { css, html, LitElement, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { Mutex } from '../../core/mutex.ts';
import type { Turn } from '../../core/turn.ts';
import { base, buttons, dialogs, fields } from '../design/shared-styles.ts';
import { formatCount, turnNumber } from '../format.ts';
import type { Session } from '../session.ts';

/** What is edited, and how the dialog puts it. */
export interface TextEdit {
  readonly title: string;
  readonly text: string;
  readonly note: string;
  readonly save: string;
  /** True where the text may be saved as it is. */
  readonly mayStay?: boolean;
}

/** A modal dialog that edits one text. */
@customElement('skein-turn-editor')
export class TurnEditor extends LitElement {
  @property({ attribute: false }) what: TextEdit = { title: '', text: '', note: '', save: '' };
  @state() private text = '';
  @query('dialog') private dialog!: HTMLDialogElement;
  private readonly editing = new Mutex();

  override render(): TemplateResult {
    const { title, text, note, save, mayStay } = this.what;
    return html`<dialog aria-labelledby="title">
      <form method="dialog">
        <h2 id="title">${title}</h2>
        <label class="field"
          >Text<textarea dir="auto" rows="10" .value=${this.text} @input=${this.onInput}></textarea>
        </label>
        <p class="soft small">${note}</p>
        <div class="row">
          <button type="button" class="outline" @click=${() => this.dialog.close('')}>Cancel</button>
          <button
            value="save"
            class="primary"
            ?disabled=${this.text.trim() === '' || (!mayStay && this.text === text)}
          >
            ${save}
          </button>
        </div>
      </form>
    </dialog>`;
  }

  /** Resolves with the new text, or undefined when the person cancels. One edit at a time (see confirm.ts). */
  edit(what: TextEdit): Promise<string | undefined> {
    return this.editing.run(() => this.show(what));
  }

  private async show(what: TextEdit): Promise<string | undefined> {
    this.what = what;
    this.text = what.text;
    await this.updateComplete;
    this.dialog.returnValue = '';
    this.dialog.showModal();
    await new Promise((resolve) => this.dialog.addEventListener('close', resolve, { once: true }));
    return this.dialog.returnValue === 'save' ? this.text : undefined;
  }

  private readonly onInput = (event: Event): void => {
    this.text = (event.target as HTMLTextAreaElement).value;
  };

  static override readonly styles = [
    base,
    buttons,
    fields,
    dialogs,
    css`
      dialog {
        width: min(44rem, calc(100vw - 2rem));
      }
      form {
        display: grid;
        gap: var(--s4);
      }
      h2 {
        font-size: var(--text-l);
      }
      textarea {
        width: 100%;
        resize: vertical;
        line-height: var(--leading);
        font-weight: 400;
      }
      .row {
        justify-content: flex-end;
      }
    `,
  ];
}

/** Lets the person edit a text; undefined when they cancel. */
export async function editText(what: TextEdit): Promise<string | undefined> {
  const editor = document.createElement('skein-turn-editor') as TurnEditor;
  document.body.append(editor);
  const text = await editor.edit(what);
  editor.remove();
  return text;
}

/** Lets the person edit a turn and saves it. */
export async function editTurn(session: Session, threadId: string, turn: Turn): Promise<void> {
  const text = await editText({
    title: `Edit turn ${formatCount(turnNumber(turn.index))}`,
    text: turn.text,
    note: 'The old text is replaced for good, and the turn is embedded again.',
    save: 'Save',
  });
  if (text === undefined) return;
  await session.attempt(() => session.engine.editTurn(threadId, turn.index, text));
}
