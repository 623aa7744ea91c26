import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import { ARRANGEMENTS, type Arrangement } from '../../bench/arrange.ts';
import type { BuildSummary } from '../../bench/lab/contract.ts';
import { icon } from '../design/icons.ts';
import { counted, formatCount } from '../format.ts';
import { LabListener, type LabSession } from './lab-session.ts';
import { labStyles } from './lab-styles.ts';
import { capital, lengthName } from './run-facts.ts';
import { LENGTHS } from './setup.ts';
import '../parts/segmented.ts';

const ARRANGEMENT_OPTIONS = ARRANGEMENTS.map((value) => ({ value, label: capital(value) }));

const EXPLAINED: Readonly<Record<Arrangement, string>> = {
  blocks: 'Whole conversations, one after the other.',
  interleaved: 'The exchanges of two neighbouring conversations alternate.',
  shuffled: 'The exchanges of all conversations at random, each one’s own in their order.',
};

/** How the threads are made: length, arrangement, which questions, and what that comes to. */
@customElement('skein-lab-threads')
export class ThreadSection extends LitElement {
  @property({ attribute: false }) lab!: LabSession;

  constructor() {
    super();
    new LabListener(this, ['setup']);
  }

  override render(): TemplateResult {
    const { setup } = this.lab;
    const { target, arrangement, masked, seed, count } = setup.choices;
    return html`
      <h2>Thread</h2>
      <div class="fields">
        <label class="field"
          >Length
          <select @change=${this.onLength}>
            ${LENGTHS.map((length) => html`<option value=${length ?? ''} ?selected=${length === target}>${lengthName(length)}</option>`)}
          </select>
        </label>
        <label class="field"
          >Questions
          <input
            type="number"
            min="1"
            inputmode="numeric"
            placeholder="All"
            .value=${live(count === undefined ? '' : String(count))}
            @change=${this.onCount}
          />
        </label>
        <label class="field"
          >Seed
          <input type="number" min="0" inputmode="numeric" .value=${live(String(seed))} @change=${this.onSeed} />
        </label>
      </div>
      ${this.topics()}
      <div class="row">
        <skein-segmented
          label="Arrangement of the conversations"
          .options=${ARRANGEMENT_OPTIONS}
          .value=${arrangement}
          @change=${this.onArrangement}
        ></skein-segmented>
        <span class="hint">${EXPLAINED[arrangement]}</span>
      </div>
      <label class="choice">
        <input type="checkbox" .checked=${live(masked)} @change=${this.onMasked} />
        <span
          >Masked questions
          <span class="hint">
            Each question loses the words that only its own conversations hold, so that no rare word gives its place
            away.
          </span></span
        >
      </label>
      <div class="built" role="status">${setup.built ? builtSummary(setup.built) : nothing}</div>
    `;
  }

  private topics(): TemplateResult | typeof nothing {
    const { pool, choices } = this.lab.setup;
    if (!pool || pool.topics.length < 2) return nothing;
    const chosen = new Set(choices.topics ?? pool.topics.map(({ name }) => name));
    const all = chosen.size === pool.topics.length;
    return html`<details>
      <summary>${all ? 'All topics' : `${formatCount(chosen.size)} of ${formatCount(pool.topics.length)} topics`}</summary>
      <fieldset class="topics">
        <legend class="visually-hidden">Topics</legend>
        ${pool.topics.map(
          ({ name }) => html`<label class="choice">
            <input
              type="checkbox"
              .checked=${live(chosen.has(name))}
              @change=${(event: Event) => this.chooseTopic(name, (event.target as HTMLInputElement).checked)}
            />
            ${name || 'without one'}
          </label>`,
        )}
      </fieldset>
    </details>`;
  }

  private chooseTopic(name: string, on: boolean): void {
    const { pool, choices } = this.lab.setup;
    const names = pool!.topics.map((topic) => topic.name);
    const chosen = new Set(choices.topics ?? names);
    if (on) chosen.add(name);
    else chosen.delete(name);
    // In the pool's order, so that the same choice is the same run whatever was clicked first.
    const topics = names.filter((one) => chosen.has(one));
    this.lab.setup.choose({ topics: topics.length === names.length ? undefined : topics });
  }

  private readonly onLength = (event: Event): void => {
    const { value } = event.target as HTMLSelectElement;
    this.lab.setup.choose({ target: value === '' ? undefined : Number(value) });
  };

  private readonly onCount = (event: Event): void => {
    const count = wholeNumber(event, 1);
    this.lab.setup.choose({ count });
  };

  private readonly onSeed = (event: Event): void => {
    this.lab.setup.choose({ seed: wholeNumber(event, 0) ?? 1 });
  };

  private readonly onArrangement = (event: Event): void => {
    this.lab.setup.choose({ arrangement: (event.target as HTMLInputElement).value as Arrangement });
  };

  private readonly onMasked = (event: Event): void => {
    this.lab.setup.choose({ masked: (event.target as HTMLInputElement).checked });
  };

  static override readonly styles = [
    ...labStyles,
    css`
      :host {
        display: grid;
        gap: var(--s3);
        justify-items: start;
      }
      .fields {
        display: flex;
        flex-wrap: wrap;
        gap: var(--s3) var(--s4);
      }
      .fields input {
        width: 7rem;
      }
      .topics {
        columns: 12rem;
        column-gap: var(--s5);
      }
      .choice {
        padding: var(--s1) 0;
        font-size: var(--text-s);
      }
      label.choice:has(.hint) {
        font-size: inherit;
      }
      .choice .hint {
        display: block;
      }
      .built {
        min-height: 3.2em;
        font-size: var(--text-s);
        display: grid;
        gap: var(--s2);
      }
    `,
  ];
}

/** What a plan comes to, with the hash that names the package. */
function builtSummary({ hash, batches, shortBy, manifest }: BuildSummary): TemplateResult {
  const sum = (of: (batch: BuildSummary['batches'][number]) => number) =>
    batches.reduce((total, batch) => total + of(batch), 0);
  const threads = batches.length === 1 ? 'One thread' : `${formatCount(batches.length)} threads`;
  const questions = sum((batch) => batch.questions);
  return html`
    <p>
      ${threads}, ${counted(
        sum(({ turns }) => turns),
        'turn',
      )},
      ${formatCount(sum(({ tokens }) => tokens))} tokens. ${counted(questions, 'question')} with evidence in
      ${formatCount(sum(({ evidenceDialogues }) => evidenceDialogues))} of
      ${formatCount(sum(({ truthDialogues, noiseDialogues }) => truthDialogues + noiseDialogues))} conversations.
      <span class="soft">Package <code title=${hash}>${hash.slice(0, 12)}</code></span>
    </p>
    ${
      shortBy > 0
        ? html`<p class="notice caution">
            ${icon('info')}<span>
              The distractors run out: ${formatCount(shortBy)} of ${formatCount(manifest.target ?? 0)} tokens are
              missing. The run works, on a shorter thread; add distractor files for the full length.
            </span>
          </p>`
        : nothing
    }
  `;
}

/** The number of a field; undefined when it is empty or none, and the field then shows what is used. */
function wholeNumber(event: Event, least: number): number | undefined {
  const { value } = event.target as HTMLInputElement;
  const number = Number(value);
  return value.trim() !== '' && Number.isSafeInteger(number) && number >= least ? number : undefined;
}
