import { css } from 'lit';

export const composerStyles = css`
  :host {
    display: block;
  }
  form {
    display: grid;
    gap: var(--s2);
  }
  .box {
    background: var(--surface);
    border: 1px solid var(--line-strong);
    border-radius: var(--radius-l);
    padding: var(--s2);
  }
  .box:focus-within {
    border-color: var(--woad);
    box-shadow: 0 0 0 1px var(--woad);
  }
  textarea#text {
    display: block;
    width: 100%;
    max-height: 38vh;
    resize: none;
    border: 0;
    outline: none;
    background: none;
    padding: var(--s2);
    line-height: 1.5;
    overflow-wrap: anywhere;
  }
  .tools {
    display: flex;
    align-items: center;
    flex-wrap: wrap;
    gap: var(--s2);
  }
  .hint {
    font-size: var(--text-xs);
  }
  .chip {
    display: flex;
    align-items: center;
    gap: var(--s2);
    width: fit-content;
    max-width: 100%;
    margin: 0 0 var(--s1) var(--s1);
    padding-inline-start: var(--s2);
    border-radius: var(--radius-m);
    background: var(--woad-tint);
    font-size: var(--text-s);
    font-weight: 560;
  }
  .chip > svg {
    color: var(--woad);
  }
  .send {
    margin-inline-start: auto;
  }
  .pasted {
    display: flex;
    align-items: center;
    gap: var(--s2);
    padding: var(--s1) var(--s2) var(--s1) var(--s3);
    border: 1px dashed var(--line-strong);
    border-radius: var(--radius-m);
    font-size: var(--text-s);
  }
  .pasted .icon-only {
    margin-inline-start: auto;
  }
  skein-model-button {
    flex: 0 1 auto;
  }
  @media (max-width: 40rem) {
    .tools {
      gap: var(--s1);
    }
    skein-model-button {
      flex: 1 1 0;
    }
    /* The row below is full. */
    .box {
      position: relative;
    }
    skein-as-of {
      position: absolute;
      inset-block-start: var(--s2);
      inset-inline-end: var(--s2);
    }
    .box:has(skein-as-of) textarea#text {
      padding-inline-end: calc(var(--touch) + var(--s1));
    }
    .send {
      width: var(--touch);
      padding: 0;
      flex: none;
    }
    .send span {
      display: none;
    }
  }
  @media (max-width: 40rem), (pointer: coarse) {
    .hint {
      display: none;
    }
  }
`;
