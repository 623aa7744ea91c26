import { css, html, type TemplateResult } from 'lit';
import { icon } from '../design/icons.ts';
import { formatCount } from '../format.ts';
import { formatRoute } from '../router.ts';

/** The thread that another one was branched off, and how many of its turns both have. */
export interface Trunk {
  readonly threadId: string;
  readonly turns: number;
  /** Undefined when the thread is gone. */
  readonly name: string | undefined;
}

/** Says where a thread left the one it was branched off, with a way there. */
export function branchNote({ threadId, turns, name }: Trunk): TemplateResult {
  return html`<p class="branch small soft">
    ${icon('branch')}
    <span>
      Up to here the same as
      ${
        name === undefined
          ? 'a thread that was erased'
          : html`<a href=${formatRoute({ kind: 'thread', threadId, turn: turns })} dir="auto">${name}</a>, which goes on
              with turn ${formatCount(turns + 1)}`
      }.
    </span>
  </p>`;
}

export const branchNoteStyles = css`
  .branch {
    display: flex;
    align-items: center;
    gap: var(--s2);
    max-width: var(--measure);
    margin-block: var(--s2) var(--s3);
    padding-block: var(--s2);
    border-block: 1px dashed var(--line-strong);
  }
`;
