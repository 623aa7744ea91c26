import { throwIfAborted } from '../core/errors.ts';
import type { NewTurn } from '../core/turn.ts';
import { dot } from '../core/vectors.ts';
import type { Embedder } from '../embed/embedder.ts';
import type { MemorySystem, Retrieval, RetrievedUnit } from '../systems/system.ts';
import type { Answerer, ContextBlock } from './answerer.ts';
import type { PlacedQuestion } from './builder.ts';
import { type ExchangeUnit, questionText } from './exchange.ts';
import type { GivenAnswer, QuestionLine, QuestionTiming } from './result.ts';
import type { RetrievalScorer } from './retrieval-score.ts';
import type { Asking } from './trajectory.ts';

/** What asking needs besides the question. */
export interface AskingGround {
  readonly batch: string;
  readonly memory: MemorySystem;
  readonly scorer: RetrievalScorer;
  /** The thread, with what was written back. */
  readonly turns: readonly NewTurn[];
  /** The memory's index as units, before anything was written back. */
  readonly index?: readonly RetrievedUnit[];
  readonly embedder: Embedder;
  readonly answerer?: Answerer;
  readonly keptUnits: number;
  readonly signal?: AbortSignal;
}

/** Asks one question: retrieves, scores, and has it answered where there is an answerer. */
export async function askQuestion(
  { question, mode }: Asking,
  ground: AskingGround,
): Promise<{ line: QuestionLine; timing: QuestionTiming }> {
  const { batch, memory, scorer, index, keptUnits, signal } = ground;
  const started = performance.now();
  const retrieval = await memory.retrieve(questionText(question, mode), signal);
  const retrieveMs = performance.now() - started;
  throwIfAborted(signal);
  const answered = await answer(question, retrieval, ground);
  const head = { batch, id: question.id, mode };
  const line: QuestionLine = {
    ...head,
    ...scorer.score(question, retrieval),
    units: retrieval.units.slice(0, keptUnits).map(exchangeUnit),
    context: retrieval.context,
    ...(index && { inOneUnit: scorer.inOneUnit(question, index) }),
    ...(answered && { answer: answered.given }),
  };
  return { line, timing: { ...head, retrieveMs, ...(answered && { answerMs: answered.ms }) } };
}

/** What is appended to the thread after a question: the question, and the answer where there is one. */
export function writtenBack({ question, mode }: Asking, { answer: given }: QuestionLine): NewTurn[] {
  const asked: NewTurn = { role: 'user', text: questionText(question, mode) };
  return given?.text ? [asked, { role: 'model', text: given.text }] : [asked];
}

/** A retrieved unit as it is written down, its figures to six digits: the last bits differ between machines. */
export function exchangeUnit({ ranges, text, score, parts }: RetrievedUnit): ExchangeUnit {
  const rounded =
    parts && Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, round(part)]));
  return {
    ...(ranges.length > 0 && { ranges }),
    ...(text !== undefined && { text }),
    score: round(score),
    ...(rounded && { parts: rounded }),
  };
}

function round(value: number): number {
  return Number(value.toPrecision(6));
}

async function answer(
  question: PlacedQuestion,
  retrieval: Retrieval,
  { answerer, turns, embedder, signal }: AskingGround,
): Promise<{ given: GivenAnswer; ms: number } | undefined> {
  if (!answerer || !question.options) return undefined;
  const context = retrieval.context.map(
    (part): ContextBlock =>
      part.kind === 'text' ? part : { kind: 'turns', turns: turns.slice(part.start, part.end) },
  );
  const started = performance.now();
  const { text, letter, rationale, dropped, leftOut } = await answerer.answer({
    query: question.query,
    options: question.options,
    context,
    signal,
  });
  const ms = performance.now() - started;
  const rationaleSimilarity = await similarity(rationale, question.reasoning, embedder, signal);
  const correct = letter !== null && letter === question.gold;
  const given: GivenAnswer = {
    text,
    letter,
    correct,
    ...(rationale && { rationale }),
    rationaleSimilarity,
    ...(dropped !== undefined && { dropped }),
    ...(leftOut && { leftOut }),
  };
  return { given, ms };
}

async function similarity(
  predicted: string | undefined,
  gold: string | undefined,
  embedder: Embedder,
  signal: AbortSignal | undefined,
): Promise<number> {
  if (!predicted?.trim() || !gold?.trim()) return 0;
  const [a, b] = await embedder.embed([predicted, gold], { kind: 'passage', signal });
  return round(dot(a!, b!));
}
