import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import type { PoolSummary } from '../../bench/lab/contract.ts';
import { icon } from '../design/icons.ts';
import { counted, formatCount } from '../format.ts';
import { LabListener, type LabSession } from './lab-session.ts';
import { labStyles } from './lab-styles.ts';
import { BUNDLED_POOLS } from './setup.ts';
import '../parts/segmented.ts';

type SourceKind = 'bundled' | 'files' | 'url';

const SOURCES: readonly { value: SourceKind; label: string }[] = [
  { value: 'bundled', label: 'Bundled' },
  { value: 'files', label: 'Own files' },
  { value: 'url', label: 'Address' },
];

/** Which package is run, the distractors beside it, and what was read. */
@customElement('skein-lab-package')
export class PackageSection extends LitElement {
  @property({ attribute: false }) lab!: LabSession;
  @state() private kind: SourceKind | undefined;

  constructor() {
    super();
    new LabListener(this, ['setup']);
  }

  override render(): TemplateResult {
    const { setup } = this.lab;
    const kind = this.shownKind();
    return html`
      <h2 id="title">Package</h2>
      <skein-segmented
        label="Where the questions come from"
        .options=${SOURCES}
        .value=${kind}
        @change=${this.onKind}
      ></skein-segmented>
      <div class="source">${this.source(kind)}</div>
      ${this.distractors()}
      <div role="status" class="read">
        ${setup.busy === 'reading' ? html`<p class="soft small">Reading the package</p>` : nothing}
        ${setup.pool ? this.summary(setup.pool) : nothing}
      </div>
      ${
        setup.problem
          ? html`<p class="notice problem" role="alert">
              ${icon('warning')}<span><strong>${setup.problem.message}</strong> ${setup.problem.remedy}</span>
            </p>`
          : nothing
      }
    `;
  }

  /** The kind that is looked at; that of the chosen package until a person looks at another. */
  private shownKind(): SourceKind {
    return this.kind ?? this.lab.setup.choices.source?.kind ?? 'files';
  }

  private source(kind: SourceKind): TemplateResult {
    switch (kind) {
      case 'bundled':
        return this.bundled();
      case 'files':
        return this.files();
      case 'url':
        return this.address();
    }
  }

  private bundled(): TemplateResult {
    const { source } = this.lab.setup.choices;
    const chosen = source?.kind === 'bundled' ? source.pool : '';
    return html`<fieldset>
      <legend class="visually-hidden">Bundled pool</legend>
      ${BUNDLED_POOLS.map(
        ({ name, title, summary }) => html`<label class="choice">
          <input
            type="radio"
            name="pool"
            .checked=${live(name === chosen)}
            @change=${() => this.chooseBundled(name)}
          />
          <span>${title}<span class="hint">${summary}</span></span>
        </label>`,
      )}
    </fieldset>`;
  }

  private files(): TemplateResult {
    const { source } = this.lab.setup.choices;
    return html`
      <p class="hint">
        A released SCALE-QA package as a folder or ZIP, or JSON Lines of your own. You can also drop it anywhere on
        this page. Nothing is uploaded.
      </p>
      <div class="row">
        <label class="button outline" for="files">${icon('file')} Choose a file</label>
        <input id="files" class="visually-hidden" type="file" multiple @change=${this.onFiles} />
        <label class="button outline" for="folder">${icon('import')} Choose a folder</label>
        <input id="folder" class="visually-hidden" type="file" webkitdirectory @change=${this.onFiles} />
      </div>
      ${
        source?.kind === 'files'
          ? html`<p class="small">
              <bdi>${source.name}</bdi>
              <span class="soft">${counted(source.files.length, 'file')}</span>
            </p>`
          : nothing
      }
    `;
  }

  private address(): TemplateResult {
    const { source } = this.lab.setup.choices;
    return html`<form class="row address" @submit=${this.onAddress}>
        <label class="field"
          >Address of a package folder, a ZIP or a JSON Lines file
          <input
            name="url"
            type="url"
            required
            autocomplete="off"
            placeholder="https://"
            .value=${source?.kind === 'url' ? source.url : ''}
          />
        </label>
        <button class="outline">Read</button>
      </form>
      <p class="hint">
        This page fetches from its own site and from huggingface.co only. Anything else: download it, and choose the
        files.
      </p>`;
  }

  private distractors(): TemplateResult {
    const { bundledNoise, noiseFiles } = this.lab.setup.choices;
    return html`<fieldset class="noise">
      <legend>Distractors</legend>
      <label class="choice">
        <input type="checkbox" .checked=${live(bundledNoise)} @change=${this.onBundledNoise} />
        <span>Noise chats <span class="soft">110 everyday conversations, bundled</span></span>
      </label>
      ${noiseFiles.map(
        (file) => html`<p class="row small file">
          ${icon('file')} <bdi>${file.name}</bdi>
          <button class="text-button" @click=${() => this.dropNoise(file)}>
            Leave out<span class="visually-hidden"> ${file.name}</span>
          </button>
        </p>`,
      )}
      <label class="button outline" for="noise">${icon('plus')} Add files</label>
      <input id="noise" class="visually-hidden" type="file" multiple @change=${this.onNoise} />
      <p class="hint">Any chat export, UltraChat or ShareGPT JSON Lines. Long threads need them.</p>
    </fieldset>`;
  }

