import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { AnswerModel } from '../../answer/models.ts';
import { type SkeinError, toSkeinError } from '../../core/errors.ts';
import { icon } from '../design/icons.ts';
import { formatBytes } from '../format.ts';
import type { Session } from '../session.ts';
import { sectionStyles } from '../settings/section-styles.ts';
import type { DroppedFile } from '../shell/dropped-files.ts';
import type { AddModelEvent } from './add-model-event.ts';
import type { ModelsSession } from './models-session.ts';
import { readOwnModel } from './own-files.ts';
import './endpoint-form.ts';
import './webllm-form.ts';

/** Models of one's own: files that are on this device, an address of WebLLM files, or a server on this machine. */
@customElement('skein-own-models-section')
export class OwnModelsSection extends LitElement {
  @property({ attribute: false }) session!: Session;
  @property({ attribute: false }) models!: ModelsSession;
  @state() private reading: { readonly bytes: number } | undefined;
  @state() private problem: SkeinError | undefined;

  override render(): TemplateResult {
    return html`
      <h2>Bring your own</h2>
      <details open>
        <summary>A file or folder that you have</summary>
        <p class="small">
          A GGUF file, as other local tools keep them, or the folder of a model for transformers.js (with 4-bit weights)
          or WebLLM (with its library). Choose it, or drop it anywhere on this page. It is copied into this browser's
          storage and never leaves this device.
        </p>
        <div class="row">
          <label class="button outline"
            >${icon('file')} Choose files
            <input class="visually-hidden" type="file" accept=".gguf" multiple ?disabled=${this.reading !== undefined} @change=${this.onFiles} />
          </label>
          <label class="button outline"
            >${icon('import')} Choose a folder
            <input class="visually-hidden" type="file" webkitdirectory ?disabled=${this.reading !== undefined} @change=${this.onFiles} />
          </label>
        </div>
        ${this.reading ? html`<p class="small" role="status">Reading and keeping ${formatBytes(this.reading.bytes)}.</p>` : nothing}
        ${
          this.problem
            ? html`<p class="notice problem" role="alert">
                ${icon('warning')}<span>${this.problem.message} ${this.problem.remedy}</span>
              </p>`
            : nothing
        }
      </details>
      <details>
        <summary>A WebLLM model at an address</summary>
        <skein-webllm-form @add-model=${this.onAdd}></skein-webllm-form>
      </details>
      <details>
        <summary>A server that speaks the OpenAI protocol</summary>
        <skein-endpoint-form .models=${this.models} @add-model=${this.onAdd}></skein-endpoint-form>
      </details>
    `;
  }

  /** Adds the model in these files. */
  async takeFiles(files: readonly DroppedFile[]): Promise<void> {
    if (this.reading || files.length === 0) return;
    this.problem = undefined;
    this.reading = { bytes: files.reduce((sum, { file }) => sum + file.size, 0) };
    try {
      const own = await readOwnModel(files);
      await this.models.add(own.model, own.files);
      this.tell(own.model);
    } catch (error) {
      this.problem = toSkeinError(error);
      this.scrollIntoView({ block: 'nearest' });
    } finally {
      this.reading = undefined;
    }
  }

  private tell({ id, title }: AnswerModel): void {
    const view = this.models.models.find(({ model }) => model.id === id);
    const use = { label: 'Use it', run: () => this.models.choose(id) };
    this.session.toast(`${title} was added.`, view?.fit.verdict === 'cannot-run' ? undefined : use);
  }

  private readonly onFiles = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    const files = [...(input.files ?? [])].map((file) => ({
      path: file.webkitRelativePath || file.name,
      file,
    }));
    input.value = '';
    void this.takeFiles(files);
  };

  private readonly onAdd = (event: Event): void => {
    const { model } = event as AddModelEvent;
    void this.session.attempt(async () => {
      await this.models.add(model);
      this.tell(model);
    });
  };

  static override readonly styles = [
    sectionStyles,
    css`
      details {
        border: 1px solid var(--line);
        border-radius: var(--radius-m);
        padding: 0 var(--s4);
      }
      details[open] {
        padding-block-end: var(--s4);
      }
      summary {
        padding-block: var(--s3);
        font-weight: 560;
        cursor: pointer;
      }
      details > * + * {
        margin-block-start: var(--s3);
      }
      details > summary + * {
        margin-block-start: 0;
      }
      label.button:focus-within {
        outline: 2px solid var(--woad);
        outline-offset: 2px;
      }
    `,
  ];
}
