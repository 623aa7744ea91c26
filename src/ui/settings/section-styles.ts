import { css } from 'lit';
import { base, buttons, fields, notices } from '../design/shared-styles.ts';

/** How a section of the settings is set out. */
export const sectionStyles = [
  base,
  buttons,
  fields,
  notices,
  css`
    :host {
      display: grid;
      gap: var(--s3);
      border-block-start: 1px solid var(--line);
      padding-block-start: var(--s4);
    }
    h2 {
      font-size: var(--text-l);
    }
    .status {
      display: flex;
      gap: var(--s2);
      align-items: flex-start;
      padding-block-end: var(--s2);
    }
    .status svg.icon {
      margin-top: 0.15em;
    }
    .choice + .choice {
      border-block-start: 1px solid var(--line);
    }
    .choice > span {
      display: grid;
      gap: 2px;
      min-width: 0;
    }
    .choice .title {
      font-weight: 560;
    }
    progress {
      width: 100%;
      height: 8px;
      appearance: none;
      border: 0;
      border-radius: 4px;
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
  `,
];
