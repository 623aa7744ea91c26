import { abortedError, SkeinError, throwIfAborted } from '../../core/errors.ts';
import { Mutex } from '../../core/mutex.ts';
import { estimateTokens } from '../../core/tokens.ts';
import type {
  AnswerEngine,
  ChatMessage,
  Choice,
  ChooseOptions,
  GenerateOptions,
  Generation,
  LoadedModel,
  LoadOptions,
} from '../answer-engine.ts';
import { chooseByParsing, chooseByProbability } from '../letters.ts';
import type { AnswerModel } from '../models.ts';
import { checkWindow } from '../window.ts';
import type { ChatPiece } from './chat-response.ts';
import { type EndpointAccess, EndpointApi } from './endpoint-api.ts';
import { countPromptTokens } from './prompt-tokens.ts';
import { readAnswer } from './stream-answer.ts';

/** Most tokens read for a letter where a server gives no probabilities. */
const LETTER_TOKENS = 24;
/** As many as OpenAI's own server gives. */
const TOP_TOKENS = 20;

interface Connection {
  readonly api: EndpointApi;
  /** Model's name at the server. */
  readonly name: string;
  readonly llamaCpp: boolean;
  readonly loaded: LoadedModel;
}

/**
 * A server that speaks the OpenAI chat protocol, such as llama.cpp's, Ollama, LM Studio or vLLM. The prompt leaves
 * the tab. Runs in a page, a worker and Node; asks nothing of the server before `load`.
 */
export class EndpointEngine implements AnswerEngine {
  private readonly mutex = new Mutex();
  private connection: Connection | undefined;

  constructor(private readonly access: EndpointAccess = {}) {}

  get loaded(): LoadedModel | undefined {
    return this.connection?.loaded;
  }

  load(model: AnswerModel, { signal }: LoadOptions = {}): Promise<LoadedModel> {
    return this.mutex.run(async () => {
      throwIfAborted(signal);
      if (this.connection?.loaded.model.id === model.id) return this.connection.loaded;
      this.connection = undefined;
      this.connection = await connect(model, this.access, signal).catch((error) => {
        throw signal?.aborted ? abortedError() : error;
      });
      return this.connection.loaded;
    });
  }

  generate(messages: readonly ChatMessage[], options: GenerateOptions): Promise<Generation> {
    return this.mutex.run(() => answer(this.connected(), messages, options));
  }

  choose(
    messages: readonly ChatMessage[],
    letters: readonly string[],
    { signal }: ChooseOptions = {},
  ): Promise<Choice> {
    return this.mutex.run(async () => {
      throwIfAborted(signal);
      try {
        return await choose(this.connected(), messages, letters, signal);
      } catch (error) {
        throw signal?.aborted ? abortedError() : error;
      }
    });
  }

  async countTokens(messages: readonly ChatMessage[], { signal }: ChooseOptions = {}): Promise<number> {
    const { api, llamaCpp } = this.connected();
    try {
      return await countPromptTokens(api, llamaCpp, messages, signal);
    } catch (error) {
      throw signal?.aborted ? abortedError() : error;
    }
  }

  async unload(): Promise<void> {
    this.connection = undefined;
  }

  dispose(): Promise<void> {
    return this.unload();
  }

  private connected(): Connection {
    if (this.connection) return this.connection;
    throw new SkeinError('model-missing', 'No server is connected.', 'Choose a model first.');
  }
}

async function connect(
  model: AnswerModel,
  access: EndpointAccess,
  signal?: AbortSignal,
): Promise<Connection> {
  const { source } = model;
  if (source.kind !== 'endpoint') {
    throw new SkeinError('bad-argument', `${model.title} is not behind a server.`, 'Choose another model.');
  }
  const api = new EndpointApi(source.url, access);
  const models = await api.models(signal);
  if (models && models.names.length > 0 && !models.names.includes(source.model)) {
    throw new SkeinError(
      'model-missing',
      `${api.address.root} does not offer "${source.model}".`,
      `It offers: ${models.names.slice(0, 20).join(', ')}.`,
    );
  }
  const loaded: LoadedModel = { model, backend: 'remote', contextWindow: model.contextWindow };
  return { api, name: source.model, llamaCpp: models?.llamaCpp ?? false, loaded };
}

