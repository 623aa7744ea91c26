import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { cutText } from '../../core/text.ts';
import type { Turn } from '../../core/turn.ts';
import type { EpisodeView } from '../../engine/contract.ts';
import { eraseConfirmed, forgetWithUndo, remember, setPinned } from '../chat/episode-actions.ts';
import { strandStyles, strandView } from '../chat/strand.ts';
import { runTurnAction } from '../chat/turn-actions.ts';
import { turnStyles, turnView } from '../chat/turn-view.ts';
import { icon } from '../design/icons.ts';
import { base, buttons } from '../design/shared-styles.ts';
import { counted, formatDay, formatDistance, turnSpan } from '../format.ts';
import { formatRoute } from '../router.ts';
import { type Session, SessionListener } from '../session.ts';
import '../parts/menu.ts';

/** One episode of the timeline: its place and opening words, its turns on demand, and what can be done. */
@customElement('skein-episode-item')
export class EpisodeItem extends LitElement {
  @property({ attribute: false }) session!: Session;
  @property() threadId = '';
  @property({ attribute: false }) episode!: EpisodeView;
  /** Number of turns of the thread, for how far back the episode lies. */
  @property({ type: Number }) total = 0;
  @property({ type: Boolean }) open = false;
  @state() private turns: readonly Turn[] = [];

  constructor() {
    super();
    new SessionListener(this, (event) => {
      if (event.kind === 'turns' && event.threadId === this.threadId && this.open) void this.read();
      return event.kind === 'tab';
    });
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('open') && this.open) void this.read();
  }

  override render(): TemplateResult {
    const { start, end, tokens, time, pinned, forgottenAt, opening } = this.episode;
    const place = turnSpan(start, end);
    return html`<article aria-label=${place} class=${forgottenAt === undefined ? '' : 'away'}>
      ${strandView(start, [this.episode])}
      <div class="content">
        <header>
          <h2>
            <button aria-expanded=${this.open} @click=${() => this.dispatchEvent(new Event('open-change'))}>${place}</button>
          </h2>
          <span class="soft meta">
            ${[
              time === undefined ? '' : formatDay(time),
              formatDistance(this.total - end),
              counted(Math.round(tokens), 'token'),
              pinned ? 'pinned' : '',
              forgottenAt === undefined ? '' : `forgotten ${formatDay(forgottenAt)}`,
            ]
              .filter((part) => part !== '')
              .join(' · ')}
          </span>
          ${this.tools(place)}
        </header>
        ${
          this.open
            ? this.turns.map((turn) =>
                turnView(turn, this.session.readOnly, (action, of) =>
                  runTurnAction(action, of, this.session, this.threadId),
                ),
              )
            : html`<p class="opening" dir="auto">${opening || 'Empty'}</p>`
        }
      </div>
    </article>`;
  }

  private tools(place: string): TemplateResult {
    const { session, threadId, episode } = this;
    const { pinned = false, forgottenAt, start } = episode;
    const forgotten = forgottenAt !== undefined;
    const toggle = forgotten ? remember : forgetWithUndo;
    const link = formatRoute({ kind: 'thread', threadId, turn: start });
    return html`<div class="tools">
      ${
        session.readOnly
          ? nothing
          : html`
              <button
                class="icon-only"
                aria-pressed=${pinned}
                aria-label="Pin ${place}"
                title=${pinned ? 'Unpin' : 'Pin'}
                @click=${() => setPinned(session, threadId, [episode], !pinned)}
              >
                ${icon(pinned ? 'pinned' : 'pin')}
              </button>
              <button
                class=${forgotten ? 'outline' : 'icon-only'}
                aria-label="${forgotten ? 'Remember' : 'Forget'} ${place}"
                title=${forgotten ? 'Recall it again' : 'Forget'}
                @click=${() => toggle(session, threadId, [episode])}
              >
                ${icon(forgotten ? 'remember' : 'forget')}${forgotten ? 'Remember' : nothing}
              </button>
            `
      }
      <skein-menu label="${place}: more">
        <a class="button" data-close href=${link}>${icon('goto')} Go to its place</a>
        ${
          session.readOnly
            ? nothing
            : html`<button data-close class="danger" @click=${this.erase}>${icon('erase')} Erase episode</button>`
        }
      </skein-menu>
    </div>`;
  }

  private readonly erase = (): void => {
    void eraseConfirmed(this.session, this.threadId, this.episode, cutText(this.episode.opening, 280));
  };

  private async read(): Promise<void> {
    const { start, end } = this.episode;
    await this.session.attempt(async () => {
      this.turns = await this.session.engine.readTurns(this.threadId, start, end);
    });
  }

  static override readonly styles = [
    base,
    buttons,
    strandStyles,
    turnStyles,
    css`
      :host {
        display: block;
      }
      article {
        display: grid;
        grid-template-columns: var(--strand) minmax(0, 1fr);
      }
      .content {
        padding-block: var(--s3);
        border-block-end: 1px solid var(--line);
      }
      .content > header {
        display: grid;
        grid-template: 'place meta tools' auto / auto 1fr auto;
        align-items: center;
        gap: 0 var(--s3);
        position: relative;
      }
      .content > header .meta {
        grid-area: meta;
      }
      @media (max-width: 40rem) {
        .content > header {
          grid-template: 'place tools' auto 'meta meta' auto / 1fr auto;
        }
      }
      h2 {
        font-size: var(--text-m);
      }
      h2 button {
        padding: 0;
        min-height: 1.75rem;
        font-size: inherit;
        font-weight: 620;
      }
      h2 button::after {
        content: '';
        position: absolute;
        inset: 0;
      }
      h2 button:hover {
        background: none;
        text-decoration: underline;
      }
      .meta {
        font-size: var(--text-xs);
      }
      .content > header > .tools {
        grid-area: tools;
        display: flex;
        position: relative;
        color: var(--ink-soft);
      }
      .tools [aria-pressed='true'] {
        color: var(--woad);
      }
      .opening {
        overflow: hidden;
        white-space: nowrap;
        text-overflow: ellipsis;
      }
      .away .opening,
      .away h2 {
        color: var(--ink-soft);
      }
    `,
  ];
}
