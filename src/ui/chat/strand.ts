import { css, html, type TemplateResult } from 'lit';
import { classMap } from 'lit/directives/class-map.js';
import type { EpisodeView } from '../../engine/contract.ts';

/** The strand beside a turn: a knot where an episode begins, dotted where it is forgotten. Decoration only. */
export function strandView(turn: number, episodes: readonly EpisodeView[]): TemplateResult {
  const episode = episodeAt(turn, episodes);
  const classes = {
    strand: true,
    knot: episode?.start === turn,
    pinned: episode?.pinned ?? false,
    forgotten: episode?.forgottenAt !== undefined,
    loose: episode === undefined,
  };
  return html`<span class=${classMap(classes)} aria-hidden="true"></span>`;
}

/** The episode that holds a turn; `episodes` in the order of the thread. */
export function episodeAt(turn: number, episodes: readonly EpisodeView[]): EpisodeView | undefined {
  let low = 0;
  let high = episodes.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const episode = episodes[middle]!;
    if (turn < episode.start) high = middle - 1;
    else if (turn >= episode.end) low = middle + 1;
    else return episode;
  }
  return undefined;
}

export const strandStyles = css`
  .strand {
    position: relative;
  }
  .strand::before {
    content: '';
    position: absolute;
    inset-block: 0;
    inset-inline-start: 0.45rem;
    width: 2px;
    background: color-mix(in srgb, var(--woad) 35%, var(--line));
  }
  .strand.knot::before {
    inset-block-start: 1.9rem;
  }
  .strand.knot::after {
    content: '';
    position: absolute;
    inset-block-start: 1.15rem;
    inset-inline-start: calc(0.45rem + 1px);
    translate: -50% 0;
    width: 0.75rem;
    height: 0.75rem;
    border: 2px solid var(--woad);
    border-radius: 50%;
  }
  .strand.pinned::after {
    background: var(--woad);
  }
  .strand.loose::before,
  .strand.forgotten::before {
    background: repeating-linear-gradient(var(--line-strong) 0 2px, transparent 2px 7px);
  }
  .strand.forgotten::after {
    border-color: var(--line-strong);
    border-style: dotted;
  }
`;
