import { css, html, type TemplateResult } from 'lit';
import { classMap } from 'lit/directives/class-map.js';
import { formatScore } from '../format.ts';

/** Named parts of a score, in the ranking's own terms. */
export type ScoreParts = Readonly<Record<string, number>>;

/**
 * The parts of a score as small bars, in the configuration's own words. A part is drawn on the scale of its kind
 * among the units of the same answer, since parts have scales of their own; below zero it goes to the other side
 * of the zero line.
 */
export function scoreParts(parts: ScoreParts, all: readonly ScoreParts[]): TemplateResult {
  return html`<dl class="parts">
    ${Object.entries(parts).map(([name, value]) => {
      const { zero, from, width } = partBar(name, value, all);
      return html`<div>
        <dt>${name}</dt>
        <dd class="number">${formatScore(value)}</dd>
        <span class="bar" aria-hidden="true">
          <span
            class=${classMap({ below: value < 0 })}
            .style=${`inset-inline-start: ${from * 100}%; width: ${width * 100}%`}
          ></span>
          ${zero > 0 ? html`<i .style=${`inset-inline-start: ${zero * 100}%`}></i>` : ''}
        </span>
      </div>`;
    })}
  </dl>`;
}

/** Where a part's bar begins, how long it is, and where zero lies, as shares of the bar's whole length. */
export interface PartBar {
  readonly zero: number;
  readonly from: number;
  readonly width: number;
}

/** The bar of one part; the scale reaches from the lowest to the highest value of that name in `all`, and to 0. */
export function partBar(name: string, value: number, all: readonly ScoreParts[]): PartBar {
  const values = all.map((parts) => parts[name] ?? 0);
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values);
  if (high === low) return { zero: 0, from: 0, width: 0 };
  const at = (x: number) => (x - low) / (high - low);
  return { zero: at(0), from: at(Math.min(value, 0)), width: Math.abs(value) / (high - low) };
}

export const scorePartsStyles = css`
  .parts {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(7.5rem, 1fr));
    gap: var(--s2) var(--s4);
    font-size: var(--text-xs);
  }
  .parts > div {
    display: grid;
    grid-template-columns: 1fr auto;
    column-gap: var(--s2);
    align-items: baseline;
  }
  .parts dt {
    color: var(--ink-soft);
  }
  .bar {
    position: relative;
    grid-column: 1 / -1;
    height: 3px;
    border-radius: 2px;
    background: var(--line);
  }
  .bar > span {
    position: absolute;
    inset-block: 0;
    border-radius: 2px;
    background: var(--woad);
  }
  .bar > .below {
    background: var(--madder);
  }
  .bar > i {
    position: absolute;
    inset-block: -3px;
    width: 1px;
    background: var(--ink-soft);
  }
`;
