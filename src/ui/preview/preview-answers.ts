import type {
  AnswerEngine,
  ChatMessage,
  GenerateOptions,
  Generation,
  LoadedModel,
  LoadOptions,
} from '../../answer/answer-engine.ts';
import type { AnswerModel } from '../../answer/models.ts';
import { abortedError, type SkeinError } from '../../core/errors.ts';
import type { AnswerSource } from '../chat/chat-session.ts';
import type { LoadState } from '../models/model-view.ts';
import type { ModelsEvent } from '../models/models-session.ts';

export const PREVIEW_MODEL: AnswerModel = {
  id: 'preview-135m',
  engine: 'transformers',
  title: 'Preview 135M',
  parameters: 135,
  bytes: 98_000_000,
  contextWindow: 4_096,
  licence: 'none',
  needs: { webgpu: false, shaderF16: false, memoryBytes: 0 },
  source: { kind: 'browser' },
  note: 'Not a model: it says what it is told, for working on the interface.',
};

const ANSWER = `Dr Sorrel sees patients who are **up to 10 minutes late** since Gwenda's audit [2]; before it was 12 [1].
Eleven minutes late is too late, *unless* there is a number 14 bus ticket:

| Who | Late by | With a 14 ticket |
|---|---|---|
| Dr Sorrel | 10 minutes | 20 minutes |
| Dr Amadi | 7 minutes, then Nurse Pell | 20 minutes |

1. Ask for the bus ticket.
2. Without one, rebook.

\`\`\`ts
const seen = minutesLate <= (ticket === 14 ? 20 : 10);
\`\`\`
`;

/** An engine that says what it is told, a few letters at a time: it stands for an engine's shape, not its result. */
class ScriptedEngine implements AnswerEngine {
  loaded: LoadedModel | undefined;

  constructor(private readonly script: PreviewAnswers) {}

  async load(model: AnswerModel, { onProgress, signal }: LoadOptions = {}): Promise<LoadedModel> {
    for (let part = 0; part <= 8 && this.script.loadPause > 0; part++) {
      onProgress?.({ step: 'download', loadedBytes: (model.bytes * part) / 8, totalBytes: model.bytes });
      await pause(this.script.loadPause, signal);
    }
    this.loaded = { model, backend: 'wasm', contextWindow: model.contextWindow };
    return this.loaded;
  }

  async generate(messages: readonly ChatMessage[], options: GenerateOptions): Promise<Generation> {
    const { script } = this;
    const begun = performance.now();
    const answer = script.answers.length > 1 ? script.answers.shift()! : script.answers[0]!;
    let text = '';
    let tokens = 0;
    let firstTokenMs: number | undefined;
    try {
      await pause(script.readPause, options.signal);
      for (const piece of answer.match(/.{1,4}/gsu) ?? []) {
        await pause(script.tokenPause, options.signal);
        if (script.breaks) throw script.breaks;
        firstTokenMs ??= performance.now() - begun;
        text += piece;
        tokens++;
        options.onText?.(piece);
      }
    } catch (error) {
      if (!options.signal?.aborted) throw error;
    }
    return {
      text,
      finish: options.signal?.aborted ? 'interrupted' : 'stop',
      promptTokens: await this.countTokens(messages),
      tokens,
      ...(firstTokenMs !== undefined && { firstTokenMs }),
      milliseconds: performance.now() - begun,
    };
  }

  async choose(): Promise<never> {
    throw new Error('A chat makes no choices.');
  }

  async countTokens(messages: readonly ChatMessage[]): Promise<number> {
    return Math.round(messages.reduce((sum, { content }) => sum + content.length / 4 + 4, 0));
  }

  async unload(): Promise<void> {
    this.loaded = undefined;
  }

  async dispose(): Promise<void> {}
}

/** A chosen model and its engine in memory, for working on the chat and for its tests. */
export class PreviewAnswers implements AnswerSource {
  load: LoadState = { kind: 'idle' };
  /** What the next answers are; the last one stays. */
  answers: string[] = [ANSWER];
  /** Milliseconds that loading an eighth, reading the prompt and a token take. */
  loadPause = 0;
  readPause = 0;
  tokenPause = 0;
  /** What an answer breaks off with. */
  breaks: SkeinError | undefined;
  private readonly scripted = new ScriptedEngine(this);
  private readonly listeners = new Set<(event: ModelsEvent) => void>();

  constructor(public chosen: AnswerModel | undefined = PREVIEW_MODEL) {}

  listen(listener: (event: ModelsEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  async choice(): Promise<AnswerModel | undefined> {
    return this.chosen;
  }

  async engine(signal?: AbortSignal): Promise<AnswerEngine> {
    const model = this.chosen!;
    if (this.scripted.loaded?.model.id === model.id) return this.scripted;
    const loaded = await this.scripted.load(model, {
      ...(signal && { signal }),
      onProgress: (progress) => this.setLoad({ kind: 'loading', model, progress }),
    });
    this.setLoad({ kind: 'ready', loaded });
    return this.scripted;
  }

  private setLoad(load: LoadState): void {
    this.load = load;
    for (const listener of this.listeners) listener('load');
  }
}

/** The answers that `?preview=answers` shows, at the pace of a small model. */
export function previewAnswers(): PreviewAnswers {
  const answers = new PreviewAnswers();
  answers.loadPause = 250;
  answers.readPause = 1_200;
  answers.tokenPause = 40;
  return answers;
}

async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  if (milliseconds > 0) await new Promise((resolve) => setTimeout(resolve, milliseconds));
  if (signal?.aborted) throw abortedError();
}
