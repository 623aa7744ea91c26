import { css } from 'lit';
import { base, buttons, fields, notices } from '../design/shared-styles.ts';

/** How a form for a model of one's own is set out. */
export const formStyles = [
  base,
  buttons,
  fields,
  notices,
  css`
    form {
      display: grid;
      gap: var(--s3);
    }
    label.choice {
      padding: 0;
      font-size: var(--text-s);
    }
    input:not([type='checkbox']) {
      width: 100%;
    }
    .short {
      max-width: 12rem;
    }
    .hint {
      font-weight: 400;
    }
  `,
];
