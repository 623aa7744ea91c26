import type { AnswerEngine, ChatMessage } from '../answer/answer-engine.ts';
import { SkeinError } from '../core/errors.ts';
import type { Probe, Version } from './corpus.ts';
import type { Reference } from './reference.ts';
import { type AnswerScore, scoreAnswer } from './score.ts';

/** Tokens of an answer at most. */
export const ANSWER_TOKENS = 120;

/** The fixed rubric: grades of an answer, best first, and what each is worth. */
export const RUBRIC = [
  ['A', 1, 'states everything the reference states and nothing against it'],
  ['B', 0.75, 'right in substance, with a small omission or a harmless addition'],
  ['C', 0.5, 'partly right, or right but mixed with an outdated version'],
  ['D', 0.25, 'mostly wrong, with a trace of the reference'],
  ['E', 0, 'wrong, outdated, about something else, or no answer'],
] as const;

/** Answers probes with a language model and grades the answers. */
export interface ProbeAnswering {
  readonly engine: AnswerEngine;
  /** Model, engine and prompt version, for the record. */
  readonly name: string;
}

/** The engine's answer to a prompt; undefined where the prompt is too long for it, which is a missing output. */
export async function answerWith(
  { engine }: ProbeAnswering,
  messages: readonly ChatMessage[],
  signal?: AbortSignal,
): Promise<string | undefined> {
  try {
    const { text } = await engine.generate(messages, { maxTokens: ANSWER_TOKENS, signal });
    return text.trim();
  } catch (error) {
    if (error instanceof SkeinError && error.code === 'prompt-too-long') return undefined;
    throw error;
  }
}

/** Grades an answer: by checking values where the reference is checkable, by the engine and `RUBRIC` otherwise. */
export async function gradeAnswer(
  { engine }: ProbeAnswering,
  probe: Probe,
  reference: Reference,
  future: readonly Version[],
  answer: string | undefined,
  signal?: AbortSignal,
): Promise<AnswerScore> {
  if (reference.matter.checkable || !answer) return scoreAnswer(reference, future, answer);
  const letters = RUBRIC.map(([letter]) => letter);
  const { letter } = await engine.choose(judgePrompt(probe, reference, answer), letters, { signal });
  const grade = RUBRIC.find(([known]) => known === letter);
  return grade ? { score: grade[1], outcome: 'judged' } : { score: 0, outcome: 'missing' };
}

function judgePrompt(probe: Probe, { wanted, other }: Reference, answer: string): ChatMessage[] {
  const grades = RUBRIC.map(([letter, , meaning]) => `${letter}: ${meaning}`).join('\n');
  const outdated = other.map(({ accept }) => `Outdated or not asked for: ${accept[0]}`);
  const lines = [
    `Question: ${probe.question}`,
    ...wanted.map(({ accept }, i) => `Reference${wanted.length > 1 ? `, ${i + 1}` : ''}: ${accept[0]}`),
    ...outdated,
    `Answer to grade: ${answer}`,
    'Grade (one letter):',
  ];
  return [
    { role: 'system', content: `Grade an answer against a reference. Grades:\n${grades}` },
    { role: 'user', content: lines.join('\n') },
  ];
}
