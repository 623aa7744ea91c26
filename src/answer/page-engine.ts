import { Mutex } from '../core/mutex.ts';
import type {
  AnswerEngine,
  ChatMessage,
  Choice,
  ChooseOptions,
  GenerateOptions,
  Generation,
  LoadedModel,
  LoadOptions,
} from './answer-engine.ts';
import type { AnswerClient } from './client.ts';
import { type EngineGround, type EngineTable, PAGE_ENGINES } from './engines.ts';
import type { AnswerModel, EngineKind } from './models.ts';

/**
 * The engine of a page: most models run in the answer worker; those of `PAGE_ENGINES`, which a browser offers to pages
 * only, run here. One model at a time in all.
 */
export class PageEngine implements AnswerEngine {
  private local: { readonly kind: EngineKind; readonly engine: AnswerEngine } | undefined;
  private readonly loads = new Mutex();

  constructor(
    private readonly worker: AnswerClient,
    private readonly ground: EngineGround,
    private readonly engines: EngineTable = PAGE_ENGINES,
  ) {}

  get loaded(): LoadedModel | undefined {
    return this.active.loaded;
  }

  load(model: AnswerModel, options?: LoadOptions): Promise<LoadedModel> {
    return this.loads.run(async () => (await this.engineFor(model.engine)).load(model, options));
  }

  generate(messages: readonly ChatMessage[], options: GenerateOptions): Promise<Generation> {
    return this.active.generate(messages, options);
  }

  choose(
    messages: readonly ChatMessage[],
    letters: readonly string[],
    options?: ChooseOptions,
  ): Promise<Choice> {
    return this.active.choose(messages, letters, options);
  }

  countTokens(messages: readonly ChatMessage[]): Promise<number> {
    return this.active.countTokens(messages);
  }

  unload(): Promise<void> {
    return this.active.unload();
  }

  async dispose(): Promise<void> {
    await this.local?.engine.dispose();
    await this.worker.dispose();
  }

  private get active(): AnswerEngine {
    return this.local?.engine ?? this.worker;
  }

  /** The engine of a kind; the other one is freed first. */
  private async engineFor(kind: EngineKind): Promise<AnswerEngine> {
    const create = this.engines[kind];
    if (this.local?.kind === kind) return this.local.engine;
    const { local } = this;
    this.local = undefined;
    await local?.engine.dispose();
    if (!create) return this.worker;
    if (this.worker.loaded) await this.worker.unload();
    const engine = await create(this.ground);
    this.local = { kind, engine };
    return engine;
  }
}
