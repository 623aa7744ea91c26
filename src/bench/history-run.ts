import { throwIfAborted } from '../core/errors.ts';
import { seededRandom, shuffled } from '../core/random.ts';
import { estimateTokens } from '../core/tokens.ts';
import type { NewTurn } from '../core/turn.ts';
import type { Embedder } from '../embed/embedder.ts';
import type { HistorySystem } from '../systems/history-systems.ts';
import type { ContextPart } from '../systems/system.ts';
import {
  type Boundaries,
  type History,
  type HistoryQuestion,
  type HistorySet,
  threadOf,
} from './histories.ts';
import { type HistoryScore, HistoryScorer } from './history-score.ts';

export interface HistoryRunOptions {
  readonly systems: readonly HistorySystem[];
  /** Best one that caches: sessions stand in many haystacks. */
  readonly embedder: Embedder;
  readonly boundaries: readonly Boundaries[];
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number, place: string) => void;
}

/** One question asked of one system. */
export interface HistoryLine extends HistoryScore {
  readonly system: string;
  readonly boundaries: Boundaries;
  readonly history: string;
  readonly question: string;
  readonly type: string;
  readonly abstention: boolean;
  readonly contextTokens: number;
}

/**
 * Asks every question of every system, with a fresh memory for each history and nothing written back. Rejects with
 * `aborted` when stopped.
 */
export async function runHistories(set: HistorySet, options: HistoryRunOptions): Promise<HistoryLine[]> {
  const { systems, embedder, boundaries, signal, onProgress } = options;
  const lines: HistoryLine[] = [];
  const runs = boundaries.flatMap((boundary) =>
    systems
      .filter(({ needsSessions }) => boundary === 'given' || !needsSessions)
      .map((system) => ({ boundary, system })),
  );
  const total = set.histories.length * runs.length;
  let done = 0;
  for (const history of set.histories) {
    for (const { boundary, system } of runs) {
      throwIfAborted(signal);
      const turns = threadOf(history, boundary);
      const scorer = new HistoryScorer(history, turns);
      const memory = await system.create({ embedder });
      await memory.append(turns, signal);
      for (const question of history.questions) {
        const { context } = await memory.retrieve(question.question, signal);
        lines.push({
          system: system.name,
          boundaries: boundary,
          history: history.id,
          question: question.id,
          type: question.type,
          abstention: question.abstention,
          contextTokens: Math.round(contextTokens(context, turns) * 10) / 10,
          ...scorer.score(question, context),
        });
      }
      onProgress?.(++done, total, `${system.name}, ${boundary}, ${history.id}`);
    }
  }
  return lines;
}

/** So many questions, as evenly from every type as can be, by the seed; the rest of each history stays. */
export function selectQuestions(set: HistorySet, count: number, seed: number): HistorySet {
  const random = seededRandom(seed);
  const byType = new Map<string, HistoryQuestion[]>();
  for (const question of set.histories.flatMap(({ questions }) => questions)) {
    byType.set(question.type, [...(byType.get(question.type) ?? []), question]);
  }
  const queues = [...byType.values()].map((questions) => shuffled(questions, random));
  const chosen = new Set<HistoryQuestion>();
  for (let i = 0; chosen.size < count && queues.some((queue) => queue.length > i); i++) {
    for (const queue of queues) if (queue[i] && chosen.size < count) chosen.add(queue[i]!);
  }
  const histories = set.histories
    .map(
      (history): History => ({ ...history, questions: history.questions.filter((one) => chosen.has(one)) }),
    )
    .filter(({ questions }) => questions.length > 0);
  return { ...set, histories };
}

function contextTokens(context: readonly ContextPart[], turns: readonly NewTurn[]): number {
  return context.reduce((sum, part) => {
    if (part.kind === 'text') return sum + estimateTokens(part.text);
    return turns.slice(part.start, part.end).reduce((own, { text }) => own + estimateTokens(text), sum);
  }, 0);
}
