import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { EpisodeView, SearchHit, ThreadView } from '../../engine/contract.ts';
import { icon } from '../design/icons.ts';
import { base, buttons, fields } from '../design/shared-styles.ts';
import { counted } from '../format.ts';
import { type Session, SessionListener } from '../session.ts';
import './episode-list.ts';
import './search-results.ts';
import '../parts/segmented.ts';

const HITS = 50;
const FILTERS = [
  { value: 'all', label: 'All' },
  { value: 'pinned', label: 'Pinned' },
  { value: 'forgotten', label: 'Forgotten' },
];

type Filter = 'all' | 'pinned' | 'forgotten';

/** What a thread remembers: its episodes along the strand, and a search over every turn. */
@customElement('skein-memory-view')
export class MemoryView extends LitElement {
  @property({ attribute: false }) session!: Session;
  @property({ attribute: false }) thread!: ThreadView;
  @state() private episodes: readonly EpisodeView[] | undefined;
  @state() private filter: Filter = 'all';
  @state() private query = '';
  @state() private hits: readonly SearchHit[] | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    new SessionListener(this, (event) => {
      const ours = 'threadId' in event && event.threadId === this.thread.id;
      if (ours && (event.kind === 'episodes' || event.kind === 'turns')) void this.load();
      return event.kind === 'tab';
    });
  }

  override firstUpdated(): void {
    void this.load();
  }

  override render(): TemplateResult {
    return html`
      <div class="bar">
        <search>
          <label class="visually-hidden" for="query">Search the turns of this thread</label>
          ${icon('search')}
          <input
            id="query"
            type="search"
            dir="auto"
            placeholder="Search every turn"
            .value=${this.query}
            @input=${this.onQuery}
          />
        </search>
        <skein-segmented
          label="Which episodes"
          .options=${FILTERS}
          .value=${this.filter}
          @change=${this.onFilter}
        ></skein-segmented>
        <p class="soft small count" role="status">${this.count()}</p>
      </div>
      ${this.hits ? this.results(this.hits) : this.timeline()}
    `;
  }

  private results(hits: readonly SearchHit[]): TemplateResult {
    return html`<skein-search-results
      .threadId=${this.thread.id}
      .hits=${hits}
      .query=${this.query}
    ></skein-search-results>`;
  }

  private timeline(): TemplateResult | typeof nothing {
    if (!this.episodes) return nothing;
    const shown = this.shown();
    if (shown.length === 0) return this.emptyTimeline();
    return html`<skein-episode-list
      .session=${this.session}
      .threadId=${this.thread.id}
      .turns=${this.thread.turns}
      .episodes=${shown}
    ></skein-episode-list>`;
  }

  private emptyTimeline(): TemplateResult {
    const said = {
      all: 'Episodes appear here once turns have been read into memory.',
      pinned: 'No episode is pinned. Pin one to keep it in sight.',
      forgotten: 'Nothing was forgotten. A forgotten episode waits here and can be remembered again.',
    };
    return html`<p class="empty soft">${said[this.filter]}</p>`;
  }

  private shown(): readonly EpisodeView[] {
    const episodes = this.episodes ?? [];
    if (this.filter === 'pinned') return episodes.filter(({ pinned }) => pinned);
    if (this.filter === 'forgotten') return episodes.filter(({ forgottenAt }) => forgottenAt !== undefined);
    return episodes;
  }

  private count(): string {
    if (this.hits) {
      return this.hits.length === HITS
        ? `The best ${HITS} turns`
        : counted(this.hits.length, 'turn found', 'turns found');
    }
    return this.episodes ? counted(this.shown().length, 'episode') : '';
  }

  private async load(): Promise<void> {
    await this.session.attempt(async () => {
      // The latest first: that is where a person begins to look.
      this.episodes = (await this.session.engine.listEpisodes(this.thread.id)).reverse();
    });
  }

  private readonly onFilter = (event: Event): void => {
    this.filter = (event.target as HTMLInputElement).value as Filter;
    this.query = '';
    this.hits = undefined;
  };

  private readonly onQuery = (event: Event): void => {
    this.query = (event.target as HTMLInputElement).value;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.search(), 200);
  };

  private async search(): Promise<void> {
    const query = this.query.trim();
    if (query === '') {
      this.hits = undefined;
      return;
    }
    await this.session.attempt(async () => {
      const hits = await this.session.engine.search(this.thread.id, query, HITS);
      if (query === this.query.trim()) this.hits = hits;
    });
  }

  static override readonly styles = [
    base,
    buttons,
    fields,
    css`
      :host {
        display: grid;
        grid-template-rows: auto minmax(0, 1fr);
        grid-template-columns: minmax(0, 1fr);
        min-height: 0;
        height: 100%;
      }
      .bar {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: var(--s2) var(--s3);
        width: 100%;
        max-width: calc(var(--measure) + var(--strand) + 2 * var(--s4));
        margin-inline: auto;
        padding: var(--s3) var(--s4);
      }
      search {
        position: relative;
        flex: 1 1 14rem;
      }
      search svg {
        position: absolute;
        inset-inline-start: var(--s3);
        inset-block-start: calc(50% - 0.575em);
        color: var(--ink-soft);
      }
      input#query {
        width: 100%;
        padding-inline-start: 2.5rem;
      }
      .count {
        min-width: 6rem;
        text-align: end;
      }
      .empty {
        max-width: 28rem;
        margin: 12vh auto 0;
        padding: var(--s5);
        text-align: center;
      }
    `,
  ];
}
