import type { AnswerEngine, ChatMessage, Generation, LoadedModel } from '../answer/answer-engine.ts';
import { citations } from '../answer/citations.ts';
import type { AnswerPrompt } from '../answer/prompt.ts';
import { SkeinError, throwIfAborted } from '../core/errors.ts';
import type { AskRecord, NewAnswer } from '../store/records.ts';
import { type ChatPrompt, type PromptThread, promptFor } from './chat-prompt.ts';

/** Port: what the loop needs of a thread. */
export interface ChatThread extends PromptThread {
  /** Recalls what decides a question and keeps it, durably, beside the thread. */
  ask(question: string, signal: AbortSignal): Promise<AskRecord>;
  /** Makes question and answer turns of the thread, or the answer another version of the one that is there. */
  keepAnswer(askId: number, answer: NewAnswer): Promise<AskRecord>;
}

/** Where a turn has come to. */
export type ChatStep =
  | { readonly kind: 'recalling' }
  /** The engine is waited for; `ask` is kept whatever happens from here on. */
  | { readonly kind: 'loading'; readonly ask: AskRecord }
  /** The model reads its prompt; the first piece of text ends it. */
  | { readonly kind: 'reading'; readonly ask: AskRecord; readonly prompt: AnswerPrompt }
  /** `keeping`: the answer is whole and is being made durable. */
  | {
      readonly kind: 'writing' | 'keeping';
      readonly ask: AskRecord;
      readonly prompt: AnswerPrompt;
      /** The answer so far. */
      readonly text: string;
    };

export interface TurnRequest {
  readonly thread: ChatThread;
  /** A new question, or one that is kept already: then it is answered (again) from what it recalled. */
  readonly question: string | AskRecord;
  /** The engine with its model loaded; called once the question is kept. */
  readonly engine: (signal: AbortSignal) => Promise<AnswerEngine>;
  /** Most tokens of the answer. */
  readonly maxTokens: number;
  readonly signal: AbortSignal;
  readonly onStep?: (step: ChatStep) => void;
}

/** How freely another answer to the same question is drawn: the first one always takes the likeliest token. */
const RETRY_TEMPERATURE = 0.8;
/** Share of a small window that the answer may take at most. */
const ANSWER_SHARE = 0.5;

/**
 * One turn of a chat: recall, prompt, answer, write back. Stopped before the first word it rejects with `aborted`,
 * and the question stays; stopped later, the answer so far is kept as it is. Rejects as `ChatThread` and
 * `AnswerEngine` do, and with `model-broken` when the model gave no word.
 */
export async function runTurn(request: TurnRequest): Promise<AskRecord> {
  const { thread, question, signal, onStep } = request;
  onStep?.({ kind: 'recalling' });
  const ask = typeof question === 'string' ? await thread.ask(question, signal) : question;
  onStep?.({ kind: 'loading', ask });
  const engine = await request.engine(signal);
  const model = requireLoaded(engine);
  const maxTokens = Math.min(request.maxTokens, Math.floor(model.contextWindow * ANSWER_SHARE));
  const counter = {
    countTokens: (messages: readonly ChatMessage[]) => engine.countTokens(messages, { signal }),
  };
  const prompt = await promptFor(ask, thread, counter, model.contextWindow - maxTokens);
  throwIfAborted(signal);
  onStep?.({ kind: 'reading', ask, prompt });
  let text = '';
  const generation = await engine.generate(prompt.messages, {
    maxTokens,
    ...sampling(ask),
    signal,
    onText: (piece) => {
      text += piece;
      onStep?.({ kind: 'writing', ask, prompt, text });
    },
  });
  if (generation.text.trim() === '') throwIfAborted(signal);
  const answer = answerOf(generation, prompt, model);
  onStep?.({ kind: 'keeping', ask, prompt, text: answer.text });
  return thread.keepAnswer(ask.id, answer);
}

/** The same prompt gives the same answer, so another one is drawn with a little chance. */
function sampling({ answer }: AskRecord): { temperature: number; seed: number } | undefined {
  return answer && { temperature: RETRY_TEMPERATURE, seed: answer.versions.length };
}

function answerOf(generation: Generation, prompt: ChatPrompt, { model, backend }: LoadedModel): NewAnswer {
  const text = generation.text.trim();
  if (text === '') {
    throw new SkeinError('model-broken', 'The model ended its answer before the first word.', 'Try again.');
  }
  const named = citations(text, prompt.passages).flatMap(({ passages }) => passages);
  const { finish, promptTokens, tokens, firstTokenMs, milliseconds } = generation;
  return {
    text,
    answeredAt: Date.now(),
    model: model.id,
    title: model.title,
    engine: model.engine,
    backend,
    promptTokens,
    tokens,
    recalledTokens: prompt.recalledTokens,
    ...(firstTokenMs !== undefined && { firstTokenMs }),
    milliseconds,
    finish,
    passages: prompt.places,
    recent: prompt.recent,
    cited: [...new Set(named.map(({ number }) => number - 1))].sort((a, b) => a - b),
  };
}

function requireLoaded(engine: AnswerEngine): LoadedModel {
  if (engine.loaded) return engine.loaded;
  throw new SkeinError('model-missing', 'No language model is loaded.', 'Choose one under Models.');
}
