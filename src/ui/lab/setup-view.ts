import { css, html, LitElement, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { embeddingModel } from '../../embed/registry.ts';
import { icon } from '../design/icons.ts';
import { counted, formatBytes } from '../format.ts';
import { askPerson } from '../parts/confirm.ts';
import { goInLab } from './lab-route.ts';
import { LabListener, type LabSession } from './lab-session.ts';
import { labStyles } from './lab-styles.ts';
import './answer-section.ts';
import './package-section.ts';
import './systems-section.ts';
import './thread-section.ts';

/** The form of the next run. */
@customElement('skein-lab-setup')
export class SetupView extends LitElement {
  @property({ attribute: false }) lab!: LabSession;

  constructor() {
    super();
    new LabListener(this, ['setup', 'runs']);
  }

  override firstUpdated(): void {
    this.lab.setup.begin();
  }

  override render(): TemplateResult {
    const { lab } = this;
    const running = lab.runs.some(({ state }) => state.kind === 'running');
    const obstacle = running ? 'A run is under way; one goes at a time.' : lab.setup.obstacle;
    return html`
      <section aria-label="Package"><skein-lab-package .lab=${lab}></skein-lab-package></section>
      <section aria-label="Thread"><skein-lab-threads .lab=${lab}></skein-lab-threads></section>
      <section aria-label="Systems"><skein-lab-systems .lab=${lab}></skein-lab-systems></section>
      <section aria-label="Answers"><skein-lab-answers .lab=${lab}></skein-lab-answers></section>
      <div class="start">
        <button class="primary" ?disabled=${obstacle !== undefined} @click=${this.start}>
          ${icon('play')} Start the run
        </button>
        <span class="soft small" role="status">${obstacle ?? this.size()}</span>
      </div>
    `;
  }

  private size(): string {
    const { built, choices } = this.lab.setup;
    const questions = built!.batches.reduce((sum, batch) => sum + batch.questions, 0);
    const systems = counted(choices.systems.length, 'system');
    const ways = choices.modes.length === 2 ? ', asked in two ways' : '';
    return `${counted(questions, 'question')}, ${systems}${ways}`;
  }

  private readonly start = async (): Promise<void> => {
    const { lab } = this;
    const { request, build, plan } = lab.setup;
    if (!request || !(await this.agreesToDownload(plan.model))) return;
    const id = await lab.attempt(async () => {
      const { answer } = plan;
      await lab.api.setAnswerKey(answer && lab.models?.keyOf(answer.model.id));
      return lab.api.startRun(request, build, plan);
    });
    if (id !== undefined) goInLab({ kind: 'run', run: id, tab: 'table' });
  };

  /** A model that the site does not ship comes from a hub, which a person agrees to first. */
  private async agreesToDownload(model: string): Promise<boolean> {
    const { shipped, title, weights } = embeddingModel(model);
    if (shipped) return true;
    const answer = await askPerson({
      title: `Download ${title}?`,
      body: [
        `${formatBytes(weights[0]!.bytes)} are fetched from a model hub, unless they are here already. The hub sees that this browser asked for them. No text of yours is sent.`,
      ],
      confirm: 'Download and start',
    });
    return answer !== undefined;
  }

  static override readonly styles = [
    ...labStyles,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: var(--s5);
        max-width: 48rem;
      }
      section {
        border-block-start: 1px solid var(--line);
        padding-block-start: var(--s4);
        min-width: 0;
      }
      .start {
        position: sticky;
        inset-block-end: 0;
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: var(--s2) var(--s4);
        padding-block: var(--s3);
        background: var(--paper);
        border-block-start: 1px solid var(--line);
      }
    `,
  ];
}
