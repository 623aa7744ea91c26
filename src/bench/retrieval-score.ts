import { countWords, TOKENS_PER_WORD } from '../core/tokens.ts';
import type { NewTurn } from '../core/turn.ts';
import type { ContextPart, Retrieval, RetrievedUnit } from '../systems/system.ts';
import type { PlacedQuestion } from './builder.ts';
import { comparable, TurnFinder } from './evidence.ts';

/** What a retrieval is worth for one question. */
export interface RetrievalScore {
  /** For each evidence the rank, from 1, of the first listed unit that holds it; null: none of those listed does. */
  readonly ranks: readonly (number | null)[];
  /** All evidence stands in the context. */
  readonly hit: boolean;
  readonly contextTokens: number;
  /** For each view of the system: some hit of it leads to evidence. */
  readonly views?: Readonly<Record<string, boolean>>;
}

/** Scores retrievals against a thread that grows as questions are written back. */
export class RetrievalScorer {
  private readonly words: number[] = [];
  private readonly finder = new TurnFinder([]);
  private readonly threadTurns: number;
  private readonly compared = new Map<string, string>();

  constructor(turns: readonly NewTurn[]) {
    this.append(turns);
    this.threadTurns = turns.length;
  }

  append(turns: readonly NewTurn[]): void {
    for (const { text } of turns) this.words.push(countWords(text));
    this.finder.add(turns);
  }

  score(question: PlacedQuestion, { units, context, views }: Retrieval): RetrievalScore {
    const evidence = question.evidence.map((_, i) => i);
    const ranks = evidence.map((i) => {
      const at = units.findIndex((unit) => this.unitHolds(unit, question, i));
      return at === -1 ? null : at + 1;
    });
    return {
      ranks,
      hit: evidence.every((i) => context.some((part) => this.partHolds(part, question, i))),
      contextTokens: this.contextTokens(context),
      ...(views && { views: this.viewHits(views, question) }),
    };
  }

  /** True when one of the units holds all the evidence. */
  inOneUnit(question: PlacedQuestion, units: readonly RetrievedUnit[]): boolean {
    return units.some((unit) => question.evidence.every((_, i) => this.unitHolds(unit, question, i)));
  }

  /** Tokens of what stands in the context; turns that stand there twice count once. */
  contextTokens(context: readonly ContextPart[]): number {
    const turns = new Set<number>();
    let words = 0;
    for (const part of context) {
      if (part.kind === 'text') words += countWords(part.text);
      else for (let turn = part.start; turn < part.end; turn++) turns.add(turn);
    }
    for (const turn of turns) words += this.words[turn] ?? 0;
    return TOKENS_PER_WORD * words;
  }

  private viewHits(
    views: Readonly<Record<string, readonly RetrievedUnit[]>>,
    question: PlacedQuestion,
  ): Record<string, boolean> {
    const hits = Object.entries(views).map(([view, units]) => [
      view,
      units.some((unit) => question.evidence.some((_, i) => this.unitHolds(unit, question, i))),
    ]);
    return Object.fromEntries(hits);
  }

  private unitHolds({ ranges, text }: RetrievedUnit, question: PlacedQuestion, evidence: number): boolean {
    if (text !== undefined && this.textHolds(text, question, evidence)) return true;
    return ranges.some(([start, end]) => this.rangeHolds(start, end, question, evidence));
  }

  private partHolds(part: ContextPart, question: PlacedQuestion, evidence: number): boolean {
    return part.kind === 'text'
      ? this.textHolds(part.text, question, evidence)
      : this.rangeHolds(part.start, part.end, question, evidence);
  }

  private rangeHolds(start: number, end: number, question: PlacedQuestion, evidence: number): boolean {
    if (question.places[evidence]!.some((turn) => turn >= start && turn < end)) return true;
    // What was written back is part of the trajectory: an answer may quote the evidence.
    const from = Math.max(start, this.threadTurns);
    return from < end && this.finder.holding(question.evidence[evidence]!.text, from, end).length > 0;
  }

  private textHolds(text: string, question: PlacedQuestion, evidence: number): boolean {
    return this.comparable(text).includes(this.comparable(question.evidence[evidence]!.text));
  }

  /** Texts of units come again with every question. */
  private comparable(text: string): string {
    const known = this.compared.get(text);
    if (known !== undefined) return known;
    const made = comparable(text);
    this.compared.set(text, made);
    return made;
  }
}
