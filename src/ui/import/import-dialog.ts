import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { type SkeinError, toSkeinError } from '../../core/errors.ts';
import type { Progress } from '../../core/progress.ts';
import type { ImportOutcome, ImportTarget } from '../../engine/contract.ts';
import { icon } from '../design/icons.ts';
import { base, buttons, dialogs, fields, notices } from '../design/shared-styles.ts';
import { counted, formatBytes, formatCount } from '../format.ts';
import { navigate } from '../router.ts';
import { type Session, SessionListener } from '../session.ts';
import './import-report.ts';

type Step =
  | { readonly kind: 'choose'; readonly problem?: SkeinError }
  | { readonly kind: 'running'; readonly file: string; readonly progress?: Progress }
  | { readonly kind: 'done'; readonly outcome: ImportOutcome };

/** Imports exports: files, what they become, progress, and the account of every message. */
@customElement('skein-import-dialog')
export class ImportDialog extends LitElement {
  @property({ attribute: false }) session!: Session;
  /** The thread that is open, which can be added to. */
  @property() current: string | undefined;
  @state() private step: Step = { kind: 'choose' };
  @state() private files: readonly File[] = [];
  @state() private target: ImportTarget['kind'] = 'one-thread';
  @state() private name = '';
  @query('dialog') private dialog!: HTMLDialogElement;
  private appendTo: string | undefined;
  private running: AbortController | undefined;

  constructor() {
    super();
    new SessionListener(this, (event) => {
      if (event.kind !== 'import' || this.step.kind !== 'running') return false;
      this.step = { kind: 'running', file: event.file, progress: event.progress };
      return true;
    });
  }

  /** Opens with `files` chosen already; `threadId` is the thread to add to, where the person asked for that. */
  async open(files: readonly File[] = [], threadId?: string): Promise<void> {
    await this.updateComplete;
    if (this.step.kind !== 'running') {
      this.step = { kind: 'choose' };
      this.appendTo = threadId ?? this.current;
      this.target = threadId ? 'append' : 'one-thread';
      this.setFiles(files);
    }
    await this.updateComplete;
    if (!this.dialog.open) this.dialog.showModal();
  }

  override render(): TemplateResult {
    return html`<dialog aria-labelledby="title" @cancel=${this.onEscape}>
      <header>
        <h2 id="title">${this.step.kind === 'done' ? 'What was imported' : 'Import'}</h2>
        <button class="icon-only" aria-label="Close" @click=${this.close}>${icon('close')}</button>
      </header>
      ${this.body()}
    </dialog>`;
  }

  private body(): TemplateResult {
    switch (this.step.kind) {
      case 'choose':
        return this.chooser(this.step.problem);
      case 'running':
        return this.progress(this.step.file, this.step.progress);
      case 'done':
        return this.account(this.step.outcome);
    }
  }

  private chooser(problem: SkeinError | undefined): TemplateResult {
    return html`<form @submit=${this.onSubmit}>
      ${
        problem
          ? html`<p class="notice problem" role="alert">
              ${icon('warning')}<span><strong>${problem.message}</strong> ${problem.remedy}</span>
            </p>`
          : nothing
      }
      <div class="pick">
        <label class="button outline" for="files">${icon('file')} ${this.files.length > 0 ? 'Choose other files' : 'Choose files'}</label>
        <input id="files" class="visually-hidden" type="file" multiple @change=${this.onPick} />
        <p class="soft small">
          ChatGPT (conversations.json or the ZIP), Claude, ShareGPT and UltraChat JSONL, plain text and Markdown
          transcripts, or a file that Skein exported. Several at once are fine.
        </p>
        ${this.fileList()}
      </div>
      <fieldset>
        <legend>The conversations become</legend>
        ${this.targetChoice('one-thread', 'One thread, merged by time', 'All conversations in the order they happened: one long memory.')}
        ${
          this.target === 'one-thread'
            ? html`<label class="field name">Name <input dir="auto" .value=${this.name} @input=${this.onName} /></label>`
            : nothing
        }
        ${this.targetChoice('thread-each', 'A thread each', 'Each conversation keeps to itself.')}
        ${this.appendChoice()}
      </fieldset>
      <div class="row end">
        <button type="button" class="outline" @click=${this.close}>Cancel</button>
        <button class="primary" ?disabled=${this.files.length === 0 || this.session.readOnly}>Import</button>
      </div>
    </form>`;
  }

  private appendChoice(): TemplateResult | typeof nothing {
    const thread = this.appendTo ? this.session.thread(this.appendTo) : undefined;
    if (!thread) return nothing;
    return this.targetChoice('append', `Added to “${thread.name}”`, 'After its last turn.');
  }

  private targetChoice(kind: ImportTarget['kind'], title: string, explanation: string): TemplateResult {
    return html`<label class="choice">
      <input type="radio" name="target" .checked=${this.target === kind} @change=${() => this.setTarget(kind)} />
      <span>${title}<span class="soft small explanation">${explanation}</span></span>
    </label>`;
  }

