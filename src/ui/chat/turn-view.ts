import { css, html, nothing, type TemplateResult } from 'lit';
import type { Role, Turn } from '../../core/turn.ts';
import { icon } from '../design/icons.ts';
import { formatCount, formatDayAndTime, turnNumber } from '../format.ts';
import '../parts/user-text.ts';
import '../parts/menu.ts';

/** What can be done to a turn from its menu. */
export type TurnAction = 'link' | 'edit' | 'erase';

export function speaker(role: Role): string {
  return role === 'user' ? 'You' : 'Assistant';
}

/** A turn's content: number, speaker, time, text, and its menu. */
export function turnView(
  turn: Turn,
  readOnly: boolean,
  onAction: (action: TurnAction, turn: Turn) => void,
): TemplateResult {
  const number = formatCount(turnNumber(turn.index));
  return html`<div class="turn ${turn.role}">
    <header>
      <span class="who">${speaker(turn.role)}</span>
      <span class="meta number">${number}${turn.time === undefined ? nothing : ` · ${formatDayAndTime(turn.time)}`}</span>
      <skein-menu class="tools" label="Turn ${number}: more">
        <button data-close @click=${() => onAction('link', turn)}>${icon('link')} Copy link</button>
        ${
          readOnly || turn.erased
            ? nothing
            : html`<button data-close @click=${() => onAction('edit', turn)}>${icon('edit')} Edit turn</button>
                <button data-close class="danger" @click=${() => onAction('erase', turn)}>
                  ${icon('erase')} Erase turn
                </button>`
        }
      </skein-menu>
    </header>
    ${
      turn.erased
        ? html`<p class="soft">This turn was erased.</p>`
        : html`<skein-user-text id="text-${turn.index}" .text=${turn.text}></skein-user-text>`
    }
  </div>`;
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
