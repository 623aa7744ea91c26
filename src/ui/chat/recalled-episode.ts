import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { Turn } from '../../core/turn.ts';
import type { RecalledEpisode, RecalledRange } from '../../store/records.ts';
import { icon } from '../design/icons.ts';
import { base, buttons } from '../design/shared-styles.ts';
import { formatCount, formatDay, formatDistance, turnNumber, turnSpan } from '../format.ts';
import { scoreParts, scorePartsStyles } from '../parts/score-parts.ts';
import { navigate } from '../router.ts';
import { type Session, SessionListener } from '../session.ts';
import { episodesOf, forgetWithUndo, remember, setPinned } from './episode-actions.ts';
import { speaker } from './turn-view.ts';
import '../parts/user-text.ts';

/** One recalled episode: its place, its decisive turns word for word, and why it was recalled. */
@customElement('skein-recalled-episode')
export class RecalledEpisodeView extends LitElement {
  @property({ attribute: false }) session!: Session;
  @property() threadId = '';
  @property({ attribute: false }) episode!: RecalledEpisode;
  @property({ attribute: false }) all: readonly RecalledEpisode[] = [];
  /** Place among the answers, from 1. */
  @property({ type: Number }) rank = 1;
  /** Number of turns the thread had when the question was asked. */
  @property({ type: Number }) position = 0;
  /** How it is announced with its number: what was recalled, or what an answer may cite. */
  @property() kind: 'Recalled' | 'Source' = 'Recalled';
  /** True for a source that the answer names; of the others nothing is quoted before they are opened. */
  @property({ type: Boolean }) cited = false;
  @property({ type: Boolean }) pinned = false;
  @property({ type: Boolean }) forgotten = false;
  /** True where the quotes show at once; the others open on demand. */
  @property({ type: Boolean }) open = false;
  @state() private turns: readonly Turn[] = [];
  @state() private whole = false;
  private readFor = '';

  constructor() {
    super();
    new SessionListener(this, (event) => {
      const changed = event.kind === 'turns' && event.threadId === this.threadId;
      if (changed) this.readFor = '';
      return changed;
    });
  }

  override willUpdate(): void {
    const stretches = stretchesOf(this.episode);
    const key = `${this.threadId} ${stretches.map(({ start, end }) => `${start}-${end}`).join(' ')}`;
    if (this.readFor === key) return;
    this.readFor = key;
    void this.session.attempt(async () => {
      const { engine } = this.session;
      const read = stretches.map(({ start, end }) => engine.readTurns(this.threadId, start, end));
      this.turns = (await Promise.all(read)).flat();
    });
  }

  override render(): TemplateResult {
    const { start, end } = this.episode;
    const time = this.turns[0]?.time;
    return html`<article aria-label="${this.kind} ${this.rank}: ${turnSpan(start, end)}">
      <header>
        <span class="rank number ${this.cited ? 'cited' : ''}" aria-hidden="true">${this.rank}</span>
        <h3>
          <button class="place" aria-expanded=${this.open} @click=${this.toggleOpen}>${turnSpan(start, end)}</button>
        </h3>
        <span class="soft small where">
          ${this.cited ? html`<strong class="mark">Cited</strong> · ` : nothing}${formatDistance(this.position - end)}${time === undefined ? nothing : ` · ${formatDay(time)}`}
          ${this.pinned ? ' · pinned' : nothing}${this.forgotten ? ' · forgotten' : nothing}
        </span>
        <span class="chevron" aria-hidden="true">${icon('chevron')}</span>
      </header>
      ${this.open ? this.body() : this.kind === 'Recalled' || this.cited ? this.preview() : nothing}
    </article>`;
  }

  private preview(): TemplateResult {
    const turn = this.quoted()[0];
    return html`<p class="preview soft small" dir="auto">${turn?.text.slice(0, 160)}</p>`;
  }

  private body(): TemplateResult {
    const { terms } = this.episode;
    return html`
      ${this.shownTurns().map((turn) => this.quote(turn))}
      <div class="why">
        <p class="small soft">
          ${
            terms.length > 0
              ? html`Words in common: ${terms.slice(0, 8).map((term, i) => html`${i > 0 ? ', ' : ''}<bdi>${term}</bdi>`)}`
              : 'No telling word in common.'
          }
        </p>
        ${scoreParts(
          this.episode.parts,
          this.all.map(({ parts }) => parts),
        )}
      </div>
      <div class="row actions">
        <button class="text-button" @click=${this.goToPlace}>${icon('goto')} Go to its place</button>
        ${
          this.turns.length > this.quoted().length
            ? html`<button class="text-button" aria-expanded=${this.whole} @click=${this.toggleWhole}>
                ${this.whole ? 'Only the decisive turns' : `${this.wholeName()} (${this.turns.length} turns)`}
              </button>`
            : nothing
        }
        ${this.session.readOnly ? nothing : this.changes()}
      </div>
    `;
  }

  private changes(): TemplateResult {
    const episodes = episodesOf(this.episode);
    const toggle = this.forgotten ? remember : forgetWithUndo;
    return html`
      <button
        class="text-button"
        aria-pressed=${this.pinned}
        @click=${() => setPinned(this.session, this.threadId, episodes, !this.pinned)}
      >
        ${icon(this.pinned ? 'pinned' : 'pin')} ${this.pinned ? 'Unpin' : 'Pin'}
      </button>
      <button class="text-button" @click=${() => toggle(this.session, this.threadId, episodes)}>
        ${icon(this.forgotten ? 'remember' : 'forget')} ${this.forgotten ? 'Remember' : 'Forget'}
      </button>
    `;
  }

