import { css, html, nothing, type TemplateResult } from 'lit';
import type { Role, Turn } from '../../core/turn.ts';
import { icon } from '../design/icons.ts';
import { formatCount, formatDayAndTime, turnNumber } from '../format.ts';
import type { Source } from '../parts/markdown-blocks.ts';
import '../parts/markdown-text.ts';
import '../parts/user-text.ts';
import '../parts/menu.ts';

/** What can be done to a turn from its menu. */
export type TurnAction = 'link' | 'copy' | 'edit' | 'erase';

export function speaker(role: Role): string {
  return role === 'user' ? 'You' : 'Assistant';
}

export interface TurnLook {
  /** What the turn, an answer, may cite. */
  readonly sources?: readonly Source[] | undefined;
  /** Branches the thread at a question; absent where it can't be. */
  readonly onBranch?: (turn: Turn) => void;
  /** Sets questions back to when the turn had just been said. */
  readonly onAsOf?: (turn: Turn) => void;
}

/**
 * A turn's content: number, speaker, time, text, and its menu. What a person wrote stays as it was typed; what a
 * model wrote is Markdown.
 */
export function turnView(
  turn: Turn,
  readOnly: boolean,
  onAction: (action: TurnAction, turn: Turn) => void,
  { sources = NONE, onBranch, onAsOf }: TurnLook = {},
): TemplateResult {
  const number = formatCount(turnNumber(turn.index));
  return html`<div class="turn ${turn.role}">
    <header>
      <span class="who">${speaker(turn.role)}</span>
      <span class="meta number">${number}${turn.time === undefined ? nothing : ` · ${formatDayAndTime(turn.time)}`}</span>
      <skein-menu class="tools" label="Turn ${number}: more">
        <button data-close @click=${() => onAction('copy', turn)}>${icon('copy')} Copy text</button>
        <button data-close @click=${() => onAction('link', turn)}>${icon('link')} Copy link</button>
        ${
          onAsOf && !readOnly
            ? html`<button data-close @click=${() => onAsOf(turn)}>${icon('clock')} Ask as of this turn</button>`
            : nothing
        }
        ${
          readOnly || turn.erased
            ? nothing
            : html`<button data-close @click=${() => onAction('edit', turn)}>${icon('edit')} Edit turn</button>
                ${
                  onBranch && turn.role === 'user'
                    ? html`<button data-close @click=${() => onBranch(turn)}>
                        ${icon('branch')} Edit and ask in a branch
                      </button>`
                    : nothing
                }
                <button data-close class="danger" @click=${() => onAction('erase', turn)}>
                  ${icon('erase')} Erase turn
                </button>`
        }
      </skein-menu>
    </header>
    ${turnText(turn, sources)}
  </div>`;
}

const NONE: readonly Source[] = [];

function turnText({ index, role, text, erased }: Turn, sources: readonly Source[]): TemplateResult {
  if (erased) return html`<p class="soft">This turn was erased.</p>`;
  return role === 'user'
    ? html`<skein-user-text id="text-${index}" .text=${text}></skein-user-text>`
    : html`<skein-markdown id="text-${index}" .text=${text} .sources=${sources}></skein-markdown>`;
}

export const turnStyles = css`
  .turn {
    margin-block: var(--s1);
    margin-inline-start: calc(-1 * var(--s4));
    padding: var(--s2) var(--s4) var(--s3);
    max-width: calc(var(--measure) + var(--s4));
    border: 1px solid transparent;
    border-radius: var(--radius-l);
  }
  .turn header {
    display: flex;
    align-items: center;
    gap: var(--s2);
    min-height: 1.75rem;
    font-size: var(--text-s);
  }
  .turn .who {
    font-weight: 620;
  }
  .turn .meta {
    color: var(--ink-soft);
    font-size: var(--text-xs);
  }
  .turn .tools {
    margin-inline-start: auto;
    margin-block: -0.5rem;
    color: var(--ink-soft);
  }
  .turn.user {
    background: var(--surface);
    border-color: var(--line);
  }
  @media (hover: hover) {
    .turn .tools {
      opacity: 0;
    }
    :is(.turn:hover, .turn:focus-within) .tools,
    .turn .tools[open] {
      opacity: 1;
    }
  }
`;
