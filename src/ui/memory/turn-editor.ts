import { css, html, LitElement, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import type { Turn } from '../../core/turn.ts';
import { base, buttons, fields } from '../design/shared-styles.ts';
import { formatCount, turnNumber } from '../format.ts';
import type { Session } from '../session.ts';

/** A modal dialog that edits one turn's text. */
@customElement('skein-turn-editor')
export class TurnEditor extends LitElement {
  @property({ attribute: false }) turn: Turn = { index: 0, role: 'user', text: '' };
  @state() private text = '';
  @query('dialog') private dialog!: HTMLDialogElement;

  override render(): TemplateResult {
    return html`<dialog aria-labelledby="title">
      <form method="dialog">
        <h2 id="title">Edit turn ${formatCount(turnNumber(this.turn.index))}</h2>
        <label class="field"
          >Text<textarea dir="auto" rows="10" .value=${this.text} @input=${this.onInput}></textarea>
        </label>
        <p class="soft small">The old text is replaced for good, and the turn is embedded again.</p>
        <div class="row">
          <button type="button" class="outline" @click=${() => this.dialog.close('')}>Cancel</button>
          <button value="save" class="primary" ?disabled=${this.text.trim() === '' || this.text === this.turn.text}>
            Save
          </button>
        </div>
      </form>
    </dialog>`;
  }

  /** Resolves with the new text, or undefined when the person cancels. */
  async edit(turn: Turn): Promise<string | undefined> {
    this.turn = turn;
    this.text = turn.text;
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
    css`
      dialog {
        width: min(44rem, calc(100vw - 2rem));
        padding: var(--s5);
        color: var(--ink);
        background: var(--surface);
        border: 1px solid var(--line);
        border-radius: var(--radius-l);
        box-shadow: var(--shadow);
      }
      dialog::backdrop {
        background: var(--scrim);
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

/** Lets the person edit a turn and saves it. */
export async function editTurn(session: Session, threadId: string, turn: Turn): Promise<void> {
  const editor = document.createElement('skein-turn-editor') as TurnEditor;
  document.body.append(editor);
  const text = await editor.edit(turn);
  editor.remove();
  if (text === undefined) return;
  await session.attempt(() => session.engine.editTurn(threadId, turn.index, text));
}
