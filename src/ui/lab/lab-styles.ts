import { css } from 'lit';
import { bars, base, buttons, fields, notices } from '../design/shared-styles.ts';

/** What the lab's elements share: sections under a rule, dense tables, bars. */
export const labStyles = [
  bars,
  base,
  buttons,
  fields,
  notices,
  css`
    :host {
      display: block;
      min-width: 0;
    }
    h2 {
      font-size: var(--text-l);
    }
    h3 {
      font-size: var(--text-m);
    }
    .hint {
      font-size: var(--text-s);
      color: var(--ink-soft);
      max-width: var(--measure);
      text-wrap: pretty;
    }
    /* A shadow at the edge beyond which the content goes on. */
    .scroll {
      overflow-x: auto;
      background:
        linear-gradient(to left, var(--paper) 40%, transparent) right / 3rem 100% no-repeat local,
        linear-gradient(to left, var(--line), transparent) right / 0.75rem 100% no-repeat scroll;
    }
    table {
      border-collapse: collapse;
      font-size: var(--text-s);
      font-variant-numeric: tabular-nums;
    }
    caption {
      text-align: start;
      padding-block-end: var(--s2);
      color: var(--ink-soft);
    }
    th,
    td {
      padding: var(--s2) var(--s3);
      border-block-end: 1px solid var(--line);
      text-align: end;
      vertical-align: baseline;
      white-space: nowrap;
    }
    th {
      font-weight: 560;
      color: var(--ink-soft);
    }
    tbody th {
      color: var(--ink);
    }
    .text {
      text-align: start;
    }
    th:first-child,
    td:first-child {
      padding-inline-start: 0;
    }
    code {
      font: 0.92em var(--font-mono);
      overflow-wrap: anywhere;
    }
    details > summary {
      cursor: pointer;
      width: fit-content;
      font-size: var(--text-s);
      color: var(--woad);
      font-weight: 560;
      padding-block: var(--s1);
    }
    progress {
      height: 6px;
      border-radius: 3px;
    }
  `,
];
