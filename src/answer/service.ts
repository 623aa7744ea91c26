import { SkeinError } from '../core/errors.ts';
import { Mutex } from '../core/mutex.ts';
import type {
  AnswerEngine,
  ChatMessage,
  Choice,
  Generation,
  LoadedModel,
  LoadProgress,
} from './answer-engine.ts';
import type { AnswerApi, GenerateRequest } from './contract.ts';
import type { EngineGround, EngineTable } from './engines.ts';
import type { AnswerModel, EngineKind } from './models.ts';

/** What the answer worker exposes: the engine of the model that was loaded last, and no other. See `AnswerApi`. */
export class AnswerService implements AnswerApi {
  private current: { readonly kind: EngineKind; readonly engine: AnswerEngine } | undefined;
  private key: string | undefined;
  private readonly loads = new Mutex();
  private readonly ground: EngineGround;

  constructor(
    private readonly engines: EngineTable,
    ground: Omit<EngineGround, 'key'>,
  ) {
    this.ground = { ...ground, key: () => this.key };
  }

  async setKey(key: string | undefined): Promise<void> {
    this.key = key;
  }

  load(
    model: AnswerModel,
    onProgress: (progress: LoadProgress) => void,
    signal?: AbortSignal,
  ): Promise<LoadedModel> {
    return this.loads.run(async () => {
      const engine = await this.engineFor(model.engine);
      return engine.load(model, { onProgress, signal });
    });
  }

  async generate(
    { messages, ...options }: GenerateRequest,
    onText: (piece: string) => void,
    signal?: AbortSignal,
  ): Promise<Generation> {
    return this.ready().generate(messages, { ...options, onText, signal });
  }

  async choose(
    messages: readonly ChatMessage[],
    letters: readonly string[],
    signal?: AbortSignal,
  ): Promise<Choice> {
    return this.ready().choose(messages, letters, { signal });
  }

  async countTokens(messages: readonly ChatMessage[], signal?: AbortSignal): Promise<number> {
    return this.ready().countTokens(messages, { signal });
  }

  unload(): Promise<void> {
    return this.loads.run(async () => {
      const { current } = this;
      this.current = undefined;
      await current?.engine.dispose();
    });
  }

  private ready(): AnswerEngine {
    if (this.current) return this.current.engine;
    throw new SkeinError('model-missing', 'No language model is loaded.', 'Choose one first.');
  }

  /** The engine of a kind, in place of another one, which is freed first. */
  private async engineFor(kind: EngineKind): Promise<AnswerEngine> {
    if (this.current?.kind === kind) return this.current.engine;
    const create = this.engines[kind];
    if (!create) {
      throw new SkeinError(
        'model-missing',
        `Models of the engine "${kind}" do not run here.`,
        'Choose a model of another engine.',
      );
    }
    const { current } = this;
    this.current = undefined;
    await current?.engine.dispose();
    const engine = await create(this.ground);
    this.current = { kind, engine };
    return engine;
  }
}
