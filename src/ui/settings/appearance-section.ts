import { html, LitElement, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import '../parts/segmented.ts';
import { chooseTheme, currentTheme, type Theme } from '../theme.ts';
import { sectionStyles } from './section-styles.ts';

const THEMES = [
  { value: 'system', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

/** The look, and the keys of the thread view. */
@customElement('skein-appearance-section')
export class AppearanceSection extends LitElement {
  @state() private theme: Theme = currentTheme();

  override render(): TemplateResult {
    return html`
      <h2>Look and keys</h2>
      <div>
        <skein-segmented label="Colours" .options=${THEMES} .value=${this.theme} @change=${this.onTheme}></skein-segmented>
      </div>
      <p class="soft small">
        In a thread: J and K go to the next and the previous turn, Home and End to the first and the last. In the field
        below it, Enter sends and Shift+Enter breaks the line.
      </p>
    `;
  }

  private readonly onTheme = (event: Event): void => {
    this.theme = (event.target as HTMLInputElement).value as Theme;
    chooseTheme(this.theme);
  };

  static override readonly styles = sectionStyles;
}
