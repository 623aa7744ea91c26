import { html, type TemplateResult } from 'lit';
import type { BenchResult } from '../../bench/lab/contract.ts';
import { SPLITS } from '../../bench/metrics.ts';
import { writeResult } from '../../bench/result-files.ts';
import { csv, detailTable, markdown, overviewTable, splitTable, timingTable } from '../../bench/tables.ts';
import { icon } from '../design/icons.ts';
import { saveFile } from '../shell/save-file.ts';
import { packageTokens, shortLength } from './run-facts.ts';
import '../parts/menu.ts';

/** The ways a result leaves the page: everything as JSON, the table as CSV or Markdown. */
export function exportMenu(result: BenchResult): TemplateResult {
  const save = (ending: string, type: string, text: string) =>
    saveFile({ name: `${fileName(result)}.${ending}`, blob: new Blob([text], { type }) });
  return html`<skein-menu label="Export" icon="export" show-label>
    <button data-close @click=${() => save('json', 'application/json', writeResult(result))}>
      ${icon('file')} JSON, everything
    </button>
    <button data-close @click=${() => save('csv', 'text/csv', csv(overviewTable(result)))}>
      ${icon('file')} CSV, the table
    </button>
    <button data-close @click=${() => save('md', 'text/markdown', markdownReport(result))}>
      ${icon('file')} Markdown, all tables
    </button>
  </skein-menu>`;
}

/** Every table of a result, as the command line prints them, under what they were measured on. */
export function markdownReport(result: BenchResult): string {
  const { package: about, settings, timings } = result;
  const head =
    `Package \`${about.hash}\` (${about.manifest.pool}, ${about.manifest.arrangement}, seed ` +
    `${about.manifest.seed}), ${settings.embedder.model} ${settings.embedder.dtype}, ${settings.engine}, ${timings.machine}.`;
  const tables = [overviewTable(result), detailTable(result), timingTable(result)].map(markdown);
  const splits = settings.modes.flatMap((mode) =>
    SPLITS.flatMap((split) => {
      const table = splitTable(result, split, mode);
      return table ? [`${split}, ${mode}\n\n${markdown(table)}`] : [];
    }),
  );
  return `${[head, ...tables, ...splits].join('\n\n')}\n`;
}

function fileName({ package: about }: BenchResult): string {
  const pool = about.manifest.pool.replace(/[^\w-]+/g, '-');
  return `scaleqa-${pool}-${shortLength(packageTokens(about))}-${about.hash.slice(0, 8)}`;
}
