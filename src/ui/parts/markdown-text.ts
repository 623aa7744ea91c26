import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { cutText } from '../../core/text.ts';
import { base, buttons } from '../design/shared-styles.ts';
import { formatBytes } from '../format.ts';
import type { MarkdownBlocks, Source } from './markdown-blocks.ts';
import { markdownStyles } from './markdown-styles.ts';

/** Characters shown at first, and with each "show more": a 2 MB turn must not freeze the page. */
const FIRST = 6_000;
const STEP = 20_000;

/** Fires `cite` when a citation in the text is chosen; `number` is the source's. */
export class CiteEvent extends Event {
  constructor(readonly number: number) {
    super('cite', { bubbles: true, composed: true });
  }
}

let blocks: Promise<typeof import('./markdown-blocks.ts')> | undefined;

/** Text that a model wrote, as sanitised Markdown; plain text until the reader of Markdown is loaded. */
@customElement('skein-markdown')
export class MarkdownText extends LitElement {
  @property() text = '';
  /** What the text may cite; a citation becomes a button that fires `cite`. */
  @property({ attribute: false }) sources: readonly Source[] = [];
  /** True while the text grows at its end. */
  @property({ type: Boolean }) growing = false;
  @state() private extra = 0;
  @state() private plain = true;
  @query('.markdown') private root!: HTMLElement;
  private drawer: MarkdownBlocks | undefined;

  override render(): TemplateResult {
    const shown = this.shown();
    const rest = this.text.length - shown.length;
    return html`<div class="markdown" ?hidden=${this.plain} @click=${this.onClick}></div>
      ${this.plain ? html`<div class="user-text" dir="auto">${shown}</div>` : nothing}
      ${
        rest > 0
          ? html`<button class="text-button" @click=${this.showMore}>
              Show ${rest > STEP ? `the next part (${formatBytes(rest)} left)` : 'all of it'}
            </button>`
          : nothing
      }`;
  }

  override firstUpdated(): void {
    void this.load();
  }

  override updated(changed: PropertyValues): void {
    if (['text', 'sources', 'growing', 'extra'].some((name) => changed.has(name))) this.draw();
  }

  private async load(): Promise<void> {
    try {
      blocks ??= import('./markdown-blocks.ts');
      this.drawer = new (await blocks).MarkdownBlocks(this.root);
      this.draw();
    } catch {
      // It could not be fetched: the text stays plain, and the next element tries again.
      blocks = undefined;
    }
  }

  private draw(): void {
    if (!this.drawer) return;
    try {
      this.drawer.draw(this.shown(), this.sources, this.growing);
      this.plain = false;
    } catch {
      // Nested beyond what can be read as Markdown: the text itself is readable.
      this.plain = true;
    }
  }

  /** A text that is being written is shown whole: it is as long as an answer may be. */
  private shown(): string {
    return this.growing ? this.text : cutText(this.text, FIRST + this.extra);
  }

  private readonly showMore = (): void => {
    this.extra += STEP;
  };

  private readonly onClick = (event: Event): void => {
    const button = (event.target as Element).closest('button');
    if (button?.dataset.source) this.dispatchEvent(new CiteEvent(Number(button.dataset.source)));
    if (button?.className === 'copy') void this.copy(button);
  };

  private async copy(button: HTMLButtonElement): Promise<void> {
    const code = button.closest('.code')?.querySelector('pre')?.textContent ?? '';
    try {
      await navigator.clipboard.writeText(code);
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'Not copied';
    }
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2_000);
  }

  static override readonly styles = [base, buttons, markdownStyles];
}
