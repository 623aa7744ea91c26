import type { ReactiveControllerHost } from 'lit';
import type { AnswerModel } from '../../answer/models.ts';
import { type ChatStep, runTurn } from '../../chat/turn-loop.ts';
import { SkeinError, toSkeinError } from '../../core/errors.ts';
import { questionAsOf } from '../../store/as-of.ts';
import type { AskRecord, AsOfChoice } from '../../store/records.ts';
import { readOnlyError } from '../../store/thread-rules.ts';
import type { ModelsSession } from '../models/models-session.ts';
import { SourceListener } from '../parts/source-listener.ts';
import type { Session } from '../session.ts';
import { answerLength } from './answer-length.ts';

/** `text`: only the answer that is being written has grown. */
export type ChatChange = 'state' | 'text';
type ChatListen = (change: ChatChange) => void;

/** What the chat needs of the language models. */
export type AnswerSource = Pick<ModelsSession, 'chosen' | 'choice' | 'load' | 'engine' | 'listen'>;

/** A question that is being answered, in whichever thread. */
export interface ChatRun {
  readonly threadId: string;
  readonly question: string;
  /** The model that answers; undefined: recall only. */
  readonly model: AnswerModel | undefined;
  /** The answered question for which another answer is drawn. */
  readonly again: AskRecord | undefined;
  readonly step: ChatStep;
  /** True once the person has asked it to stop. */
  readonly stopping: boolean;
}

/** Why a question was not answered; it stays until the next one. */
export interface ChatFailure {
  readonly threadId: string;
  /** What to try again: the question, or its record where it was kept. */
  readonly question: string | AskRecord;
  /** Up to when a question that was not kept was to be answered; of a kept one its record tells. */
  readonly asOf?: AsOfChoice | undefined;
  readonly problem: SkeinError;
  /** What the model had written. */
  readonly text: string;
}

/**
 * The question under way, one at a time for the whole page: it goes on while the person looks at another view. With
 * no model chosen a question is recall only.
 */
export class ChatSession {
  run: ChatRun | undefined;
  failure: ChatFailure | undefined;
  /** The record of the last question that was under way, as far as it was kept. */
  settled: AskRecord | undefined;
  private control = new AbortController();
  private readonly listeners = new Set<ChatListen>();
  private frame = 0;

  constructor(
    private readonly session: Session,
    readonly models: AnswerSource | undefined,
  ) {
    session.listen((event) => {
      // Only the tab that leads may write an answer down, and only into a thread that is there.
      if (event.kind === 'tab') {
        if (session.readOnly) this.stop();
        this.notify();
      }
      if (event.kind === 'threads' && this.run && !session.thread(this.run.threadId)) this.stop();
    });
    models?.listen(() => this.notify());
  }

  /** True while another tab leads: then nothing can be asked. */
  get readOnly(): boolean {
    return this.session.readOnly;
  }

  /** The model that answers the next question. */
  get model(): AnswerModel | undefined {
    return this.models?.chosen;
  }

  /** Calls `listener` on every change until the returned function is called. */
  listen(listener: ChatListen): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /**
   * Answers a question: a new one, from what was said up to `asOf` alone where it is given, or one that is kept.
   * Resolves with its record, answered or not, or with undefined when it could not even be kept; `failure` says why.
   * A tab that reads only refuses it, and so does one that is answering another question.
   */
  async ask(
    threadId: string,
    question: string | AskRecord,
    asOf?: AsOfChoice,
  ): Promise<AskRecord | undefined> {
    if (this.run || this.readOnly) {
      const problem = this.readOnly ? readOnlyError() : busyError();
      this.failure = { threadId, question, asOf, problem, text: '' };
      this.notify();
      return undefined;
    }
    this.control = new AbortController();
    this.failure = undefined;
    this.begin(threadId, question, asOf);
    try {
      this.settled = await this.answer(threadId, question, asOf, this.control.signal);
    } catch (error) {
      this.settled = keptIn(this.run) ?? (typeof question === 'string' ? undefined : question);
      this.fail(threadId, this.settled ?? question, asOf, toSkeinError(error));
    } finally {
      this.run = undefined;
      this.notify();
    }
    return this.settled;
  }

  /** Stops the question under way; what was written of its answer is kept. */
  stop(): void {
    this.control.abort();
    if (this.run) this.change({ stopping: true });
  }

  dismissFailure(): void {
    this.failure = undefined;
    this.notify();
  }

  private begin(threadId: string, question: string | AskRecord, asOf: AsOfChoice | undefined): void {
    const again = typeof question === 'string' || !question.answer ? undefined : question;
    this.run = {
      threadId,
      question:
        typeof question === 'string'
          ? questionAsOf(question, asOf)
          : questionAsOf(question.text, question.asOf),
      model: this.model,
      again,
      step: { kind: 'recalling' },
      stopping: false,
    };
    this.notify();
  }

  private async answer(
    threadId: string,
    question: string | AskRecord,
    asOf: AsOfChoice | undefined,
    signal: AbortSignal,
  ): Promise<AskRecord> {
    const { engine } = this.session;
    const { models } = this;
    const model = await models?.choice();
    if (!models || !model) {
      return typeof question === 'string' ? engine.ask(threadId, question, asOf, signal) : question;
    }
    this.change({ model });
    return runTurn({
      thread: {
        ask: (text, own) => engine.ask(threadId, text, asOf, own),
        readTurns: (from, to) => engine.readTurns(threadId, from, to),
        listEpisodes: () => engine.listEpisodes(threadId),
        keepAnswer: (askId, answer) => engine.keepAnswer(threadId, askId, answer),
      },
      question,
      engine: (own) => models.engine(own),
      maxTokens: answerLength(),
      signal,
      onStep: (step) => this.change({ step }),
    });
  }

  private fail(
    threadId: string,
    question: string | AskRecord,
    asOf: AsOfChoice | undefined,
    problem: SkeinError,
  ): void {
    if (problem.code === 'aborted') return;
    const step = this.run?.step;
    const text = step && 'text' in step ? step.text : '';
    this.failure = { threadId, question, asOf, problem, text };
  }

  private change(change: Partial<ChatRun>): void {
    if (!this.run) return;
    const before = this.run.step.kind;
    this.run = { ...this.run, ...change };
    if (change.step?.kind !== 'writing' || before !== 'writing') this.notify();
    // Tokens come faster than a screen shows them.
    else this.frame ||= requestAnimationFrame(() => this.notify('text'));
  }

  private notify(what: ChatChange = 'state'): void {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    for (const listener of [...this.listeners]) listener(what);
  }
}

/** The error of a question while another one is under way. */
export function busyError(): SkeinError {
  return new SkeinError(
    'busy',
    'Another question is being answered.',
    'Wait until its answer is there, or stop it; then ask again.',
  );
}

/** The record of a run's question, once it is kept. */
export function keptIn(run: ChatRun | undefined): AskRecord | undefined {
  return run && run.step.kind !== 'recalling' ? run.step.ask : undefined;
}

/** Draws its host anew when the chat's state changes, while the host is on the page; `onChange` is called before. */
export class ChatListener extends SourceListener<ChatChange> {
  /** @param showsText true for a host that shows the text as it grows. */
  constructor(
    host: ReactiveControllerHost & { readonly chat: ChatSession },
    onChange: () => void = () => {},
    showsText = false,
  ) {
    super(
      host,
      () => host.chat,
      (change) => {
        if (change === 'text' && !showsText) return false;
        onChange();
        return true;
      },
    );
  }
}
