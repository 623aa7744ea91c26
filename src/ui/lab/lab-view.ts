import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { LabApi, LabFile } from '../../bench/lab/contract.ts';
import { connectReplay } from '../../replay/lab/client.ts';
import type { ReplayApi } from '../../replay/lab/contract.ts';
import { base, buttons } from '../design/shared-styles.ts';
import type { ModelsSession } from '../models/models-session.ts';
import type { ReplayView } from '../replay/replay-view.ts';
import type { Session } from '../session.ts';
import { goInLab, type LabRoute, labHref, parseLabPath } from './lab-route.ts';
import { LabSession } from './lab-session.ts';
import './compare-view.ts';
import './run-list.ts';
import './run-view.ts';
import './setup-view.ts';

/** One lab a page, so that a run goes on while its view is closed. */
const sessions = new WeakMap<Session, Promise<LabSession>>();

/** The lab: the next run and earlier ones, one run, or several side by side. */
@customElement('skein-lab')
export class LabView extends LitElement {
  @property({ attribute: false }) session!: Session;
  @property({ attribute: false }) models: ModelsSession | undefined;
  @property({ attribute: false }) connect!: () => Promise<{ lab: LabApi }>;
  @property({ attribute: false }) path: readonly string[] = [];
  /** Its worker starts with the first call. */
  @property({ attribute: false }) replay: ReplayApi = connectReplay();
  @state() private lab: LabSession | undefined;

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('session')) void this.start();
  }

  override render(): TemplateResult | typeof nothing {
    return this.lab ? this.view(this.lab, parseLabPath(this.path)) : nothing;
  }

  /** Takes files dropped on the page: the package of the next run, or the data of a replay where that is in view. */
  takeFiles(files: readonly LabFile[]): void {
    if (!this.lab) return;
    const replay = this.renderRoot.querySelector<ReplayView>('skein-replay');
    if (replay) {
      if (files[0]) replay.takeFile(files[0].file);
      return;
    }
    this.lab.setup.chooseFiles(files);
    if (parseLabPath(this.path).kind !== 'home') goInLab({ kind: 'home' });
  }

  private view(lab: LabSession, route: LabRoute): TemplateResult {
    switch (route.kind) {
      case 'home':
        return html`
          <h1>Lab</h1>
          <p class="soft lead">
            SCALE-QA in this tab: choose a package and systems, run them, and leave with a table that somebody else
            reproduces from the exported file. For memory that changes over time there is the
            <a href=${labHref({ kind: 'replay' })}>replay</a>.
          </p>
          <div class="home">
            <skein-lab-runs .lab=${lab}></skein-lab-runs>
            <skein-lab-setup .lab=${lab}></skein-lab-setup>
          </div>
        `;
      case 'replay':
        void import('../replay/replay-view.ts');
        return html`<a class="back small" href=${labHref({ kind: 'home' })}>Lab</a>
          <skein-replay .session=${this.session} .replay=${this.replay} .lab=${lab}></skein-replay>`;
      case 'run':
        return html`<a class="back small" href=${labHref({ kind: 'home' })}>Lab</a>
          <skein-lab-run .lab=${lab} .route=${route}></skein-lab-run>`;
      case 'compare':
        return html`<a class="back small" href=${labHref({ kind: 'home' })}>Lab</a>
          <skein-lab-compare .lab=${lab} .ids=${route.runs}></skein-lab-compare>`;
    }
  }

  private async start(): Promise<void> {
    const { session, connect, models } = this;
    const known = sessions.get(session) ?? connect().then(({ lab }) => new LabSession(lab, session, models));
    sessions.set(session, known);
    await session.attempt(async () => {
      const lab = await known;
      await lab.ready;
      this.lab = lab;
    });
  }

  static override readonly styles = [
    base,
    buttons,
    css`
      :host {
        display: block;
        max-width: 76rem;
        margin-inline: auto;
        padding: var(--s5) var(--s5) var(--s7);
      }
      h1 {
        font-size: var(--text-2xl);
        letter-spacing: -0.02em;
      }
      .lead {
        max-width: var(--measure);
        padding-block: var(--s1) var(--s5);
      }
      .home {
        display: grid;
        gap: var(--s6);
      }
      @media (min-width: 76rem) {
        .home {
          grid-template-columns: minmax(0, 1fr) 20rem;
          gap: var(--s7);
        }
        skein-lab-runs {
          order: 2;
        }
      }
      @media (max-width: 56rem) {
        h1,
        .back {
          margin-inline-start: 2.75rem;
        }
      }
      @media (max-width: 40rem) {
        :host {
          padding: var(--s4) var(--s4) var(--s7);
        }
      }
    `,
  ];
}
