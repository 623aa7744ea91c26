import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { ImportCount, ImportProblem, ImportReport } from '../../import/contract.ts';
import { icon } from '../design/icons.ts';
import { base, notices } from '../design/shared-styles.ts';
import { counted, formatCount } from '../format.ts';

/** The account of an import: found = imported + skipped + failed, and why each was left out. */
@customElement('skein-import-report')
export class ImportReportView extends LitElement {
  @property({ attribute: false }) report!: ImportReport;

  override render(): TemplateResult {
    const { files, conversations, messages } = this.report;
    return html`
      ${this.summary()}
      <table>
        <caption class="visually-hidden">What was found and what became of it</caption>
        <thead>
          <tr>
            <td></td>
            <th scope="col">Found</th>
            <th scope="col"><span aria-hidden="true">= </span>imported</th>
            <th scope="col"><span aria-hidden="true">+ </span>skipped</th>
            <th scope="col"><span aria-hidden="true">+ </span>failed</th>
          </tr>
        </thead>
        <tbody>
          ${this.line('Files', files)}${this.line('Conversations', conversations)}${this.line('Messages', messages)}
        </tbody>
      </table>
      ${this.problems('failed', 'Could not be read')}${this.problems('skipped', 'Left out, and why')}
      ${
        this.report.problemsLeftOut > 0
          ? html`<p class="soft small">${counted(this.report.problemsLeftOut, 'more entry', 'more entries')} not listed.</p>`
          : nothing
      }
    `;
  }

  private summary(): TemplateResult {
    const { messages } = this.report;
    if (messages.imported === 0) {
      return html`<p class="notice problem" role="status">
        ${icon('warning')}<span>No message could be imported. The reasons are listed below.</span>
      </p>`;
    }
    return html`<p role="status">
      ${counted(messages.imported, 'message')} imported${
        messages.skipped + messages.failed > 0
          ? `, ${formatCount(messages.skipped + messages.failed)} not: the reasons are listed below.`
          : ', none left out.'
      }
    </p>`;
  }

  private line(name: string, { found, imported, skipped, failed }: ImportCount): TemplateResult {
    return html`<tr>
      <th scope="row">${name}</th>
      <td class="found">${formatCount(found)}</td>
      <td>${formatCount(imported)}</td>
      <td>${formatCount(skipped)}</td>
      <td class=${failed > 0 ? 'failed' : ''}>${formatCount(failed)}</td>
    </tr>`;
  }

  private problems(kind: ImportProblem['kind'], title: string): TemplateResult | typeof nothing {
    const list = this.report.problems.filter((problem) => problem.kind === kind);
    if (list.length === 0) return nothing;
    return html`<details ?open=${kind === 'failed'}>
      <summary>${title} (${formatCount(list.length)})</summary>
      <ul>
        ${list.map(
          ({ place, reason, messages }) => html`<li>
            <span class="reason">${reason}</span>
            <span class="soft small"><bdi>${place}</bdi> · ${counted(messages, 'message')}</span>
          </li>`,
        )}
      </ul>
    </details>`;
  }

  static override readonly styles = [
    base,
    notices,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: var(--s4);
      }
      table {
        width: 100%;
        border-collapse: collapse;
        font-variant-numeric: tabular-nums;
      }
      th,
      td {
        padding: var(--s2);
        border-block-end: 1px solid var(--line);
        text-align: end;
        font-weight: 400;
      }
      thead th {
        font-size: var(--text-s);
        color: var(--ink-soft);
      }
      tbody th {
        text-align: start;
        padding-inline-start: 0;
      }
      thead th {
        white-space: nowrap;
      }
      @media (max-width: 40rem) {
        th,
        td {
          padding-inline: var(--s1);
          font-size: var(--text-s);
        }
        thead th {
          font-size: var(--text-xs);
        }
      }
      .found {
        font-weight: 620;
      }
      .failed {
        color: var(--madder);
        font-weight: 620;
      }
      summary {
        cursor: pointer;
        font-weight: 560;
        padding-block: var(--s2);
      }
      details ul {
        display: grid;
        gap: var(--s2);
        max-height: 14rem;
        overflow-y: auto;
        padding-block: var(--s1);
      }
      details li {
        display: grid;
        padding-inline-start: var(--s3);
        border-inline-start: 2px solid var(--line);
        overflow-wrap: anywhere;
      }
    `,
  ];
}