  private summary(pool: PoolSummary): TemplateResult {
    const { topics, noise, problems, problemCounts } = pool;
    const facts: readonly [string, string][] = [
      ['Questions', `${formatCount(pool.questions)}, ${formatCount(pool.withOptions)} with options`],
      ['Conversations', size(pool)],
      ['Distractors', noise.dialogues > 0 ? size(noise) : 'none'],
    ];
    const total = Object.values(problemCounts).reduce((sum, count) => sum + count, 0);
    return html`
      <dl>${facts.map(([name, value]) => html`<dt>${name}</dt><dd class="number">${value}</dd>`)}</dl>
      ${
        topics.length > 1
          ? html`<details>
              <summary>${counted(topics.length, 'topic')}</summary>
              <ul class="topics small">
                ${topics.map(({ name, questions }) => html`<li>${name || 'without one'} <span class="soft number">${formatCount(questions)}</span></li>`)}
              </ul>
            </details>`
          : nothing
      }
      ${
        total > 0
          ? html`<div class="notice caution">
              ${icon('warning')}
              <div>
                <p>
                  ${counted(total, 'thing was', 'things were')} left out or noted:
                  ${Object.entries(problemCounts).map(([kind, count], i) => `${i > 0 ? ', ' : ''}${formatCount(count)} ${kind.replaceAll('-', ' ')}`)}.
                  The rest runs.
                </p>
                <details>
                  <summary>Where</summary>
                  <ul class="problems">
                    ${problems.map(({ place, message }) => html`<li><strong>${place}</strong>: ${message}</li>`)}
                    ${problems.length < total ? html`<li>and ${formatCount(total - problems.length)} more</li>` : nothing}
                  </ul>
                </details>
              </div>
            </div>`
          : nothing
      }
    `;
  }

  private readonly onKind = (event: Event): void => {
    this.kind = (event.target as HTMLInputElement).value as SourceKind;
  };

  private chooseBundled(pool: string): void {
    this.kind = undefined;
    this.lab.setup.choose({ source: { kind: 'bundled', pool }, topics: undefined });
  }

  private readonly onFiles = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    const files = [...(input.files ?? [])];
    // The same files may be chosen again after they were changed.
    input.value = '';
    this.kind = undefined;
    this.lab.setup.chooseFiles(files.map((file) => ({ path: file.webkitRelativePath || file.name, file })));
  };

  private readonly onAddress = (event: Event): void => {
    event.preventDefault();
    const url = String(new FormData(event.target as HTMLFormElement).get('url') ?? '').trim();
    this.kind = undefined;
    this.lab.setup.choose({ source: { kind: 'url', url }, topics: undefined });
  };

  private readonly onBundledNoise = (event: Event): void => {
    this.lab.setup.choose({ bundledNoise: (event.target as HTMLInputElement).checked });
  };

  private readonly onNoise = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    const { noiseFiles } = this.lab.setup.choices;
    this.lab.setup.choose({ noiseFiles: [...noiseFiles, ...(input.files ?? [])] });
    input.value = '';
  };

  private dropNoise(file: File): void {
    const { noiseFiles } = this.lab.setup.choices;
    this.lab.setup.choose({ noiseFiles: noiseFiles.filter((other) => other !== file) });
  }

  static override readonly styles = [
    ...labStyles,
    css`
      :host,
      .source,
      .noise,
      .read {
        display: grid;
        gap: var(--s3);
        justify-items: start;
        min-width: 0;
      }
      .noise {
        gap: var(--s2);
      }
      .read:empty {
        display: none;
      }
      legend {
        font-size: var(--text-s);
      }
      .choice {
        padding: var(--s2) 0;
      }
      .choice .hint {
        display: block;
      }
      .address {
        align-items: end;
      }
      .address label {
        width: min(30rem, 100%);
      }
      dl {
        display: grid;
        grid-template-columns: auto 1fr;
        gap: var(--s1) var(--s4);
        font-size: var(--text-s);
      }
      dt {
        color: var(--ink-soft);
      }
      .topics {
        columns: 12rem;
        column-gap: var(--s5);
      }
      .problems {
        max-height: 16rem;
        overflow-y: auto;
      }
      .notice {
        width: 100%;
      }
      .file {
        overflow-wrap: anywhere;
      }
      input.visually-hidden:focus-visible {
        outline: none;
      }
      label:has(+ input.visually-hidden:focus-visible) {
        outline: 2px solid var(--woad);
        outline-offset: 2px;
      }
    `,
  ];
}

function size({ dialogues, turns, tokens }: PoolSummary['noise']): string {
  return `${formatCount(dialogues)}, ${counted(turns, 'turn')}, ${formatCount(tokens)} tokens`;
}
