import { css, html, type TemplateResult } from 'lit';
import type { QueryMode } from '../../bench/exchange.ts';
import type { QuestionLook } from './question-look.ts';
import { modeName } from './run-facts.ts';

/** The fields that choose systems and condition, for the list and for one question. `changed` draws anew. */
export function lookControls(look: QuestionLook, changed: () => void): TemplateResult {
  const { systems, settings } = look.result;
  const choose = (change: Partial<Pick<QuestionLook, 'first' | 'second' | 'mode'>>) => {
    Object.assign(look, change);
    changed();
  };
  const chosenIn = (event: Event) => (event.target as HTMLSelectElement).value;
  return html`<div class="look">
    <label class="field"
      >System
      <select @change=${(event: Event) => choose({ first: chosenIn(event) })}>
        ${systems.map(({ name, title }) => html`<option value=${name} ?selected=${name === look.first}>${title}</option>`)}
      </select>
    </label>
    <label class="field"
      >Beside it
      <select @change=${(event: Event) => choose({ second: chosenIn(event) })}>
        <option value="" ?selected=${look.second === ''}>None</option>
        ${systems.map(({ name, title }) => html`<option value=${name} ?selected=${name === look.second}>${title}</option>`)}
      </select>
    </label>
    ${
      settings.modes.length > 1
        ? html`<label class="field"
            >Asked with
            <select @change=${(event: Event) => choose({ mode: chosenIn(event) as QueryMode })}>
              ${settings.modes.map((mode) => html`<option value=${mode} ?selected=${mode === look.mode}>${modeName(mode)}</option>`)}
            </select>
          </label>`
        : ''
    }
  </div>`;
}

export const lookStyles = css`
  .look {
    display: flex;
    flex-wrap: wrap;
    gap: var(--s2) var(--s4);
  }
  .look select {
    max-width: 14rem;
  }
  @media (max-width: 40rem) {
    .look {
      display: grid;
      grid-template-columns: repeat(2, minmax(0, 1fr));
    }
    .look select {
      width: 100%;
    }
  }
`;