  private quote(turn: Turn): TemplateResult {
    return html`<figure>
      <figcaption class="small soft">
        ${speaker(turn.role)}, turn <span class="number">${formatCount(turnNumber(turn.index))}</span>${this.continued(turn)}
      </figcaption>
      ${
        turn.erased
          ? html`<p class="soft">This turn was erased.</p>`
          : html`<blockquote>
              <skein-user-text .text=${turn.text} .terms=${this.episode.terms} .first=${1_200}></skein-user-text>
            </blockquote>`
      }
    </figure>`;
  }

  /** Marks what was taken up again later: it may not hold any more. What came after the time that was asked is set apart. */
  private continued({ index }: Turn): TemplateResult | typeof nothing {
    const { continuedAt, sinceAt } = rangeOf(this.episode, index) ?? {};
    if (continuedAt !== undefined) {
      return html` · <strong class="mark">taken up again in turn ${formatCount(turnNumber(continuedAt))}</strong>`;
    }
    return sinceAt === undefined
      ? nothing
      : html` · <span class="since">since then taken up again in turn ${formatCount(turnNumber(sinceAt))}</span>`;
  }

  private wholeName(): string {
    return (this.episode.ranges ?? []).some(({ episode }) => episode !== this.episode.episode)
      ? 'Whole family'
      : 'Whole episode';
  }

  /**
   * The decisive turns in the order of the thread, those that were taken up again later last; the first turn where
   * none is decisive.
   */
  private quoted(): Turn[] {
    const decisive = this.turns.filter(({ index }) => this.episode.decisive.includes(index));
    if (decisive.length === 0) return this.turns.slice(0, 1);
    const isEarlier = ({ index }: Turn) => rangeOf(this.episode, index)?.continuedAt !== undefined;
    return [...decisive.filter((turn) => !isEarlier(turn)), ...decisive.filter(isEarlier)];
  }

  private shownTurns(): readonly Turn[] {
    return this.whole ? this.turns : this.quoted();
  }

  private readonly toggleOpen = (): void => {
    this.open = !this.open;
  };

  private readonly toggleWhole = (): void => {
    this.whole = !this.whole;
  };

  private readonly goToPlace = (): void => {
    const turn = this.episode.decisive[0] ?? this.episode.start;
    navigate({ kind: 'thread', threadId: this.threadId, turn });
  };

  static override readonly styles = [
    base,
    buttons,
    scorePartsStyles,
    css`
      :host {
        display: block;
        border-top: 1px solid var(--line);
      }
      article {
        padding: var(--s2) 0;
        position: relative;
      }
      header {
        display: flex;
        align-items: center;
        flex-wrap: wrap;
        column-gap: var(--s2);
        position: relative;
        padding-inline-end: var(--s5);
      }
      .rank {
        display: inline-grid;
        place-items: center;
        width: 1.35rem;
        height: 1.35rem;
        border: 1.5px solid var(--woad);
        border-radius: 50%;
        color: var(--woad);
        font-size: var(--text-xs);
        font-weight: 620;
        flex: none;
      }
      .rank.cited {
        background: var(--woad);
        color: var(--on-woad);
      }
      .mark {
        color: var(--woad);
        font-weight: 620;
      }
      .since {
        padding-inline: var(--s1);
        border: 1px dashed var(--line-strong);
        border-radius: var(--radius-s);
      }
      h3 {
        font-size: var(--text-m);
      }
      .place {
        padding: 0;
        font-size: var(--text-m);
        font-weight: 620;
      }
      /* The whole line opens the episode. */
      .place::after {
        content: '';
        position: absolute;
        inset: 0;
      }
      .place:hover {
        background: none;
        text-decoration: underline;
      }
      @media (max-width: 40rem) {
        .where {
          flex-basis: 100%;
          padding-inline-start: 1.85rem;
        }
      }
      .chevron {
        position: absolute;
        inset-inline-end: 0;
        inset-block-start: 50%;
        translate: 0 -50%;
        color: var(--ink-soft);
        transition: rotate var(--ease);
      }
      header:has([aria-expanded='true']) .chevron {
        rotate: 90deg;
      }
      .preview {
        padding-inline-start: 1.85rem;
        padding-block-end: var(--s1);
        overflow: hidden;
        white-space: nowrap;
        text-overflow: ellipsis;
      }
      figure {
        margin: var(--s2) 0 var(--s3);
        padding-inline-start: 1.85rem;
      }
      blockquote {
        padding-inline-start: var(--s3);
        border-inline-start: 3px solid var(--weld-line);
      }
      .why {
        display: grid;
        gap: var(--s2);
        padding-inline-start: 1.85rem;
      }
      .actions {
        padding-inline-start: 1.85rem;
        margin-block: var(--s2) var(--s1);
        gap: var(--s1) var(--s4);
      }
    `,
  ];
}

/** The turns that belong to what was recalled, in thread order: its episode, and what else is of its family. */
function stretchesOf({ start, end, ranges = [] }: RecalledEpisode): { start: number; end: number }[] {
  const others = ranges.filter((range) => range.end <= start || range.start >= end);
  return [{ start, end }, ...others].sort((a, b) => a.start - b.start);
}

/** The stretch of the family that holds a turn. */
function rangeOf({ ranges = [] }: RecalledEpisode, turn: number): RecalledRange | undefined {
  return ranges.find(({ start, end }) => start <= turn && turn < end);
}
