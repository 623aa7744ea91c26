import { html, type TemplateResult } from 'lit';
import type { Table } from '../../bench/tables.ts';

/** A table of figures as the lab shows it, scrolling sideways where it must. */
export function figureTable(caption: string, { head, rows }: Table): TemplateResult {
  return html`<div class="scroll">
    <table>
      <caption>${caption}</caption>
      <thead>
        <tr>${head.map((cell, i) => html`<th scope="col" class=${i === 0 ? 'text' : ''}>${cell}</th>`)}</tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) => html`<tr>
            ${row.map((cell, i) => (i === 0 ? html`<th scope="row" class="text">${cell}</th>` : html`<td>${cell}</td>`))}
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
