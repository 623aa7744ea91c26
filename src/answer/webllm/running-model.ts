import {
  type ChatCompletionChunk,
  type ChatCompletionRequestStreaming,
  type ChatOptions,
  type LogitProcessor,
  MLCEngine,
  type ModelRecord,
} from '@mlc-ai/web-llm';
import { type SkeinError, throwIfAborted } from '../../core/errors.ts';
import type { AnswerModel } from '../models.ts';
import { fromWebLlm } from './errors.ts';
import { LIBRARY_URL, MODEL_URL, standingIn } from './interpose.ts';
import type { ModelPackage } from './package.ts';
import { WatchedDevice } from './watched-device.ts';

export interface StartOptions {
  /** Called with the bytes of the model's files that the runtime has taken. */
  readonly onBytes?: (bytes: number) => void;
  /** Called when the GPU was taken away from a model that was ready. */
  readonly onLost: (error: SkeinError) => void;
  readonly signal?: AbortSignal;
}

/** A request without what is the same in all of them. */
export type Request = Omit<ChatCompletionRequestStreaming, 'stream' | 'stream_options'>;

/** What web-llm's pipeline keeps to itself (0.2.86): the tokenizer of the model, and a view of its scores. */
interface Pipeline {
  readonly tokenizer: { encode(text: string): Int32Array };
  logitProcessor?: LogitProcessor;
}

/** A model on the GPU. What waits for it rejects with `device-lost` as soon as the GPU is taken away. */
export class RunningModel {
  private constructor(
    readonly model: AnswerModel,
    readonly pack: ModelPackage,
    /** Tokens of prompt and answer together. */
    readonly contextWindow: number,
    private readonly engine: MLCEngine,
    private readonly pipeline: Pipeline,
    private readonly device: WatchedDevice,
  ) {}

  /** Puts the files of `pack` on the GPU. Rejects as `AnswerEngine.load` does. */
  static async start(
    model: AnswerModel,
    pack: ModelPackage,
    { onBytes, onLost, signal }: StartOptions,
  ): Promise<RunningModel> {
    const contextWindow = windowOf(model, pack);
    const engine = new MLCEngine({ appConfig: { model_list: [recordOf(model)] }, logLevel: 'WARN' });
    const device = new WatchedDevice(onLost);
    const standIn = { files: pack.files, onBytes, onDevice: (one: GPUDevice) => device.watch(one), signal };
    try {
      await standingIn(standIn, (outcome) =>
        device.race(engine.reload(model.id, chatOptions(contextWindow))).catch((error: unknown) => {
          throw outcome.failure ?? error;
        }),
      );
      throwIfAborted(signal);
      const pipeline = pipelineOf(engine, model.id);
      device.setReady();
      return new RunningModel(model, pack, contextWindow, engine, pipeline, device);
    } catch (error) {
      // web-llm leaves the GPU's memory behind when a load fails.
      device.destroy();
      throw fromWebLlm(error, model.title, 'model-broken');
    }
  }

  /** Tokens of a text, by the tokenizer that the model is fed by. */
  encode(text: string): Int32Array {
    return this.pipeline.tokenizer.encode(text);
  }

  /** The answer to `request` as it comes. `onPart` may call `interrupt`; the stream then ends after this token. */
  async stream(request: Request, onPart: (part: ChatCompletionChunk) => void): Promise<void> {
    const run = async () => {
      // Each prompt stands for itself: nothing of an earlier one may change its answer or its count.
      await this.engine.resetChat();
      const parts = await this.engine.chat.completions.create({
        ...request,
        stream: true,
        stream_options: { include_usage: true },
      });
      for await (const part of parts) onPart(part);
    };
    await this.settled(run());
  }

  /** The same, with `reader` shown the scores of each token. */
  async streamRead(request: Request, reader: LogitProcessor): Promise<void> {
    // Set for this request alone: with a reader web-llm copies all scores to the processor and back for each token.
    this.pipeline.logitProcessor = reader;
    try {
      await this.stream(request, () => {});
    } finally {
      this.pipeline.logitProcessor = undefined;
    }
  }

  interrupt(): void {
    void this.engine.interruptGenerate();
  }

  /** Frees the GPU's memory. */
  async close(): Promise<void> {
    this.device.close();
    await this.settled(this.engine.unload()).catch(() => {});
    this.device.destroy();
  }

  private async settled(work: Promise<void>): Promise<void> {
    try {
      await this.device.race(work);
    } catch (error) {
      throw fromWebLlm(error, this.model.title, 'internal');
    }
  }
}

/** No more than the picker says, as memory for the whole window is taken at once; no more than the model has. */
function windowOf(model: AnswerModel, { config }: ModelPackage): number {
  const own = config.context_window_size;
  return own > 0 ? Math.min(own, model.contextWindow) : model.contextWindow;
}

/** Models that slide their window are run with a fixed one: nothing of a prompt is dropped in silence. */
function chatOptions(contextWindow: number): ChatOptions {
  return { context_window_size: contextWindow, sliding_window_size: -1 };
}

function recordOf(model: AnswerModel): ModelRecord {
  return {
    model: MODEL_URL,
    model_id: model.id,
    model_lib: LIBRARY_URL,
    required_features: model.needs.shaderF16 ? ['shader-f16'] : [],
  };
}

function pipelineOf(engine: MLCEngine, modelId: string): Pipeline {
  // Private to web-llm, and the only way to the tokenizer that the model is really fed by.
  const { loadedModelIdToPipeline } = engine as unknown as {
    loadedModelIdToPipeline: ReadonlyMap<string, Pipeline>;
  };
  const pipeline = loadedModelIdToPipeline.get(modelId);
  if (typeof pipeline?.tokenizer?.encode === 'function') return pipeline;
  throw new Error('The load ended without a model.');
}
