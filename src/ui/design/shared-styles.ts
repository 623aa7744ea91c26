import { css } from 'lit';

/** What every element starts from: box model, headings, focus, reduced motion, text kept for screen readers. */
export const base = css`
  :host {
    box-sizing: border-box;
  }
  :host([hidden]),
  [hidden] {
    display: none !important;
  }
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  h1,
  h2,
  h3,
  h4,
  p,
  ul,
  ol,
  dl,
  dd,
  figure,
  blockquote {
    margin: 0;
    padding: 0;
  }
  ul,
  ol {
    list-style: none;
  }
  h1,
  h2,
  h3,
  h4 {
    line-height: 1.25;
    font-weight: 620;
    text-wrap: balance;
  }
  a {
    color: var(--woad);
    text-underline-offset: 0.18em;
  }
  :focus-visible {
    outline: 2px solid var(--woad);
    outline-offset: 2px;
    border-radius: var(--radius-s);
  }
  mark {
    background: var(--weld);
    color: var(--on-weld);
    border-radius: 2px;
    padding-inline: 0.08em;
  }
  svg.icon {
    width: 1.15em;
    height: 1.15em;
    flex: none;
    display: block;
  }
  .soft {
    color: var(--ink-soft);
  }
  .small {
    font-size: var(--text-s);
  }
  .number {
    font-variant-numeric: tabular-nums;
  }
  .user-text {
    white-space: pre-wrap;
    overflow-wrap: anywhere;
    unicode-bidi: plaintext;
  }
  .visually-hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .row {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--s2);
  }
  @media (prefers-reduced-motion: reduce) {
    *,
    *::before,
    *::after {
      animation-duration: 1ms !important;
      animation-iteration-count: 1 !important;
      transition-duration: 1ms !important;
      scroll-behavior: auto !important;
    }
  }
`;

/** Buttons and links that look like buttons. */
export const buttons = css`
  button,
  .button {
    font: inherit;
    font-size: var(--text-s);
    font-weight: 560;
    color: inherit;
    background: none;
    border: 1px solid transparent;
    border-radius: var(--radius-m);
    min-height: var(--touch);
    padding: 0 var(--s3);
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: var(--s2);
    cursor: pointer;
    text-decoration: none;
    text-align: start;
    transition:
      background var(--ease),
      border-color var(--ease);
  }
  button:hover,
  .button:hover {
    background: color-mix(in srgb, var(--ink) 7%, transparent);
  }
  button:disabled,
  button[aria-disabled="true"] {
    opacity: 0.55;
    cursor: not-allowed;
  }
  .outline {
    border-color: var(--line-strong);
    background: var(--surface);
  }
  .primary {
    background: var(--woad);
    color: var(--on-woad);
  }
  .primary:disabled:hover {
    background: var(--woad);
  }
  .primary:hover:not(:disabled) {
    background: var(--woad-strong);
  }
  .danger {
    color: var(--madder);
  }
  .danger.solid {
    background: var(--madder);
    color: var(--on-madder);
  }
  .danger.outline {
    border-color: currentColor;
  }
  .icon-only {
    width: var(--touch);
    padding: 0;
    flex: none;
  }
  skein-menu > :is(button, .button) {
    width: 100%;
    justify-content: flex-start;
  }
  .text-button {
    min-height: 1.75rem;
    padding: 0 var(--s2);
    margin-inline-start: calc(-1 * var(--s2));
    color: var(--woad);
  }
  @media (pointer: coarse) {
    .text-button {
      min-height: var(--touch);
    }
  }
`;

/** Text fields, selects, radio groups and their labels. */
export const fields = css`
  input:not([type="radio"], [type="checkbox"]),
  select,
  textarea {
    font: inherit;
    font-weight: 400;
    /* Phones zoom into smaller fields. */
    font-size: max(1rem, var(--text-m));
    color: inherit;
    background: var(--surface);
    border: 1px solid var(--line-strong);
    border-radius: var(--radius-m);
    min-height: var(--touch);
    padding: var(--s1) var(--s3);
    max-width: 100%;
  }
  input[type="radio"],
  input[type="checkbox"] {
    accent-color: var(--woad);
    width: 1.1rem;
    height: 1.1rem;
    margin: 0.2rem 0 0;
    flex: none;
  }
  ::placeholder {
    color: var(--ink-soft);
    opacity: 1;
  }
  label.field {
    display: grid;
    gap: var(--s1);
    font-size: var(--text-s);
    font-weight: 560;
  }
  label.choice {
    display: flex;
    gap: var(--s3);
    align-items: flex-start;
    padding: var(--s3) 0;
    cursor: pointer;
  }
  fieldset {
    border: 0;
    margin: 0;
    padding: 0;
    min-width: 0;
  }
  legend {
    padding: 0;
    font-weight: 620;
  }
`;

/** Progress bars; who shows one gives it its height and radius. */
export const bars = css`
  progress {
    width: 100%;
    appearance: none;
    border: 0;
    background: var(--line);
    overflow: hidden;
  }
  progress::-webkit-progress-bar {
    background: var(--line);
  }
  progress::-webkit-progress-value {
    background: var(--woad);
  }
  progress::-moz-progress-bar {
    background: var(--woad);
  }
`;

/** A message that says what went wrong and what to do, or what to know. */
export const notices = css`
  .notice {
    display: flex;
    gap: var(--s3);
    align-items: flex-start;
    padding: var(--s3) var(--s4);
    border-inline-start: 3px solid var(--woad);
    background: var(--woad-tint);
    font-size: var(--text-s);
    border-radius: var(--radius-s);
    overflow-wrap: anywhere;
  }
  .notice > svg.icon {
    margin-top: 0.15em;
  }
  .notice.problem {
    border-color: var(--madder);
    background: var(--madder-tint);
  }
  .notice.caution {
    border-color: var(--weld-line);
    background: color-mix(in srgb, var(--weld) 40%, var(--surface));
  }
`;

/** Modal dialogs; who shows one gives it its width. */
export const dialogs = css`
  dialog {
    max-height: calc(100dvh - 2rem);
    padding: var(--s5);
    color: var(--ink);
    background: var(--surface);
    border: 1px solid var(--line);
    border-radius: var(--radius-l);
    box-shadow: var(--shadow);
    overflow-y: auto;
  }
  dialog::backdrop {
    background: var(--scrim);
  }
`;

/** A long list of which only what is seen is drawn: items in a sizer as high as all of them, in a scroller. */
export const virtualLists = css`
  :host {
    display: block;
    position: relative;
    min-height: 0;
  }
  .scroller {
    position: absolute;
    inset: 0;
    overflow-y: auto;
    overflow-anchor: none;
    contain: strict;
  }
  .scroller:focus-visible {
    outline-offset: -2px;
  }
  .sizer {
    position: relative;
    width: 100%;
  }
  .item {
    position: absolute;
    inset-inline: 0;
    top: 0;
  }
`;
