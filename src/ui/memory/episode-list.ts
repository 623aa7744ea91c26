import { VirtualizerController } from '@tanstack/lit-virtual';
import { css, html, LitElement, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, query } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import type { EpisodeView } from '../../engine/contract.ts';
import { base, virtualLists } from '../design/shared-styles.ts';
import { measureAfterLayout } from '../parts/measure.ts';
import type { Session } from '../session.ts';
import './episode-item.ts';

const ITEM_HEIGHT = 92;

/** The episodes of a thread along the strand, only those near the window in the page. */
@customElement('skein-episode-list')
export class EpisodeList extends LitElement {
  @property({ attribute: false }) session!: Session;
  @property() threadId = '';
  @property({ type: Number }) turns = 0;
  @property({ attribute: false }) episodes: readonly EpisodeView[] = [];
  @query('.scroller') private scroller!: HTMLElement;
  private readonly opened = new Set<number>();
  private readonly virtual = new VirtualizerController<HTMLElement, HTMLElement>(this, {
    count: 0,
    getScrollElement: () => this.scroller ?? null,
    estimateSize: () => ITEM_HEIGHT,
    getItemKey: (row) => this.episodes[row]?.id ?? row,
    measureElement: measureAfterLayout,
    overscan: 5,
    paddingEnd: 24,
  });

  override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('episodes')) return;
    const virtualizer = this.virtual.getVirtualizer();
    const getItemKey = (row: number) => this.episodes[row]?.id ?? row;
    virtualizer.setOptions({ ...virtualizer.options, count: this.episodes.length, getItemKey });
  }

  override render(): TemplateResult {
    const virtualizer = this.virtual.getVirtualizer();
    return html`<div class="scroller" tabindex="0" role="region" aria-label="Episodes">
      <div class="sizer" role="list" .style=${`height: ${virtualizer.getTotalSize()}px`}>
        ${repeat(
          virtualizer.getVirtualItems(),
          ({ key }) => key,
          ({ index, start }) => this.item(index, start),
        )}
      </div>
    </div>`;
  }

  override updated(): void {
    const virtualizer = this.virtual.getVirtualizer();
    for (const item of this.renderRoot.querySelectorAll<HTMLElement>('.item'))
      virtualizer.measureElement(item);
    virtualizer.measureElement(null);
  }

  private item(index: number, start: number): TemplateResult {
    const episode = this.episodes[index]!;
    return html`<div
      class="item"
      role="listitem"
      data-index=${index}
      aria-posinset=${index + 1}
      aria-setsize=${this.episodes.length}
      .style=${`transform: translateY(${start}px)`}
    >
      <skein-episode-item
        .session=${this.session}
        .threadId=${this.threadId}
        .total=${this.turns}
        .episode=${episode}
        .open=${this.opened.has(episode.id)}
        @open-change=${() => this.toggle(episode.id)}
      ></skein-episode-item>
    </div>`;
  }

  /** Kept here, since an item that leaves the window loses what it knew. */
  private toggle(id: number): void {
    if (!this.opened.delete(id)) this.opened.add(id);
    this.requestUpdate();
  }

  static override readonly styles = [
    base,
    virtualLists,
    css`
      .item {
        padding-inline: max(var(--s4), calc((100% - var(--measure) - var(--strand)) / 2));
      }
    `,
  ];
}
