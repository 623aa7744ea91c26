import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { Batch } from '../../bench/builder.ts';
import { LETTERS } from '../../bench/exchange.ts';
import type { AskedQuestion, GivenAnswer } from '../../bench/result.ts';
import { stratumOf } from '../../bench/select.ts';
import { icon } from '../design/icons.ts';
import { counted, formatCount, turnNumber } from '../format.ts';
import { labHref, type QuestionPlace } from './lab-route.ts';
import type { LabSession } from './lab-session.ts';
import { labStyles } from './lab-styles.ts';
import { lookControls, lookStyles } from './look-controls.ts';
import { outcomeOf, outcomeText, type QuestionLook } from './question-look.ts';
import './retrieved-unit.ts';

/** What a language model answered. */
function answerOf({
  letter,
  correct,
  text,
  rationaleSimilarity,
  dropped,
  leftOut,
}: GivenAnswer): TemplateResult {
  const verdict = letter === null ? 'No letter' : `Answered ${letter}, ${correct ? 'right' : 'wrong'}`;
  return html`<div class="answer">
    <p class="small">
      ${verdict}${leftOut ? `; ${counted(leftOut, 'turn')} of the context did not fit` : nothing}.
      ${dropped === undefined ? nothing : `No answer came: ${dropped}`}
    </p>
    ${text ? html`<blockquote dir="auto">${text}</blockquote>` : nothing}
    <p class="soft small number">Rationale: cosine ${rationaleSimilarity.toFixed(3)} with the gold one.</p>
  </div>`;
}

