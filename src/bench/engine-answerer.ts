import type { AnswerEngine, ChatMessage } from '../answer/answer-engine.ts';
import { chooseByParsing } from '../answer/letters.ts';
import type { AnswerModel } from '../answer/models.ts';
import { SkeinError, throwIfAborted, toSkeinError } from '../core/errors.ts';
import type { Answerer, AnswerGiven, AnswerRequest } from './answerer.ts';
import {
  CHOICE_PROMPT_VERSION,
  choicePrompt,
  LETTER_ONLY,
  RATIONALE_AND_LETTER,
  WHY,
} from './choice-prompt.ts';
import { LETTERS, type Letter } from './exchange.ts';

/**
 * How a letter is got. `written`: the model writes a rationale and then the letter, as the paper's models do; where no
 * letter can be read out of that, it is made to choose. `forced`: the likeliest of the four letters as the first token,
 * then a short rationale for it, which is what very small models manage.
 */
export const ANSWER_WAYS = ['written', 'forced'] as const;
export type AnswerWay = (typeof ANSWER_WAYS)[number];

export interface EngineAnswererOptions {
  /** Default: `forced` for models below a thousand million parameters, else `written`. */
  readonly way?: AnswerWay;
  /** Most tokens of a prompt; default and upper bound: what the model's window leaves beside the answer. */
  readonly contextTokens?: number;
  /** Most tokens of what the model writes; default 200 `written`, 24 `forced`. */
  readonly answerTokens?: number;
}

const SMALL = 1_000;
const ANSWER_TOKENS: Readonly<Record<AnswerWay, number>> = { written: 200, forced: 24 };
/** Whether a model is so small that a letter has to be forced out of it. */
export function isSmall({ parameters = SMALL }: Pick<AnswerModel, 'parameters'>): boolean {
  return parameters < SMALL;
}

/** Tokens beside a forced choice's prompt: the letter, the question why, the template around them. */
const ASIDE = 64;
/** So many questions failing one after the other are no accident. */
const FAILURES_IN_A_ROW = 5;

/** Answers the lab's questions with a loaded engine. Throws `model-missing` where none is loaded. */
export class EngineAnswerer implements Answerer {
  readonly name: string;
  private readonly way: AnswerWay;
  private readonly answerTokens: number;
  private readonly budget: number;
  private failures = 0;

  constructor(
    private readonly engine: AnswerEngine,
    { way, contextTokens = Number.POSITIVE_INFINITY, answerTokens }: EngineAnswererOptions = {},
  ) {
    const { loaded } = engine;
    if (!loaded) throw new SkeinError('model-missing', 'No language model is loaded.', 'Load one first.');
    const { model, contextWindow } = loaded;
    this.way = way ?? (isSmall(model) ? 'forced' : 'written');
    this.answerTokens = answerTokens ?? ANSWER_TOKENS[this.way];
    this.budget = Math.min(contextTokens, contextWindow - this.answerTokens - ASIDE);
    this.name = [
      model.id,
      `${model.engine} on ${loaded.backend}`,
      CHOICE_PROMPT_VERSION,
      this.way,
      `prompts up to ${this.budget} tokens`,
    ].join(', ');
  }

  /**
   * One answer. What goes wrong with it is told in `dropped`, and the run goes on; only a stop, and the fifth failure
   * in a row, reject.
   */
  async answer(request: AnswerRequest): Promise<AnswerGiven> {
    try {
      const given = await (this.way === 'forced' ? this.forced(request) : this.written(request));
      this.failures = 0;
      return given;
    } catch (error) {
      throwIfAborted(request.signal);
      const failure = toSkeinError(error);
      if (++this.failures >= FAILURES_IN_A_ROW) throw failure;
      return { text: '', letter: null, dropped: failure.message };
    }
  }

  private async forced(request: AnswerRequest): Promise<AnswerGiven> {
    const { messages, leftOut } = await this.prompt(request, LETTER_ONLY);
    const letter = await this.choose(messages, request);
    if (letter === null) return { text: '', letter, leftOut };
    const why: ChatMessage[] = [
      ...messages,
      { role: 'assistant', content: letter },
      { role: 'user', content: WHY },
    ];
    const rationale = await this.write(why, request);
    return { text: `${letter}. ${rationale}`.trim(), letter, rationale, leftOut };
  }

  private async written(request: AnswerRequest): Promise<AnswerGiven> {
    const { messages, leftOut } = await this.prompt(request, RATIONALE_AND_LETTER);
    const text = await this.write(messages, request);
    const parsed = chooseByParsing(text, LETTERS).letter as Letter | null;
    const letter = parsed ?? (await this.choose((await this.prompt(request, LETTER_ONLY)).messages, request));
    const rationale = text.replace(/(?:^|\n)\W*answer\W.*$/is, '').trim();
    return { text, letter, rationale, leftOut };
  }

  private prompt(request: AnswerRequest, instruction: string) {
    const { signal } = request;
    const countTokens = (messages: readonly ChatMessage[]) => this.engine.countTokens(messages, { signal });
    return choicePrompt(request, { instruction, budget: this.budget, countTokens });
  }

  private async choose(messages: readonly ChatMessage[], { signal }: AnswerRequest): Promise<Letter | null> {
    return (await this.engine.choose(messages, LETTERS, { signal })).letter as Letter | null;
  }

  private async write(messages: readonly ChatMessage[], { signal }: AnswerRequest): Promise<string> {
    const { text } = await this.engine.generate(messages, { maxTokens: this.answerTokens, signal });
    // A stop in the middle leaves half an answer, which is none.
    throwIfAborted(signal);
    return text.trim();
  }
}
