import { css, html, type TemplateResult } from 'lit';

/** The mark: a strand that runs on and coils into episodes, the recalled one larger. */
const STRAND =
  'M4.8 43.9L12.3 43.9C14.0 43.9 16.0 43.5 17.5 42.8C19.1 42.1 20.6 41.0 21.6 39.8C22.7 38.6 23.5 37.0 23.9 35.7C24.2 34.3 24.2 32.7 23.9 31.5C23.6 30.3 22.8 29.1 22.0 28.3C21.1 27.6 19.9 27.1 18.9 27.0C17.8 27.0 16.6 27.3 15.7 28.0C14.8 28.6 13.9 29.7 13.5 30.8C13.1 32.0 12.9 33.5 13.2 35.0C13.5 36.4 14.2 38.0 15.2 39.3C16.3 40.6 17.8 41.9 19.5 42.6C21.2 43.4 23.4 43.9 25.4 43.9C27.5 43.9 29.8 43.4 31.8 42.5C33.7 41.6 35.7 40.1 37.1 38.5C38.5 36.8 39.6 34.6 40.0 32.6C40.5 30.6 40.4 28.3 39.9 26.5C39.4 24.7 38.2 22.9 36.8 21.8C35.5 20.7 33.6 20.1 32.0 20.1C30.4 20.1 28.5 20.7 27.2 21.8C25.8 22.9 24.6 24.7 24.1 26.5C23.6 28.3 23.5 30.6 24.0 32.6C24.4 34.6 25.5 36.8 26.9 38.5C28.3 40.1 30.3 41.6 32.2 42.5C34.2 43.4 36.5 43.9 38.6 43.9C40.6 43.9 42.8 43.4 44.5 42.6C46.2 41.9 47.7 40.6 48.8 39.3C49.8 38.0 50.5 36.4 50.8 35.0C51.1 33.5 50.9 32.0 50.5 30.8C50.1 29.7 49.2 28.6 48.3 28.0C47.4 27.3 46.2 27.0 45.1 27.0C44.1 27.1 42.9 27.6 42.0 28.3C41.2 29.1 40.4 30.3 40.1 31.5C39.8 32.7 39.8 34.3 40.1 35.7C40.5 37.0 41.3 38.6 42.4 39.8C43.4 41.0 44.9 42.1 46.5 42.8C48.0 43.5 50.0 43.9 51.7 43.9L59.2 43.9';

/** The strand as an inline drawing; decorative, the name stands beside it. */
export function logo(): TemplateResult {
  return html`<svg class="logo" viewBox="2 15 60 34" fill="none" aria-hidden="true">
    <path d=${STRAND} stroke="currentColor" stroke-width="3.6" stroke-linecap="round" stroke-linejoin="round" />
  </svg>`;
}

export const logoStyles = css`
  svg.logo {
    height: 1.7rem;
    width: auto;
    display: block;
    color: var(--woad);
  }
`;
