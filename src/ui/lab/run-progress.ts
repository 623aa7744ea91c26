import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { BenchProgress, RunView } from '../../bench/lab/contract.ts';
import { icon } from '../design/icons.ts';
import { formatBytes, formatCount, formatRemaining } from '../format.ts';
import { LabListener, type LabSession } from './lab-session.ts';
import { labStyles } from './lab-styles.ts';

/** How far each system of a run is. Says aloud when one system is through, not each question. */
@customElement('skein-lab-progress')
export class RunProgress extends LitElement {
  @property({ attribute: false }) lab!: LabSession;
  @property({ attribute: false }) run!: RunView;

  constructor() {
    super();
    new LabListener(this, ['progress', 'embedder', 'answer-model']);
  }

  override render(): TemplateResult {
    const { state, plan } = this.run;
    const finished = plan.systems.filter((name) => this.doneOf(name) >= this.run.total).length;
    return html`
      ${this.note()}
      <div class="scroll">
        <table>
          <caption class="visually-hidden">Progress by system</caption>
          <tbody>
            ${plan.systems.map((name) => this.row(name))}
          </tbody>
        </table>
      </div>
      <p class="visually-hidden" role="status">
        ${state.kind === 'running' ? `${finished} of ${plan.systems.length} systems are through.` : `The run is ${state.kind}.`}
      </p>
      <p class="hint">
        Finished questions are kept as they come. ${state.kind === 'running' ? 'Keep this tab open; you can use the rest of Skein meanwhile.' : nothing}
      </p>
    `;
  }

  private note(): TemplateResult | typeof nothing {
    const { state } = this.run;
    const { embedder } = this.lab;
    if (state.kind === 'failed') {
      return html`<p class="notice problem" role="alert">
        ${icon('warning')}<span><strong>${state.failure.message}</strong> ${state.failure.remedy}</span>
      </p>`;
    }
    if (state.kind === 'interrupted') {
      return html`<p class="notice">
        ${icon('info')}<span>The page was closed in the middle. Resume goes on behind the last finished question.</span>
      </p>`;
    }
    if (state.kind !== 'running') return nothing;
    const { answerModel } = this.lab;
    if (answerModel) {
      return html`<p class="small number">
        Loading the language model: ${formatBytes(answerModel.loadedBytes)} of ${formatBytes(answerModel.totalBytes)}
      </p>`;
    }
    if (!embedder) return nothing;
    if (embedder.kind === 'loading') {
      return html`<p class="small number">
        Loading the embedding model: ${formatBytes(embedder.loadedBytes)} of ${formatBytes(embedder.totalBytes)}
      </p>`;
    }
    if (embedder.kind === 'testing')
      return html`<p class="small">Checking the embedding model against known vectors</p>`;
    return embedder.kind === 'ready' && embedder.notice
      ? html`<p class="notice">${icon('info')}<span>${embedder.notice}</span></p>`
      : nothing;
  }

  private row(name: string): TemplateResult {
    const { total } = this.run;
    const done = this.doneOf(name);
    const title = this.lab.titleOf(name);
    return html`<tr>
      <th scope="row" class="text">${title}</th>
      <td class="bar"><progress aria-label=${title} max=${total || 1} value=${done}></progress></td>
      <td>${formatCount(done)} of ${formatCount(total)}</td>
      <td class="text soft what">${this.what(this.latest(name), done)}</td>
    </tr>`;
  }

  private what(latest: BenchProgress | undefined, done: number): string {
    const { state, total } = this.run;
    if (done >= total) return 'through';
    if (state.kind !== 'running') return '';
    if (!latest) return 'waiting';
    const { done: counted, rate, secondsLeft } = latest.progress;
    if (latest.phase === 'build') {
      const speed = rate > 0 ? `, ${formatCount(rate)} a second` : '';
      return `building its memory: ${formatCount(Math.floor(counted))} texts embedded${speed}`;
    }
    const speed = rate > 0 ? `${rate < 10 ? rate.toFixed(1) : formatCount(rate)} a second` : 'asking';
    return secondsLeft === undefined ? speed : `${speed}, ${formatRemaining(secondsLeft)} left`;
  }

  private latest(system: string): BenchProgress | undefined {
    return this.lab.progress.get(this.run.id)?.get(system);
  }

  private doneOf(system: string): number {
    const latest = this.latest(system);
    const told = latest?.phase === 'ask' ? latest.progress.done : 0;
    return Math.max(told, this.run.done[system] ?? 0);
  }

  static override readonly styles = [
    ...labStyles,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: var(--s3);
      }
      table {
        width: 100%;
      }
      th,
      td {
        vertical-align: middle;
      }
      progress {
        display: block;
      }
      .bar {
        width: 40%;
        min-width: 6rem;
      }
      .what {
        min-width: 18rem;
      }
      @media (max-width: 40rem) {
        tr {
          display: grid;
          grid-template-columns: 1fr auto;
          padding-block: var(--s2);
          border-block-end: 1px solid var(--line);
        }
        th,
        td {
          border: 0;
          padding: 0;
          white-space: normal;
        }
        .bar {
          width: auto;
          grid-column: 1 / -1;
          grid-row: 2;
        }
        .what {
          grid-column: 1 / -1;
          min-height: 1.5em;
        }
      }
    `,
  ];
}