async function answer(
  connection: Connection,
  messages: readonly ChatMessage[],
  { maxTokens, temperature = 0, seed, onText, signal }: GenerateOptions,
): Promise<Generation> {
  const start = performance.now();
  let counted = 0;
  let text = '';
  let pieces = 0;
  let last: ChatPiece = { text: '' };
  let firstTokenMs: number | undefined;
  const generation = (finish: Generation['finish']): Generation => ({
    text,
    finish,
    promptTokens: last.promptTokens ?? counted,
    // A stream comes token by token; a whole answer whose server doesn't count is estimated.
    tokens: last.tokens ?? (pieces > 1 ? pieces : Math.round(estimateTokens(text))),
    ...(firstTokenMs !== undefined && { firstTokenMs }),
    milliseconds: performance.now() - start,
  });
  try {
    throwIfAborted(signal);
    counted = await countChecked(connection, messages, maxTokens, signal);
    const body = { messages, max_tokens: maxTokens, temperature, ...(seed !== undefined && { seed }) };
    for await (const piece of ask(connection, body, signal)) {
      last = { ...last, ...piece };
      if (piece.text === '') continue;
      firstTokenMs ??= performance.now() - start;
      text += piece.text;
      pieces++;
      onText?.(piece.text);
    }
  } catch (error) {
    if (signal?.aborted) return generation('interrupted');
    throw error;
  }
  return generation(last.finish ?? 'stop');
}

/** The prompt's tokens, refused when they and the answer pass the window. */
async function countChecked(
  { api, llamaCpp, loaded }: Connection,
  messages: readonly ChatMessage[],
  maxTokens: number,
  signal?: AbortSignal,
): Promise<number> {
  const tokens = await countPromptTokens(api, llamaCpp, messages, signal);
  checkWindow(loaded, tokens, maxTokens);
  return tokens;
}

/** Asks for a stream; once more without, where the server says that it can't. */
async function* ask(
  { api, name }: Connection,
  body: object,
  signal?: AbortSignal,
): AsyncGenerator<ChatPiece> {
  const url = `${api.address.api}/chat/completions`;
  const streamed = { model: name, ...body, stream: true, stream_options: { include_usage: true } };
  const response = await api.request(url, streamed, signal).catch((error) => {
    if (
      !(error instanceof SkeinError && /HTTP 4(00|22)/.test(error.message) && /stream/i.test(error.message))
    )
      throw error;
    return api.request(url, { model: name, ...body, stream: false }, signal);
  });
  yield* readAnswer(api, response);
}

async function choose(
  connection: Connection,
  messages: readonly ChatMessage[],
  letters: readonly string[],
  signal?: AbortSignal,
): Promise<Choice> {
  await countChecked(connection, messages, LETTER_TOKENS, signal);
  const { api, name } = connection;
  const request = async (body: object) => {
    const asked = { model: name, messages, temperature: 0, stream: false, ...body };
    for await (const piece of readAnswer(
      api,
      await api.request(`${api.address.api}/chat/completions`, asked, signal),
    )) {
      return piece;
    }
    return undefined;
  };
  const first = await request({ max_tokens: 1, logprobs: true, top_logprobs: TOP_TOKENS }).catch((error) => {
    if (error instanceof SkeinError && error.code === 'download-failed') return undefined;
    throw error;
  });
  const chosen = chooseByProbability(first?.firstTokens ?? [], letters);
  if (chosen) return chosen;
  return chooseByParsing((await request({ max_tokens: LETTER_TOKENS }))?.text ?? '', letters);
}
