import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { Device } from '../../answer/device.ts';
import { readStorageState, requestPersistence, type StorageState } from '../../store/storage-state.ts';
import { icon } from '../design/icons.ts';
import { formatBytes } from '../format.ts';
import type { Session } from '../session.ts';
import { sectionStyles } from '../settings/section-styles.ts';
import { ModelsListener, type ModelsSession } from './models-session.ts';

const GIB = 2 ** 30;

/** What this device has for language models, how much of its storage is used, and whether the browser keeps it. */
@customElement('skein-device-section')
export class DeviceSection extends LitElement {
  @property({ attribute: false }) session!: Session;
  @property({ attribute: false }) models!: ModelsSession;
  @state() private storage: StorageState | undefined;
  @state() private refused = false;

  constructor() {
    super();
    new ModelsListener(this, ['models']);
  }

  override firstUpdated(): void {
    void this.readStorage();
  }

  override render(): TemplateResult | typeof nothing {
    const { device } = this.models;
    if (!device) return nothing;
    return html`
      <h2>This device</h2>
      <dl class="small">
        ${deviceFacts(device).map(([name, fact]) => html`<div><dt class="soft">${name}</dt><dd>${fact}</dd></div>`)}
        ${this.storage ? html`<div><dt class="soft">Storage</dt><dd>${storageFact(this.storage)}</dd></div>` : nothing}
      </dl>
      ${this.storage ? this.persistence(this.storage.persisted || this.models.persisted === true) : nothing}
    `;
  }

  private persistence(persisted: boolean): TemplateResult {
    if (persisted) {
      return html`<p class="small status">
        ${icon('check')} <span>The browser keeps models and threads until you erase them.</span>
      </p>`;
    }
    return html`<div class="notice caution">
      ${icon('warning')}
      <div>
        <p>The browser may clear models and threads when the disk runs full.</p>
        ${this.refused || this.models.persisted === false ? html`<p role="status">It was asked to keep them and said no for now. It may agree once the site is bookmarked or installed.</p>` : nothing}
        <button class="text-button" @click=${this.keep}>Ask it to keep them</button>
      </div>
    </div>`;
  }

  private readonly keep = async (): Promise<void> => {
    this.refused = !(await requestPersistence());
    await this.readStorage();
  };

  private async readStorage(): Promise<void> {
    this.storage = await readStorageState();
  }

  static override readonly styles = [
    sectionStyles,
    css`
      dl {
        display: grid;
        gap: var(--s1);
      }
      dl > div {
        display: grid;
        grid-template-columns: 6rem minmax(0, 1fr);
        gap: var(--s3);
      }
    `,
  ];
}

function deviceFacts({ gpu, memoryBytes, cores, isolated }: Device): [string, string][] {
  return [
    ['WebGPU', gpu ? gpuFact(gpu) : 'not offered by this browser: models run on the processor'],
    ['Memory', memoryBytes === undefined ? 'the browser does not tell' : memoryFact(memoryBytes)],
    [
      'Processor',
      `${cores === undefined ? 'the number of cores is not told' : `${cores} cores`}, ${isolated ? 'all can be used' : 'of which one is used: this page is not isolated'}`,
    ],
  ];
}

function gpuFact({ software, shaderF16, maxBufferBytes }: NonNullable<Device['gpu']>): string {
  const where = software ? 'computed by the processor, so very slow' : 'on the graphics processor';
  const halves = shaderF16 ? 'with shader-f16' : 'without shader-f16';
  return `${where}, ${halves}, buffers of ${(maxBufferBytes / GIB).toFixed(1)} GB at most`;
}

/** Browsers stop counting at 8 GB. */
function memoryFact(bytes: number): string {
  const gib = bytes / GIB;
  return gib >= 8 ? `${gib} GB or more` : `about ${gib} GB`;
}

function storageFact({ usedBytes, quotaBytes }: StorageState): string {
  return quotaBytes === 0
    ? 'the browser does not tell'
    : `${formatBytes(usedBytes)} used of the ${formatBytes(quotaBytes)} that this browser allows`;
}
