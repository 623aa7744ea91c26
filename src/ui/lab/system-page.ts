import { css, html, LitElement, type TemplateResult } from 'lit';
import { customElement, query, state } from 'lit/decorators.js';
import { icon } from '../design/icons.ts';
import { base, buttons, dialogs } from '../design/shared-styles.ts';
import { markdownView } from '../parts/markdown.ts';

/** The pages of `docs/systems`, each read when it is opened. */
const PAGES = import.meta.glob<string>('/docs/systems/*.md', { query: '?raw', import: 'default' });

/** A system's own page, or that of its family: `bm25-256` has `bm25-windows`, `tsim-l2` has `tsim`. */
function pageOf(name: string): (() => Promise<string>) | undefined {
  const names = [name, name.replace(/-\d+$/, '-windows'), name.replace(/-[^-]+$/, '')];
  return names.map((one) => PAGES[`/docs/systems/${one}.md`]).find((page) => page !== undefined);
}

/** True where the documentation tells of the system. */
export function hasSystemPage(name: string): boolean {
  return pageOf(name) !== undefined;
}

/** Shows the documentation's page of a system over the view. */
export function openSystemPage(name: string, title: string): void {
  const dialog = document.createElement('skein-system-page') as SystemPage;
  document.body.append(dialog);
  void dialog.open(name, title);
}

/** A system's page: what the paper says, what we do, and where we differ. */
@customElement('skein-system-page')
export class SystemPage extends LitElement {
  @state() private text = '';
  @state() private label = '';
  @query('dialog') private dialog!: HTMLDialogElement;

  override render(): TemplateResult {
    return html`<dialog aria-label=${this.label} @close=${() => this.remove()} @click=${this.onClick}>
      <button class="icon-only" aria-label="Close" @click=${() => this.dialog.close()}>${icon('close')}</button>
      <div class="page">${markdownView(this.text)}</div>
    </dialog>`;
  }

  async open(name: string, title: string): Promise<void> {
    this.label = title;
    this.text = (await pageOf(name)?.()) ?? '';
    await this.updateComplete;
    this.dialog.showModal();
  }

  private readonly onClick = (event: Event): void => {
    if (event.composedPath()[0] === this.dialog) this.dialog.close();
  };

  static override readonly styles = [
    base,
    buttons,
    dialogs,
    css`
      dialog {
        width: min(44rem, calc(100vw - 1.5rem));
        padding: 0;
      }
      dialog > button {
        position: sticky;
        inset-block-start: var(--s2);
        float: inline-end;
        margin: var(--s2);
      }
      .page {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: var(--s3);
        padding: var(--s5);
        overflow-wrap: anywhere;
      }
      ul {
        list-style: disc;
        padding-inline-start: 1.2rem;
      }
      pre {
        margin: 0;
        overflow-x: auto;
        font: var(--text-s) var(--font-mono);
      }
      .table {
        overflow-x: auto;
      }
      table {
        border-collapse: collapse;
        font-size: var(--text-s);
      }
      th,
      td {
        text-align: start;
        padding: var(--s1) var(--s3) var(--s1) 0;
        border-block-end: 1px solid var(--line);
      }
    `,
  ];
}
