import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { type SkeinError, toSkeinError } from '../../core/errors.ts';
import { icon } from '../design/icons.ts';
import { AddModelEvent } from './add-model-event.ts';
import { formStyles } from './form-styles.ts';
import type { ModelsSession } from './models-session.ts';

/** A server of one's own: its address, its model, and the key, which is kept only where the person says so. */
@customElement('skein-endpoint-form')
export class EndpointForm extends LitElement {
  @property({ attribute: false }) models!: ModelsSession;
  @state() private url = '';
  @state() private names: readonly string[] = [];
  @state() private problem: SkeinError | undefined;
  @state() private asking = false;
  @query('form') private form!: HTMLFormElement;

  override render(): TemplateResult {
    const target = this.url.trim() || 'that address';
    return html`<form @submit=${this.onSubmit}>
      <p class="notice caution" role="note">
        ${icon('warning')}
        <span>
          Text leaves this tab: your question and the recalled episodes are sent to <strong>${target}</strong> with
          every question that this model answers.
        </span>
      </p>
      <label class="field"
        >Address
        <input name="url" required inputmode="url" autocomplete="off" placeholder="http://localhost:8080/v1" @input=${this.onUrl} />
      </label>
      <label class="field"
        >Model
        <input name="model" required autocomplete="off" list="names" placeholder="as the server names it" />
      </label>
      <datalist id="names">${this.names.map((name) => html`<option value=${name}></option>`)}</datalist>
      <div class="row">
        <button type="button" class="text-button" ?disabled=${this.asking || this.url.trim() === ''} @click=${this.ask}>
          Ask the server for its models
        </button>
        <span class="small soft" role="status">${this.names.length > 0 ? this.names.join(', ') : nothing}</span>
      </div>
      <label class="field short"
        >Window in tokens
        <input name="window" type="number" required min="512" step="1" value="4096" />
        <span class="soft hint">Prompt and answer together, as the server was started with.</span>
      </label>
      <label class="field"
        >Key, if it wants one
        <input name="key" type="password" autocomplete="off" />
      </label>
      <label class="choice">
        <input name="keep" type="checkbox" />
        <span>Keep the key on this device. Otherwise it is forgotten when this page is closed.</span>
      </label>
      ${
        this.problem
          ? html`<p class="notice problem" role="alert">
              ${icon('warning')}<span>${this.problem.message} ${this.problem.remedy}</span>
            </p>`
          : nothing
      }
      <div class="row"><button class="outline">${icon('plus')} Add the server</button></div>
    </form>`;
  }

  private readonly onUrl = (event: Event): void => {
    this.url = (event.target as HTMLInputElement).value;
    this.names = [];
  };

  private readonly ask = async (): Promise<void> => {
    this.asking = true;
    await this.attempt(async () => {
      const { listEndpointModels } = await import('../../answer/endpoint/models.ts');
      const key = this.read('key') || undefined;
      this.names = await listEndpointModels(this.url, { key: () => key });
    });
    this.asking = false;
  };

  private readonly onSubmit = async (event: Event): Promise<void> => {
    event.preventDefault();
    await this.attempt(async () => {
      const { endpointModel } = await import('../../answer/endpoint/models.ts');
      const contextWindow = Number(this.read('window'));
      const model = endpointModel({ url: this.url, model: this.read('model').trim(), contextWindow });
      const { checked } = this.form.elements.namedItem('keep') as HTMLInputElement;
      this.models.setEndpointKey(model.id, this.read('key') || undefined, checked);
      this.form.reset();
      this.url = '';
      this.dispatchEvent(new AddModelEvent(model));
    });
  };

  private read(name: string): string {
    return (this.form.elements.namedItem(name) as HTMLInputElement).value;
  }

  private async attempt(work: () => Promise<void>): Promise<void> {
    this.problem = undefined;
    try {
      await work();
    } catch (error) {
      this.problem = toSkeinError(error);
    }
  }

  static override readonly styles = formStyles;
}