  private fileList(): TemplateResult | typeof nothing {
    if (this.files.length === 0) return nothing;
    const shown = this.files.slice(0, 6);
    const rest = this.files.length - shown.length;
    return html`<ul class="files small">
      ${shown.map(({ name, size }) => html`<li><bdi>${name}</bdi> <span class="soft">${formatBytes(size)}</span></li>`)}
      ${rest > 0 ? html`<li class="soft">and ${counted(rest, 'more file', 'more files')}</li>` : nothing}
    </ul>`;
  }

  private progress(file: string, progress: Progress | undefined): TemplateResult {
    return html`<div class="running">
      <p role="status">Reading <bdi>${file || counted(this.files.length, 'file')}</bdi></p>
      ${
        progress
          ? html`<progress aria-label="Import" max=${progress.total || 1} value=${progress.done}></progress>
              <p class="soft small number">${formatCount(progress.done)} of ${formatCount(progress.total)}</p>`
          : html`<progress aria-label="Import"></progress>`
      }
      <p class="soft small">What has been stored before stays, whatever happens here.</p>
      <div class="row end"><button class="outline" @click=${this.stop}>${icon('stop')} Cancel import</button></div>
    </div>`;
  }

  private account({ report, threadIds }: ImportOutcome): TemplateResult {
    const [first] = threadIds;
    return html`<skein-import-report .report=${report}></skein-import-report>
      <div class="row end">
        <button class="outline" @click=${() => this.open()}>Import more</button>
        ${
          first
            ? html`<button class="primary" @click=${() => this.show(first)}>
                ${threadIds.length > 1 ? `Open the first of ${formatCount(threadIds.length)} threads` : 'Open the thread'}
              </button>`
            : html`<button class="primary" @click=${this.close}>Close</button>`
        }
      </div>`;
  }

  private readonly onSubmit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const controller = new AbortController();
    this.running = controller;
    this.step = { kind: 'running', file: '' };
    try {
      const outcome = await this.session.engine.importFiles(
        this.files,
        this.importTarget(),
        controller.signal,
      );
      this.step = { kind: 'done', outcome };
      await this.session.refreshThreads();
    } catch (error) {
      const problem = toSkeinError(error);
      this.step = problem.code === 'aborted' ? { kind: 'choose' } : { kind: 'choose', problem };
    } finally {
      this.running = undefined;
    }
  };

  private importTarget(): ImportTarget {
    if (this.target === 'append' && this.appendTo) return { kind: 'append', threadId: this.appendTo };
    if (this.target === 'thread-each') return { kind: 'thread-each' };
    return { kind: 'one-thread', name: this.name.trim() || 'Imported thread' };
  }

  private setFiles(files: readonly File[]): void {
    this.files = files;
    const [first] = files;
    this.name = first ? first.name.replace(/\.[^.]+$/, '') : '';
  }

  private setTarget(kind: ImportTarget['kind']): void {
    this.target = kind;
  }

  private readonly onPick = (event: Event): void => {
    this.setFiles([...((event.target as HTMLInputElement).files ?? [])]);
  };

  private readonly onName = (event: Event): void => {
    this.name = (event.target as HTMLInputElement).value;
  };

  private show(threadId: string): void {
    this.close();
    navigate({ kind: 'thread', threadId });
  }

  private readonly stop = (): void => this.running?.abort();

  /** A running import is stopped with its button, not by a slip on Escape. */
  private readonly onEscape = (event: Event): void => {
    if (this.step.kind === 'running') event.preventDefault();
  };

  private readonly close = (): void => {
    if (this.step.kind === 'running') this.stop();
    this.dialog.close();
  };

  static override readonly styles = [
    base,
    buttons,
    fields,
    notices,
    dialogs,
    css`
      dialog {
        width: min(44rem, calc(100vw - 1.5rem));
        padding: var(--s4) var(--s5) var(--s5);
      }
      header {
        display: flex;
        align-items: center;
        justify-content: space-between;
        margin-block-end: var(--s3);
      }
      h2 {
        font-size: var(--text-xl);
      }
      form,
      .pick,
      .running {
        display: grid;
        gap: var(--s4);
      }
      .pick {
        justify-items: start;
        gap: var(--s3);
      }
      input[type='file']:focus-visible {
        outline: none;
      }
      .pick:has(input:focus-visible) label {
        outline: 2px solid var(--woad);
        outline-offset: 2px;
      }
      .files {
        overflow-wrap: anywhere;
      }
      .explanation {
        display: block;
      }
      .name {
        margin-inline-start: calc(1.1rem + var(--s3));
        max-width: 22rem;
      }
      .end {
        justify-content: flex-end;
        padding-block-start: var(--s3);
      }
      progress {
        width: 100%;
        accent-color: var(--woad);
      }
    `,
  ];
}
