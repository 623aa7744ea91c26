import { css } from 'lit';

export const threadScrollerStyles = css`
  .item {
    display: grid;
    grid-template-columns: var(--strand) minmax(0, 1fr);
    padding-inline: max(var(--s4), calc((100% - var(--measure) - var(--strand) - var(--s4)) / 2));
  }
  .item:focus-visible {
    outline: none;
  }
  .item:focus-visible .content {
    outline: 2px solid var(--woad);
    outline-offset: 2px;
    border-radius: var(--radius-m);
  }
  .item.flash .turn {
    border-color: var(--woad);
    animation: flash 2.4s ease-out;
  }
  @keyframes flash {
    0%,
    55% {
      background: var(--woad-tint);
    }
  }
  .unread {
    height: 80px;
    margin-block: var(--s3);
    border-radius: var(--radius-m);
    background: var(--sunken);
  }
  @media (max-width: 40rem) {
    .to-end span {
      position: absolute;
      clip-path: inset(50%);
    }
  }
  .to-end {
    position: absolute;
    inset-block-end: var(--s3);
    inset-inline-end: var(--s5);
    box-shadow: var(--shadow);
    border-radius: 999px;
  }
`;
