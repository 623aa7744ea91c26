import { css, html, type TemplateResult } from 'lit';
import { asOfLabel } from '../../store/as-of.ts';
import type { AskRecord, AsOfChoice } from '../../store/records.ts';
import { icon } from '../design/icons.ts';
import { counted, formatCount } from '../format.ts';

/** Says up to when a question was answered. */
export function asOfMark(asOf: AsOfChoice): TemplateResult {
  return html`<span class="as-of">${icon('clock')} As of ${asOfLabel(asOf)}</span>`;
}

/** From how much of the thread a question as of a time was answered, as a sentence; '' for any other question. */
export function reachNote({ asOf, answer, position }: AskRecord): string {
  if (!asOf) return '';
  const turns = asOf.runs.reduce((sum, { start, end }) => sum + end - start, 0);
  const all = answer?.question ?? position;
  return `From ${formatCount(turns)} of ${counted(all, 'turn')}, those said up to ${asOfLabel(asOf)}${placedNote(asOf.placed)}. `;
}

/** How many turns without a date count as said; '' for none. */
export function placedNote(placed: number): string {
  if (placed === 0) return '';
  return placed === 1
    ? ' (one without a date, placed by the turns around it)'
    : ` (${formatCount(placed)} without a date, placed by the turns around them)`;
}

export const asOfMarkStyles = css`
  .as-of {
    display: inline-flex;
    align-items: center;
    gap: var(--s1);
    padding: 1px var(--s2);
    border-radius: var(--radius-m);
    background: var(--woad-tint);
    font-size: var(--text-xs);
    font-weight: 560;
    white-space: nowrap;
  }
`;
