import type { NewTurn } from '../core/turn.ts';
import type { ContextPart } from '../systems/system.ts';
import { comparable } from './evidence.ts';
import type { History, HistoryQuestion } from './histories.ts';

/** How much of the labelled evidence a context holds. */
export interface Coverage {
  readonly held: number;
  readonly of: number;
}

/** What a context is worth for a question, by turns and by sessions. Undefined where nothing is labelled. */
export interface HistoryScore {
  readonly turns?: Coverage;
  readonly sessions?: Coverage;
}

/** Scores contexts over one history. */
export class HistoryScorer {
  /** For each session the turns it has, over the whole history. */
  private readonly bounds = new Map<string, { start: number; end: number }>();
  private readonly texts: string[];

  constructor(history: History, turns: readonly NewTurn[]) {
    let start = 0;
    for (const { id, turns: own } of history.sessions) {
      this.bounds.set(id, { start, end: start + own.length });
      start += own.length;
    }
    this.texts = turns.map(({ text }) => comparable(text));
  }

  /** A turn is held when the context has it, or has all its text; a session when some turn of it is. */
  score(question: HistoryQuestion, context: readonly ContextPart[]): HistoryScore {
    const { evidenceTurns, evidenceSessions, abstention } = question;
    if (abstention) return {};
    const made = context.flatMap((part) => (part.kind === 'text' ? [comparable(part.text)] : []));
    const has = (turn: number) =>
      context.some((part) => part.kind === 'turns' && turn >= part.start && turn < part.end) ||
      made.some((text) => text.includes(this.texts[turn]!));
    const hasSession = (id: string) => {
      const { start, end } = this.bounds.get(id)!;
      for (let turn = start; turn < end; turn++) if (has(turn)) return true;
      return false;
    };
    return {
      ...(evidenceTurns.length > 0 && { turns: coverage(evidenceTurns, has) }),
      ...(evidenceSessions.length > 0 && { sessions: coverage(evidenceSessions, hasSession) }),
    };
  }
}

function coverage<T>(items: readonly T[], has: (item: T) => boolean): Coverage {
  return { held: items.filter(has).length, of: items.length };
}