/** One question: what was asked, what decides it, and what one or two systems retrieved, side by side. */
@customElement('skein-lab-question')
export class QuestionView extends LitElement {
  @property({ attribute: false }) lab!: LabSession;
  @property() run = '';
  @property({ attribute: false }) look!: QuestionLook;
  @property({ attribute: false }) place!: QuestionPlace;
  @state() private thread: Batch | undefined;
  @state() private missing = false;
  private readFor = '';

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('place') || changed.has('look')) void this.readThread();
  }

  override updated(changed: PropertyValues<this>): void {
    if (changed.has('place') && changed.get('place') !== undefined) this.scrollIntoView({ block: 'start' });
  }

  override render(): TemplateResult {
    const { look } = this;
    const question = look.question(this.place);
    if (!question) return html`<p>This run has no such question.</p>`;
    const systems = [look.first, look.second].filter(
      (name, i, all) => name !== '' && all.indexOf(name) === i,
    );
    return html`
      ${this.steps()}
      <h2 class="user-text" dir="auto">${question.query}</h2>
      <p class="soft small">
        ${[question.id, stratumOf(question), ...question.stress.map((cue) => cue.replaceAll('_', ' '))].filter(Boolean).join(' · ')}
      </p>
      ${this.options(question)} ${this.evidence(question)}
      ${
        this.missing
          ? html`<p class="notice">
              ${icon('info')}<span>
                This result was imported and its package was not run in this browser, so the turns are named by their
                numbers. Run the same package here to read them.
              </span>
            </p>`
          : nothing
      }
      ${lookControls(look, () => this.requestUpdate())}
      <div class="sides ${systems.length > 1 ? 'two' : ''}">${systems.map((name) => this.side(name, question))}</div>
    `;
  }

  private steps(): TemplateResult {
    const { questions } = this.look;
    const at = questions.findIndex(({ batch, id }) => batch === this.place.batch && id === this.place.id);
    const link = (question: AskedQuestion | undefined, label: string) =>
      question
        ? html`<a href=${this.hrefOf(question)}>${label}</a>`
        : html`<span class="soft">${label}</span>`;
    return html`<nav class="row small" aria-label="Questions">
      <a href=${labHref({ kind: 'run', run: this.run, tab: 'questions' })}>All questions</a>
      <span class="steps">
        ${link(questions[at - 1], 'Previous')}
        ${at >= 0 ? html`<span class="soft number">${formatCount(at + 1)} of ${formatCount(questions.length)}</span>` : nothing}
        ${link(questions[at + 1], 'Next')}
      </span>
    </nav>`;
  }

  private hrefOf({ batch, id }: AskedQuestion): string {
    return labHref({ kind: 'run', run: this.run, tab: 'questions', question: { batch, id } });
  }

  private options({ options, gold }: AskedQuestion): TemplateResult | typeof nothing {
    if (!options) return nothing;
    return html`<ol class="options">
      ${LETTERS.map(
        (letter) => html`<li class=${letter === gold ? 'gold' : ''}>
          <span class="letter">${letter}</span>
          <span dir="auto">${options[letter]}${letter === gold ? html` <span class="soft small">gold</span>` : nothing}</span>
        </li>`,
      )}
    </ol>`;
  }

  private evidence({ evidence, places, reasoning }: AskedQuestion): TemplateResult {
    return html`<div class="evidence">
      <h3>Evidence</h3>
      <ul>
        ${evidence.map(
          ({ text }, i) => html`<li>
            <q dir="auto">${text}</q>
            <span class="soft small number">
              ${places[i]!.length === 1 ? 'turn' : 'turns'} ${places[i]!.map((turn) => formatCount(turnNumber(turn))).join(', ')}
            </span>
          </li>`,
        )}
      </ul>
      ${reasoning ? html`<p class="hint" dir="auto">${reasoning}</p>` : nothing}
    </div>`;
  }

  private side(name: string, question: AskedQuestion): TemplateResult | typeof nothing {
    const line = this.look.line(name, question);
    if (!line) return nothing;
    const outcome = outcomeOf(line);
    return html`<section aria-label=${this.look.system(name)!.title}>
      <h3>${this.look.system(name)!.title}</h3>
      <p class="small ${outcome.kind}">${outcomeText(outcome)}.</p>
      <p class="soft small number">
        ${formatCount(line.contextTokens)} tokens of context, ${line.hit ? 'all evidence in it' : 'evidence missing in it'}.
        ${counted(line.units.length, 'unit')} kept.
      </p>
      ${line.answer ? answerOf(line.answer) : nothing}
      <ol>
        ${line.units.map(
          (_, i) => html`<li>
            <skein-lab-unit
              .line=${line}
              .index=${i}
              .question=${question}
              .turns=${this.thread?.turns}
            ></skein-lab-unit>
          </li>`,
        )}
      </ol>
    </section>`;
  }

  private async readThread(): Promise<void> {
    const { hash } = this.look.result.package;
    const key = `${hash}/${this.place.batch}`;
    if (this.readFor === key) return;
    this.readFor = key;
    this.thread = undefined;
    try {
      this.thread = await this.lab.thread(hash, this.place.batch);
      this.missing = false;
    } catch {
      // The drill-down works without the texts, and says why they are missing.
      this.missing = true;
    }
  }

  static override readonly styles = [
    ...labStyles,
    lookStyles,
    css`
      :host {
        display: grid;
        gap: var(--s3);
        grid-template-columns: minmax(0, 1fr);
        scroll-margin-top: var(--s4);
      }
      nav {
        justify-content: space-between;
      }
      .steps {
        display: flex;
        gap: var(--s3);
      }
      h2 {
        max-width: var(--measure);
      }
      .options,
      .evidence ul {
        display: grid;
        gap: var(--s1);
        max-width: var(--measure);
      }
      .options li {
        display: flex;
        gap: var(--s3);
      }
      .letter {
        font-weight: 560;
        color: var(--ink-soft);
      }
      .gold {
        font-weight: 560;
      }
      .gold .letter {
        color: var(--woad);
      }
      .evidence {
        display: grid;
        gap: var(--s2);
      }
      q {
        quotes: none;
        padding-inline-start: var(--s3);
        border-inline-start: 3px solid var(--weld-line);
        display: block;
      }
      .evidence li > span {
        padding-inline-start: calc(var(--s3) + 3px);
      }
      .answer {
        display: grid;
        gap: var(--s1);
        max-width: var(--measure);
      }
      blockquote {
        padding-inline-start: var(--s3);
        border-inline-start: 3px solid var(--line-strong);
        white-space: pre-line;
      }
      .sides {
        display: grid;
        gap: var(--s5);
        grid-template-columns: minmax(0, 1fr);
      }
      @media (min-width: 64rem) {
        .two {
          grid-template-columns: repeat(2, minmax(0, 1fr));
        }
      }
      section {
        border-block-start: 2px solid var(--line-strong);
        padding-block-start: var(--s2);
        min-width: 0;
      }
      section > ol {
        margin-block-start: var(--s2);
      }
      .ranked-out,
      .never {
        color: var(--madder);
      }
    `,
  ];
}
