import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import type { RunState, RunView } from '../../bench/lab/contract.ts';
import { icon } from '../design/icons.ts';
import { formatCount, formatDayAndTime } from '../format.ts';
import { goInLab, labHref } from './lab-route.ts';
import { LabListener, type LabSession } from './lab-session.ts';
import { labStyles } from './lab-styles.ts';
import { runFacts } from './run-facts.ts';

/** Earlier runs, finished or not; several finished ones can be laid side by side. */
@customElement('skein-lab-runs')
export class RunList extends LitElement {
  @property({ attribute: false }) lab!: LabSession;
  @state() private chosen: readonly string[] = [];

  constructor() {
    super();
    new LabListener(this, ['runs', 'progress']);
  }

  override render(): TemplateResult {
    const { runs } = this.lab;
    const finished = runs.filter(({ state }) => state.kind === 'done').length;
    return html`
      <h2>Runs</h2>
      ${runs.length === 0 ? html`<p class="hint">None yet. What is run or imported here is kept in this browser.</p>` : nothing}
      <ul>
        ${repeat(
          runs,
          ({ id }) => id,
          (run) => this.entry(run, finished > 1),
        )}
      </ul>
      <div class="row">
        <label class="button outline" for="result">${icon('import')} Import a result</label>
        <input id="result" class="visually-hidden" type="file" accept=".json,application/json" @change=${this.onImport} />
        ${
          finished > 1
            ? html`<button class="outline" ?disabled=${this.chosen.length < 2} @click=${this.compare}>
                Compare ${this.chosen.length > 1 ? formatCount(this.chosen.length) : nothing}
              </button>`
            : nothing
        }
      </div>
      ${finished > 1 && this.chosen.length < 2 ? html`<p class="hint">Tick two or more finished runs to compare them.</p>` : nothing}
    `;
  }

  private entry(run: RunView, tickable: boolean): TemplateResult {
    const { id, name, startedAt, state } = run;
    return html`<li>
      ${
        tickable && state.kind === 'done'
          ? html`<input
              type="checkbox"
              aria-label="Compare ${name}, ${formatDayAndTime(startedAt)}"
              .checked=${this.chosen.includes(id)}
              @change=${() => this.toggle(id)}
            />`
          : nothing
      }
      <a href=${labHref({ kind: 'run', run: id, tab: 'table' })}>
        <span class="name"><bdi>${name}</bdi> <span class="state ${state.kind}">${stateName(run)}</span></span>
        <span class="soft small">${runFacts(run)}</span>
        <span class="soft small">${formatDayAndTime(startedAt)}</span>
      </a>
    </li>`;
  }

  private toggle(id: string): void {
    this.chosen = this.chosen.includes(id)
      ? this.chosen.filter((other) => other !== id)
      : [...this.chosen, id];
  }

  private readonly compare = (): void => {
    // Only those that are still there; the earlier first.
    const ids = this.lab.runs.map((run) => run.id).filter((id) => this.chosen.includes(id));
    goInLab({ kind: 'compare', runs: ids.reverse() });
  };

  private readonly onImport = async (event: Event): Promise<void> => {
    const input = event.target as HTMLInputElement;
    const [file] = input.files ?? [];
    input.value = '';
    if (!file) return;
    const id = await this.lab.attempt(() => this.lab.api.importResult(file));
    if (id !== undefined) goInLab({ kind: 'run', run: id, tab: 'table' });
  };

  static override readonly styles = [
    ...labStyles,
    css`
      :host {
        display: grid;
        gap: var(--s3);
        align-content: start;
        border-block-start: 1px solid var(--line);
        padding-block-start: var(--s4);
      }
      li {
        display: flex;
        gap: var(--s3);
        align-items: start;
        border-block-end: 1px solid var(--line);
      }
      li:first-child {
        border-block-start: 1px solid var(--line);
      }
      li input {
        margin-block-start: 0.95rem;
      }
      li a {
        flex: 1;
        min-width: 0;
        display: grid;
        padding-block: var(--s2);
        color: inherit;
        text-decoration: none;
      }
      li a:hover .name bdi {
        text-decoration: underline;
      }
      .name {
        display: flex;
        justify-content: space-between;
        gap: var(--s3);
        font-weight: 560;
        overflow-wrap: anywhere;
      }
      .state {
        font-size: var(--text-xs);
        font-weight: 560;
        color: var(--ink-soft);
        white-space: nowrap;
        align-self: center;
      }
      .running {
        color: var(--woad);
      }
      .failed {
        color: var(--madder);
      }
      label:has(+ input.visually-hidden:focus-visible) {
        outline: 2px solid var(--woad);
        outline-offset: 2px;
      }
    `,
  ];
}

function stateName({ state, done, total, plan, origin }: RunView): string {
  const share =
    Object.values(done).reduce((sum, count) => sum + count, 0) / (total * plan.systems.length || 1);
  const names: Record<RunState['kind'], string> = {
    running: 'running',
    paused: `paused at ${formatCount(share * 100)}%`,
    interrupted: `interrupted at ${formatCount(share * 100)}%`,
    failed: 'failed',
    done: origin === 'imported' ? 'imported' : '',
  };
  return names[state.kind];
}
