import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, query, state } from 'lit/decorators.js';
import { type SkeinError, toSkeinError } from '../../core/errors.ts';
import { icon } from '../design/icons.ts';
import { AddModelEvent } from './add-model-event.ts';
import { formStyles } from './form-styles.ts';
import { webllmModelAt } from './webllm-model-at.ts';

/** A model compiled for WebLLM that lies at an address of one's own. */
@customElement('skein-webllm-form')
export class WebllmForm extends LitElement {
  @state() private problem: SkeinError | undefined;
  @query('form') private form!: HTMLFormElement;

  override render(): TemplateResult {
    return html`<form @submit=${this.onSubmit}>
      <p class="small">
        A model that was compiled for WebLLM 0.2.86, at huggingface.co, on this site or on this machine: the policy of
        this page lets nothing else through. It needs WebGPU. Its files are fetched when you download it.
      </p>
      <label class="field"
        >Address of the model
        <input name="url" required inputmode="url" autocomplete="off" placeholder="https://huggingface.co/someone/model-MLC" />
      </label>
      <label class="field"
        >Address of its library (.wasm)
        <input name="library" required inputmode="url" autocomplete="off" placeholder="https://huggingface.co/someone/model-MLC/resolve/main/model.wasm" />
      </label>
      <label class="field"
        >Name
        <input name="title" autocomplete="off" placeholder="as it is to be listed" />
      </label>
      <label class="choice">
        <input name="half" type="checkbox" />
        <span>It was built for 16-bit arithmetic (q4f16) and needs shader-f16.</span>
      </label>
      ${
        this.problem
          ? html`<p class="notice problem" role="alert">
              ${icon('warning')}<span>${this.problem.message} ${this.problem.remedy}</span>
            </p>`
          : nothing
      }
      <div class="row"><button class="outline">${icon('plus')} Add the model</button></div>
    </form>`;
  }

  private readonly onSubmit = (event: Event): void => {
    event.preventDefault();
    this.problem = undefined;
    const field = (name: string) => this.form.elements.namedItem(name) as HTMLInputElement;
    try {
      const model = webllmModelAt({
        url: field('url').value,
        library: field('library').value,
        title: field('title').value,
        shaderF16: field('half').checked,
      });
      this.form.reset();
      this.dispatchEvent(new AddModelEvent(model));
    } catch (error) {
      this.problem = toSkeinError(error);
    }
  };

  static override readonly styles = formStyles;
}
