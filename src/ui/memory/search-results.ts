import { css, html, LitElement, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { SearchHit } from '../../engine/contract.ts';
import { base } from '../design/shared-styles.ts';
import { turnSpan } from '../format.ts';
import { markTerms } from '../parts/user-text.ts';
import { formatRoute } from '../router.ts';

/** The turns that hold the words looked for, best first; each leads to its place in the thread. */
@customElement('skein-search-results')
export class SearchResults extends LitElement {
  @property() threadId = '';
  @property() query = '';
  @property({ attribute: false }) hits: readonly SearchHit[] = [];

  override render(): TemplateResult {
    if (this.hits.length === 0) {
      return html`<p class="none soft">No turn holds these words. Fewer or shorter words may find it.</p>`;
    }
    const terms = this.query.match(/[\p{L}\p{N}]+/gu) ?? [];
    return html`<ol>
      ${this.hits.map(
        ({ turn, excerpt }) => html`<li>
          <a href=${formatRoute({ kind: 'thread', threadId: this.threadId, turn })}>
            <span class="place">${turnSpan(turn, turn + 1)}</span>
            <span class="user-text" dir="auto">${markTerms(excerpt, terms)}</span>
          </a>
        </li>`,
      )}
    </ol>`;
  }

  static override readonly styles = [
    base,
    css`
      :host {
        display: block;
        overflow-y: auto;
        min-height: 0;
      }
      ol {
        max-width: calc(var(--measure) + var(--strand) + 2 * var(--s4));
        margin-inline: auto;
        padding: 0 var(--s4) var(--s5);
      }
      a {
        display: grid;
        gap: var(--s1);
        padding: var(--s3) var(--s2);
        border-block-end: 1px solid var(--line);
        color: inherit;
        text-decoration: none;
      }
      a:hover {
        background: color-mix(in srgb, var(--ink) 4%, transparent);
      }
      .place {
        font-size: var(--text-s);
        font-weight: 620;
        color: var(--woad);
      }
      .none {
        max-width: 28rem;
        margin: 12vh auto 0;
        padding: var(--s5);
        text-align: center;
      }
    `,
  ];
}
