import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { AskedQuestion, QuestionLine } from '../../bench/result.ts';
import { estimateTokens } from '../../core/tokens.ts';
import type { NewTurn } from '../../core/turn.ts';
import { icon } from '../design/icons.ts';
import { counted, formatCount, formatScore, turnNumber, turnSpan } from '../format.ts';
import { scoreParts, scorePartsStyles } from '../parts/score-parts.ts';
import { markTerms } from '../parts/user-text.ts';
import { labStyles } from './lab-styles.ts';

/** Turns of a unit that are shown at once; of a longer one, those that hold evidence and their neighbours. */
const SHORT_UNIT = 12;
const LONG_TEXT = 1_500;

/** One retrieved unit: its place, why it ranks there, and its turns with the evidence marked where it stands. */
@customElement('skein-lab-unit')
export class RetrievedUnitView extends LitElement {
  @property({ attribute: false }) line!: QuestionLine;
  @property({ type: Number }) index = 0;
  @property({ attribute: false }) question!: AskedQuestion;
  /** The thread; undefined where its package is not kept here. */
  @property({ attribute: false }) turns: readonly NewTurn[] | undefined;
  @state() private toggled: boolean | undefined;

  override render(): TemplateResult {
    const { score } = this.unit;
    const holds = this.evidenceHeld();
    const place = this.placeText();
    const open = this.toggled ?? (holds.length > 0 || this.isFirstOfMiss());
    return html`<article aria-label="Unit ${this.index + 1}: ${place}">
      <header>
        <span class="rank number" aria-hidden="true">${this.index + 1}</span>
        <h4><button class="place" aria-expanded=${open} @click=${() => this.toggle(!open)}>${place}</button></h4>
        <span class="soft small number">
          ${score === undefined ? nothing : `score ${formatScore(score)}`}${this.tokens()}${this.inContext() ? nothing : ' · not in the context'}
        </span>
        ${holds.length > 0 ? html`<span class="holds small">${icon('check')} ${this.holdsText(holds)}</span>` : nothing}
        <span class="chevron" aria-hidden="true">${icon('chevron')}</span>
      </header>
      ${open ? this.body() : nothing}
    </article>`;
  }

  /** Where no unit that was kept holds evidence, the first is shown: what the system took for it. */
  private isFirstOfMiss(): boolean {
    const { ranks, units } = this.line;
    return this.index === 0 && ranks.every((rank) => rank === null || rank > units.length);
  }

  private get unit() {
    return this.line.units[this.index]!;
  }

  private body(): TemplateResult {
    const { text, parts } = this.unit;
    const all = this.line.units.map((unit) => unit.parts ?? {});
    return html`
      ${text === undefined ? nothing : html`<p class="made user-text" dir="auto">${this.marked(text)}</p>`}
      ${this.turns ? this.turnList(this.turns) : nothing}
      ${parts && Object.keys(parts).length > 0 ? scoreParts(parts, all) : nothing}
    `;
  }

  private turnList(turns: readonly NewTurn[]): TemplateResult {
    const shown = this.shownTurns();
    return html`<ol class="turns">
      ${shown.map((turn, i) => {
        const skipped = turn - (shown[i - 1] ?? turn - 1) - 1;
        return html`
          ${skipped > 0 ? html`<li class="soft small">${counted(skipped, 'turn')} in between</li>` : nothing}
          <li class=${this.holdsEvidence(turn) ? 'decisive' : ''}>
            <span class="soft small number">${formatCount(turnNumber(turn))} ${speakerOf(turns[turn])}</span>
            <p class="user-text" dir="auto">${this.turnText(turns[turn], turn)}</p>
          </li>
        `;
      })}
    </ol>`;
  }

  private turnText(turn: NewTurn | undefined, index: number): unknown {
    if (!turn) return html`<span class="soft">A question that was written back.</span>`;
    const text = this.holdsEvidence(index) ? turn.text : cut(turn.text);
    return this.marked(text);
  }

  private marked(text: string): unknown {
    return markTerms(
      text,
      this.question.evidence.map((one) => one.text.trim()),
    );
  }

