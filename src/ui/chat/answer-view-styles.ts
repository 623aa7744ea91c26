import { css } from 'lit';

export const answerViewStyles = css`
  :host {
    display: block;
  }
  section {
    max-width: var(--measure);
    padding-block-end: var(--s4);
  }
  .tools {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--s1);
    margin-inline-start: calc(-1 * var(--s3));
  }
  /* In line with the text; the buttons' own room hangs out. */
  .as-of {
    margin-inline-start: var(--s3);
  }
  .tool {
    color: var(--ink-soft);
    font-weight: 500;
  }
  .tool:hover {
    color: var(--ink);
  }
  .versions {
    display: inline-flex;
    align-items: center;
  }
  .step {
    color: var(--ink-soft);
  }
  .step.back svg {
    rotate: 180deg;
  }
  summary {
    width: fit-content;
    padding-block: var(--s1);
    cursor: pointer;
  }
  .remote {
    display: inline-flex;
    align-items: center;
    gap: var(--s1);
    margin-inline-start: var(--s2);
    color: var(--weld-line);
    font-weight: 560;
  }
  dl {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr));
    gap: var(--s2) var(--s4);
    padding: var(--s2) 0 var(--s3);
  }
  dt {
    color: var(--ink-soft);
    font-size: var(--text-xs);
  }
  .note {
    padding-block: var(--s1) var(--s2);
  }
  li:last-child {
    border-block-end: 1px solid var(--line);
  }
`;
