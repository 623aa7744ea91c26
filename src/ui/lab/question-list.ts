import { css, html, LitElement, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { AskedQuestion } from '../../bench/result.ts';
import { stratumOf } from '../../bench/select.ts';
import { counted } from '../format.ts';
import { labHref } from './lab-route.ts';
import { labStyles } from './lab-styles.ts';
import { lookControls, lookStyles } from './look-controls.ts';
import {
  type Outcome,
  outcomeOf,
  outcomeText,
  type QuestionFilter,
  type QuestionLook,
} from './question-look.ts';
import '../parts/segmented.ts';

const FILTERS: readonly { value: QuestionFilter; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'missed', label: 'Missed' },
  { value: 'differ', label: 'Differ' },
];

/** Every question of a run with what one system, or two side by side, made of it. */
@customElement('skein-lab-questions')
export class QuestionList extends LitElement {
  @property() run = '';
  @property({ attribute: false }) look!: QuestionLook;

  override render(): TemplateResult {
    const { look } = this;
    const { questions } = look;
    const first = look.system(look.first);
    const second = look.system(look.second);
    return html`
      <div class="bar">
        ${lookControls(look, () => this.requestUpdate())}
        <skein-segmented
          label="Which questions"
          .options=${FILTERS}
          .value=${look.filter}
          @change=${this.onFilter}
        ></skein-segmented>
      </div>
      <p class="soft small" role="status">${counted(questions.length, 'question')}${this.explained()}</p>
      <table>
        <thead>
          <tr>
            <th scope="col" class="text">Question</th>
            <th scope="col">${first?.title}</th>
            ${second ? html`<th scope="col">${second.title}</th>` : ''}
          </tr>
        </thead>
        <tbody>
          ${questions.map((question) => this.row(question, second !== undefined))}
        </tbody>
      </table>
    `;
  }

  private row(question: AskedQuestion, two: boolean): TemplateResult {
    const { batch, id, query } = question;
    return html`<tr>
      <th scope="row" class="text">
        <a href=${labHref({ kind: 'run', run: this.run, tab: 'questions', question: { batch, id } })} dir="auto">${query}</a>
        <span class="soft">${stratumOf(question)}</span>
      </th>
      <td>${this.outcome(question, this.look.first)}</td>
      ${two ? html`<td>${this.outcome(question, this.look.second)}</td>` : ''}
    </tr>`;
  }

  private outcome(question: AskedQuestion, system: string): TemplateResult | string {
    const line = this.look.line(system, question);
    if (!line) return '';
    const outcome = outcomeOf(line);
    return html`<span class=${outcome.kind} title=${outcomeText(outcome)}>${shortOutcome(outcome)}</span>`;
  }

  private explained(): string {
    const { filter } = this.look;
    if (filter === 'missed') return ' whose evidence is not all in the first five units';
    return filter === 'differ' ? ' that one of the two finds in five units and the other does not' : '';
  }

  private readonly onFilter = (event: Event): void => {
    this.look.filter = (event.target as HTMLInputElement).value as QuestionFilter;
    this.requestUpdate();
  };

  static override readonly styles = [
    ...labStyles,
    lookStyles,
    css`
      .found {
        color: var(--ink-soft);
      }
      .ranked-out,
      .never {
        color: var(--madder);
        font-weight: 560;
      }
      :host {
        display: grid;
        gap: var(--s3);
        grid-template-columns: minmax(0, 1fr);
      }
      .bar {
        display: flex;
        flex-wrap: wrap;
        align-items: end;
        justify-content: space-between;
        gap: var(--s3);
      }
      table {
        width: 100%;
      }
      thead th {
        white-space: normal;
      }
      th.text {
        white-space: normal;
      }
      tbody th {
        font-weight: 400;
      }
      tbody a {
        display: -webkit-box;
        -webkit-line-clamp: 2;
        -webkit-box-orient: vertical;
        overflow: hidden;
        color: var(--ink);
        font-size: var(--text-m);
        text-decoration: none;
        max-width: var(--measure);
      }
      tbody a:hover {
        text-decoration: underline;
      }
    `,
  ];
}

function shortOutcome(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'found':
      return `found at ${outcome.depth}`;
    case 'ranked-out':
      return `ranked ${outcome.depth}`;
    case 'never':
      return 'never';
  }
}
