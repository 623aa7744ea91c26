import type { QueryMode } from '../../bench/exchange.ts';
import type { BenchResult } from '../../bench/lab/contract.ts';
import { keyOf, recalledAt } from '../../bench/metrics.ts';
import type { AskedQuestion, QuestionLine, SystemResult } from '../../bench/result.ts';

export type QuestionFilter = 'all' | 'missed' | 'differ';

/** What a retrieval came to: the depth at which all evidence is found, or how it was missed. */
export type Outcome =
  | { readonly kind: 'found'; readonly depth: number }
  /** All evidence is in the units listed, but some only behind the fifth. */
  | { readonly kind: 'ranked-out'; readonly depth: number }
  | { readonly kind: 'never'; readonly missing: number; readonly of: number };

const DEPTH = 5;

export function outcomeOf(line: Pick<QuestionLine, 'ranks'>): Outcome {
  const missing = line.ranks.filter((rank) => rank === null).length;
  if (missing > 0) return { kind: 'never', missing, of: line.ranks.length };
  const depth = Math.max(...line.ranks.map((rank) => rank ?? 0));
  return recalledAt(line, DEPTH) ? { kind: 'found', depth } : { kind: 'ranked-out', depth };
}

/** An outcome in words. */
export function outcomeText(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'found':
      return outcome.depth === 1
        ? 'All evidence in the first unit'
        : `All evidence in the first ${outcome.depth} units`;
    case 'ranked-out':
      return `Ranked out: all evidence only in the first ${outcome.depth} units`;
    case 'never':
      return outcome.of === 1
        ? 'Never retrieved: the evidence is in no unit listed'
        : `Never retrieved: ${outcome.missing} of ${outcome.of} pieces of evidence are in no unit listed`;
  }
}

/** What of a result's questions is looked at: one or two systems, in which way, and which questions. */
export class QuestionLook {
  mode: QueryMode;
  first: string;
  /** The system beside the first; '' for none. */
  second: string;
  filter: QuestionFilter = 'all';
  private readonly lines = new Map<string, QuestionLine>();

  constructor(readonly result: BenchResult) {
    const { systems, settings } = result;
    this.mode = settings.modes[0]!;
    this.first = systems.at(-1)?.name ?? '';
    this.second = systems.at(-2)?.name ?? '';
    for (const { name, questions } of systems) {
      for (const line of questions) this.lines.set(`${name}/${line.mode}/${keyOf(line)}`, line);
    }
  }

  system(name: string): SystemResult | undefined {
    return this.result.systems.find((one) => one.name === name);
  }

  line(system: string, question: Pick<AskedQuestion, 'batch' | 'id'>): QuestionLine | undefined {
    return this.lines.get(`${system}/${this.mode}/${keyOf(question)}`);
  }

  question(place: Pick<AskedQuestion, 'batch' | 'id'>): AskedQuestion | undefined {
    return this.result.questions.find(({ batch, id }) => batch === place.batch && id === place.id);
  }

  /** The questions that the filter leaves. */
  get questions(): readonly AskedQuestion[] {
    return this.result.questions.filter((question) => this.shows(question));
  }

  private shows(question: AskedQuestion): boolean {
    const first = this.line(this.first, question);
    if (!first) return false;
    const recalled = recalledAt(first, DEPTH);
    switch (this.filter) {
      case 'all':
        return true;
      case 'missed':
        return !recalled;
      case 'differ': {
        const second = this.line(this.second, question);
        return second !== undefined && recalledAt(second, DEPTH) !== recalled;
      }
    }
  }
}
