import { html, LitElement, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { version } from '../../../package.json';
import { icon } from '../design/icons.ts';
import type { ModelsSession } from '../models/models-session.ts';
import { askPerson } from '../parts/confirm.ts';
import { navigate } from '../router.ts';
import type { Session } from '../session.ts';
import { chooseTheme } from '../theme.ts';
import { sectionStyles } from './section-styles.ts';

const WORD = 'erase everything';

/** The way out: everything this site stored is erased. */
@customElement('skein-erase-section')
export class EraseSection extends LitElement {
  @property({ attribute: false }) session!: Session;
  @property({ attribute: false }) models!: ModelsSession;

  override render(): TemplateResult {
    return html`
      <h2>Erase everything</h2>
      <p class="soft small">Every thread, vector, question, run of the lab, setting and cached model of this site.</p>
      <div class="row">
        <button class="danger outline" ?disabled=${this.session.readOnly} @click=${this.erase}>
          ${icon('erase')} Erase everything
        </button>
      </div>
      <p class="soft small">Skein ${version}</p>
    `;
  }

  private readonly erase = async (): Promise<void> => {
    const answer = await askPerson({
      title: 'Erase everything?',
      body: [
        'All threads with their turns, vectors, episodes and questions, the runs of the lab, the settings, and all models that were downloaded or dropped are erased from this browser.',
        'There is no undo. Export everything first if you may want it back.',
      ],
      input: { label: `To confirm, type: ${WORD}`, must: WORD },
      confirm: 'Erase everything',
      danger: true,
    });
    if (answer === undefined) return;
    await this.session.attempt(async () => {
      // Its downloads would go on writing behind the engine's back.
      await this.models.erase();
      await this.session.engine.eraseEverything();
      chooseTheme('system');
      await this.session.refreshThreads();
      navigate({ kind: 'home' });
      this.session.toast('Everything was erased.');
    });
  };

  static override readonly styles = sectionStyles;
}