  /** All turns of a short unit; of a long one those near the evidence, or its first. */
  private shownTurns(): number[] {
    const { ranges = [] } = this.unit;
    const all = ranges.flatMap(([start, end]) => Array.from({ length: end - start }, (_, i) => start + i));
    if (all.length <= SHORT_UNIT) return all;
    const near = new Set(this.question.places.flat().flatMap((turn) => [turn - 1, turn, turn + 1]));
    const found = all.filter((turn) => near.has(turn));
    return found.length > 0 ? found : all.slice(0, SHORT_UNIT);
  }

  private holdsEvidence(turn: number): boolean {
    return this.question.places.some((turns) => turns.includes(turn));
  }

  /** Numbers from 0 of the evidence whose first unit this is, or that stands in it too. */
  private evidenceHeld(): number[] {
    const { ranges = [] } = this.unit;
    return this.question.places.flatMap((turns, i) => {
      const inside = turns.some((turn) => ranges.some(([start, end]) => turn >= start && turn < end));
      return inside || this.line.ranks[i] === this.index + 1 ? [i] : [];
    });
  }

  private holdsText(held: readonly number[]): string {
    const { length } = this.question.evidence;
    if (length === 1) return 'the evidence';
    return held.length === length ? 'all evidence' : `evidence ${held.map((i) => i + 1).join(', ')}`;
  }

  private placeText(): string {
    const { ranges = [] } = this.unit;
    if (ranges.length === 0) return 'A text of its own';
    const [first] = ranges;
    const rest = ranges.length - 1;
    return `${turnSpan(first![0], first![1])}${rest > 0 ? ` and ${counted(rest, 'more range')}` : ''}`;
  }

  private tokens(): string {
    const { ranges = [], text } = this.unit;
    if (!this.turns && text === undefined) return '';
    const texts = ranges.flatMap(
      ([start, end]) => this.turns?.slice(start, end).map((turn) => turn.text) ?? [],
    );
    const tokens = [...texts, text ?? ''].reduce((sum, one) => sum + estimateTokens(one), 0);
    return ` · ${formatCount(tokens)} tokens`;
  }

  /** True where all of the unit stands in what would be the prompt. */
  private inContext(): boolean {
    const { ranges = [], text } = this.unit;
    const { context } = this.line;
    const ownText = text === undefined || context.some((part) => part.kind === 'text' && part.text === text);
    return (
      ownText &&
      ranges.every(([start, end]) =>
        context.some((part) => part.kind === 'turns' && part.start <= start && part.end >= end),
      )
    );
  }

  private toggle(open: boolean): void {
    this.toggled = open;
  }

  static override readonly styles = [
    ...labStyles,
    scorePartsStyles,
    css`
      :host {
        border-block-start: 1px solid var(--line);
      }
      article {
        display: grid;
        gap: var(--s2);
        grid-template-columns: minmax(0, 1fr);
        padding-block: var(--s2);
      }
      header {
        position: relative;
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0 var(--s2);
        padding-inline-end: var(--s5);
      }
      .rank {
        min-width: 1.35rem;
        font-weight: 620;
        color: var(--ink-soft);
      }
      h4 {
        font-size: var(--text-m);
      }
      .place {
        padding: 0;
        min-height: 1.75rem;
        font-size: var(--text-m);
      }
      .place::after {
        content: '';
        position: absolute;
        inset: 0;
      }
      .place:hover {
        background: none;
        text-decoration: underline;
      }
      .holds {
        display: inline-flex;
        align-items: center;
        gap: 2px;
        font-weight: 560;
        color: var(--woad);
      }
      .chevron {
        position: absolute;
        inset-inline-end: 0;
        color: var(--ink-soft);
        transition: rotate var(--ease);
      }
      header:has([aria-expanded='true']) .chevron {
        rotate: 90deg;
      }
      .turns {
        display: grid;
        gap: var(--s2);
        padding-inline-start: var(--s3);
        border-inline-start: 1px solid var(--line);
      }
      .decisive {
        margin-inline-start: calc(-1 * var(--s3) - 2px);
        padding-inline-start: var(--s3);
        border-inline-start: 3px solid var(--weld-line);
      }
    `,
  ];
}

function speakerOf(turn: NewTurn | undefined): string {
  if (!turn) return '';
  return turn.role === 'user' ? 'user' : 'assistant';
}

function cut(text: string): string {
  return text.length > LONG_TEXT ? `${text.slice(0, LONG_TEXT)}…` : text;
}
