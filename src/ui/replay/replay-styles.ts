import { css } from 'lit';
import { labStyles } from '../lab/lab-styles.ts';

/** What the forms of replays share. */
export const replayStyles = [
  ...labStyles,
  css`
    fieldset {
      display: grid;
      gap: var(--s2);
      border: 0;
      padding: 0;
    }
    .choice {
      display: flex;
      gap: var(--s2);
      align-items: baseline;
    }
    .row {
      display: flex;
      flex-wrap: wrap;
      gap: var(--s2);
    }
  `,
];
