import { css } from 'lit';

export const markdownStyles = css`
  :host {
    display: block;
    overflow-wrap: anywhere;
  }
  .markdown > * + *,
  blockquote > * + *,
  li > * + * {
    margin-block-start: var(--s3);
  }
  h3,
  h4,
  h5,
  h6 {
    font-size: var(--text-m);
    margin-block-start: var(--s2);
  }
  h3 {
    font-size: var(--text-l);
  }
  ul,
  ol {
    padding-inline-start: 1.4rem;
  }
  ul {
    list-style: disc;
  }
  ol {
    list-style: decimal;
  }
  li + li {
    margin-block-start: var(--s1);
  }
  li > :is(ul, ol) {
    margin-block-start: var(--s1);
  }
  blockquote {
    padding-inline-start: var(--s3);
    border-inline-start: 3px solid var(--line-strong);
    color: var(--ink-soft);
  }
  hr {
    border: 0;
    border-block-start: 1px solid var(--line);
  }
  code {
    font-family: var(--font-mono);
    font-size: 0.9em;
  }
  :not(pre) > code {
    padding: 0.1em 0.3em;
    background: var(--sunken);
    border-radius: var(--radius-s);
  }
  .code {
    border: 1px solid var(--line);
    border-radius: var(--radius-m);
    overflow: hidden;
    background: var(--sunken);
  }
  .bar {
    display: flex;
    align-items: center;
    justify-content: space-between;
    padding-inline: var(--s3) var(--s1);
    border-block-end: 1px solid var(--line);
    color: var(--ink-soft);
    font-size: var(--text-xs);
  }
  .copy {
    min-height: 1.75rem;
    font-size: var(--text-xs);
  }
  .scroll,
  .table {
    overflow-x: auto;
  }
  pre {
    margin: 0;
    padding: var(--s3);
    direction: ltr;
    text-align: left;
    line-height: 1.45;
    overflow-wrap: normal;
    white-space: pre;
  }
  table {
    border-collapse: collapse;
    font-size: var(--text-s);
    overflow-wrap: normal;
  }
  th,
  td {
    padding: var(--s1) var(--s3);
    border: 1px solid var(--line);
    text-align: start;
    vertical-align: top;
  }
  th {
    background: var(--sunken);
    font-weight: 620;
  }
  .cite {
    min-height: 0;
    min-width: 1.35em;
    padding: 0 0.35em;
    margin-inline: 0.12em;
    vertical-align: 0.12em;
    line-height: 1.35;
    font-size: 0.75em;
    font-weight: 620;
    font-variant-numeric: tabular-nums;
    color: var(--woad);
    background: var(--woad-tint);
    border-radius: 999px;
    /* The finger finds more than the eye sees. */
    position: relative;
  }
  .cite::after {
    content: '';
    position: absolute;
    inset: -0.6em -0.35em;
  }
  .cite:hover {
    color: var(--on-woad);
    background: var(--woad);
  }
`;
