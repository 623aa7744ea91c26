import { css, html, type TemplateResult } from 'lit';
import type { RecalledEpisode } from '../../store/records.ts';

/**
 * The parts of a score as small bars, in the configuration's own words. A part is drawn against the largest
 * of its kind among the episodes of the same answer, since parts have scales of their own.
 */
export function scoreParts(episode: RecalledEpisode, all: readonly RecalledEpisode[]): TemplateResult {
  return html`<dl class="parts">
    ${Object.entries(episode.parts).map(([name, value]) => {
      const share = partShare(name, value, all);
      return html`<div>
        <dt>${name}</dt>
        <dd class="number">${value.toFixed(2)}</dd>
        <span class="bar" aria-hidden="true"><span .style=${`width: ${share * 100}%`}></span></span>
      </div>`;
    })}
  </dl>`;
}

/** `value` as a share of the largest positive value of the same part, from 0 to 1. */
export function partShare(name: string, value: number, all: readonly RecalledEpisode[]): number {
  const largest = Math.max(...all.map(({ parts }) => parts[name] ?? 0));
  return largest > 0 ? Math.max(0, value / largest) : 0;
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
    grid-column: 1 / -1;
    height: 3px;
    border-radius: 2px;
    background: var(--line);
    overflow: hidden;
  }
  .bar > span {
    display: block;
    height: 100%;
    background: var(--woad);
  }
`;
