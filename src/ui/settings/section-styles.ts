import { css } from 'lit';
import { bars, base, buttons, fields, notices } from '../design/shared-styles.ts';

/** How a section of the settings is set out. */
export const sectionStyles = [
  bars,
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
      height: 8px;
      border-radius: 4px;
    }
  `,
];
