import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { toSkeinError } from '../../core/errors.ts';
import { cutText } from '../../core/text.ts';
import { icon } from '../../ui/design/icons.ts';
import { base, buttons, fields, notices } from '../../ui/design/shared-styles.ts';
import { counted, formatDay } from '../../ui/format.ts';
import type { Session } from '../../ui/session.ts';
import { markedMemory } from '../content/mark.ts';
import type { Host } from '../host/host.ts';
import type { EventAnswers, OfferedEpisode, PageEvent } from '../messages.ts';
import { shownIn } from '../shown.ts';
import { tellingTurns } from '../telling.ts';
import { askHost } from './ask-host.ts';

/** The first words of a turn that tell an episode from another. */
const OPENING = 220;

/** Recall for what is being written on the page beside the panel: it works where the page's own button can't. */
@customElement('skein-page-recall')
export class PageRecall extends LitElement {
  @property({ attribute: false }) session!: Session;
  @property({ attribute: false }) host!: Host;
  @property({ type: Number }) tabId = 0;
  @state() private text = '';
  @state() private episodes: readonly OfferedEpisode[] | undefined;
  @state() private ticked: ReadonlySet<OfferedEpisode> = new Set();
  @state() private searching = false;
  /** What came of the last insertion. */
  @state() private outcome: 'inserted' | 'refused' | 'copied' | undefined;
  @state() private problem: { readonly message: string; readonly remedy: string } | undefined;

  override firstUpdated(): void {
    void this.readPage();
  }

  override render(): TemplateResult {
    return html`
      <form @submit=${this.onSubmit}>
        <label class="field">
          What you are writing
          <textarea rows="2" dir="auto" .value=${this.text} @input=${this.onInput}></textarea>
        </label>
        <div class="row">
          <button class="outline" ?disabled=${this.searching || this.text.trim() === ''}>
            ${icon('search')} ${this.searching ? 'Recalling' : 'Recall'}
          </button>
          <button type="button" class="text-button" @click=${this.readPage}>${icon('again')} Read the page again</button>
        </div>
      </form>
      <div role="status">${this.result()}</div>
    `;
  }

  private result(): TemplateResult | typeof nothing {
    const { problem, episodes, ticked } = this;
    if (problem) {
      return html`<p class="notice problem">${icon('warning')}<span><strong>${problem.message}</strong> ${problem.remedy}</span></p>`;
    }
    if (!episodes) return nothing;
    if (episodes.length === 0) return html`<p class="soft small">Nothing that was kept fits this.</p>`;
    return html`
      <ul>
        ${episodes.map((episode) => html`<li>${this.offer(episode)}</li>`)}
      </ul>
      <div class="row">
        <button class="primary" ?disabled=${ticked.size === 0} @click=${this.insert}>
          Insert ${ticked.size === 0 ? 'episodes' : counted(ticked.size, 'episode')}
        </button>
        <button class="outline" ?disabled=${ticked.size === 0} @click=${this.copy}>${icon('copy')} Copy</button>
      </div>
      ${this.outcomeNote()}
    `;
  }

  private offer(episode: OfferedEpisode): TemplateResult {
    const { turns, at } = episode;
    return html`<label class="choice">
      <input type="checkbox" .checked=${this.ticked.has(episode)} @change=${() => this.toggle(episode)} />
      <span>
        <span class="soft small">${counted(turns.length, 'turn')}${at === undefined ? nothing : ` · ${formatDay(at)}`}</span>
        ${tellingTurns(episode)
          .slice(0, 2)
          .map(
            ({ role, text }) => html`<span class="turn" dir="auto"
            ><b>${role === 'user' ? 'You' : 'Assistant'}</b> ${shortened(text)}</span
          >`,
          )}
      </span>
    </label>`;
  }

  private outcomeNote(): TemplateResult | typeof nothing {
    switch (this.outcome) {
      case 'inserted':
        return html`<p class="small status">${icon('check')} Inserted before your text. Nothing was sent.</p>`;
      case 'copied':
        return html`<p class="small status">${icon('check')} Copied. Paste it where you write.</p>`;
      case 'refused':
        return html`<p class="notice caution">${icon('warning')}<span>The page did not take the text. Copy it, and paste it yourself.</span></p>`;
      default:
        return nothing;
    }
  }

  /** Fills in what stands in the page's composer, if the page can say. */
  private readonly readPage = async (): Promise<void> => {
    const report = (await this.tell({ kind: 'describe' })) as EventAnswers['describe'] | undefined;
    if (report?.text) this.text = report.text;
  };

  private readonly onInput = (event: Event): void => {
    this.text = (event.target as HTMLTextAreaElement).value;
  };

  private readonly onSubmit = async (event: Event): Promise<void> => {
    event.preventDefault();
    this.searching = true;
    this.outcome = undefined;
    this.problem = undefined;
    try {
      this.episodes = (
        await askHost(this.host, {
          kind: 'recall',
          text: this.text,
          beside: await shownIn(this.tabId),
        })
      ).episodes;
      this.ticked = new Set();
    } catch (error) {
      this.problem = toSkeinError(error);
    } finally {
      this.searching = false;
    }
  };

  private toggle(episode: OfferedEpisode): void {
    const ticked = new Set(this.ticked);
    if (!ticked.delete(episode)) ticked.add(episode);
    this.ticked = ticked;
    this.outcome = undefined;
  }

  private readonly insert = async (): Promise<void> => {
    const answer = (await this.tell({ kind: 'insert', episodes: this.chosen() })) as
      | EventAnswers['insert']
      | undefined;
    this.outcome = answer?.inserted ? 'inserted' : 'refused';
  };

  private readonly copy = async (): Promise<void> => {
    await this.session.attempt(async () => {
      await navigator.clipboard.writeText(markedMemory(this.chosen()));
      this.outcome = 'copied';
    });
  };

  /** In the order they were offered. */
  private chosen(): OfferedEpisode[] {
    return (this.episodes ?? []).filter((episode) => this.ticked.has(episode));
  }

  /** The content script's answer; undefined where there is none to hear it. */
  private tell(event: PageEvent): Promise<unknown> {
    return chrome.tabs.sendMessage(this.tabId, event, { frameId: 0 }).catch(() => undefined);
  }

  static override readonly styles = [
    base,
    buttons,
    fields,
    notices,
    css`
      :host {
        display: grid;
        gap: var(--s3);
        max-height: 60dvh;
        overflow-y: auto;
        padding-block: var(--s2);
      }
      form,
      [role="status"] {
        display: grid;
        gap: var(--s2);
      }
      textarea {
        width: 100%;
        resize: vertical;
      }
      li + li {
        border-block-start: 1px solid var(--line);
      }
      .choice > span {
        display: grid;
        gap: 2px;
        min-width: 0;
        font-size: var(--text-s);
      }
      .turn {
        overflow-wrap: anywhere;
        white-space: pre-line;
      }
      .turn b {
        font-weight: 620;
      }
      .status {
        display: flex;
        gap: var(--s2);
        align-items: center;
      }
    `,
  ];
}

function shortened(text: string): string {
  return text.length <= OPENING ? text : `${cutText(text, OPENING)} …`;
}
