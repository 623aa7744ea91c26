import { comparable } from '../bench/evidence.ts';
import { SkeinError } from '../core/errors.ts';
import type { NewTurn } from '../core/turn.ts';
import type { LongitudinalMemory, MaintenanceStep } from '../systems/longitudinal.ts';
import type { Retrieval } from '../systems/system.ts';
import type { Checkpoint, History } from './corpus.ts';
import { futureVersions } from './reference.ts';

/**
 * A condition's memory behind LSREP's validity rules. Only the history's own turns can enter it, in order and not
 * beyond the open checkpoint; nothing later can come out of it. Breaking a rule throws and ends the run.
 */
export class GuardedMemory {
  private taken = 0;
  private open: Checkpoint | undefined;

  constructor(
    private readonly condition: string,
    readonly memory: LongitudinalMemory,
    private readonly history: History,
  ) {}

  /** Lets turns up to `checkpoint` in. */
  openUntil(checkpoint: Checkpoint): void {
    this.open = checkpoint;
  }

  /**
   * Throws `reference-leak` when something else than the history's next turns is written (a reference, an answer, a
   * probe), and `future-evidence` when they lie behind the open checkpoint.
   */
  async append(turns: readonly NewTurn[], signal?: AbortSignal): Promise<void> {
    const limit = this.open?.turns ?? 0;
    turns.forEach((turn, i) => {
      const at = this.taken + i;
      const own = this.history.turns[at];
      if (own?.text !== turn.text || own.role !== turn.role) {
        throw new SkeinError(
          'reference-leak',
          `${this.place}: what was to be written after turn ${at - 1} is not the history's next turn.`,
          'Write nothing but the history: references, probes and answers stay outside of every memory.',
        );
      }
      if (at >= limit) this.failWithFuture(`turn ${at} was to be written although only ${limit} are open`);
    });
    await this.memory.append(turns, signal);
    this.taken += turns.length;
  }

  async advance(days: number, signal?: AbortSignal): Promise<readonly MaintenanceStep[]> {
    return (await this.memory.advance?.(days, signal)) ?? [];
  }

  /** Throws `future-evidence` when the retrieval points or quotes beyond what was ingested. */
  async retrieve(question: string, signal?: AbortSignal): Promise<Retrieval> {
    const retrieval = await this.memory.retrieve(question, signal);
    for (const part of retrieval.context) {
      if (part.kind === 'text') this.checkText(part.text);
      else if (part.end > this.taken) this.failWithFuture(`the context holds turn ${part.end - 1}`);
    }
    for (const { ranges } of retrieval.units) {
      for (const [, end] of ranges) if (end > this.taken) this.failWithFuture(`a unit holds turn ${end - 1}`);
    }
    return retrieval;
  }

  /** Applies the side effects of a question. */
  async applyQuery(question: string, retrieval: Retrieval): Promise<void> {
    await this.memory.applyQuery?.(question, retrieval);
  }

  private checkText(text: string): void {
    const seen = comparable(text);
    for (const matter of this.history.matters) {
      for (const { evidence } of futureVersions(matter, this.open!)) {
        for (const { turn, text: words } of evidence) {
          if (turn < this.taken || !seen.includes(comparable(words)) || this.alreadySaid(words)) continue;
          this.failWithFuture(`a text of the context quotes turn ${turn}`);
        }
      }
    }
  }

  private alreadySaid(words: string): boolean {
    const wanted = comparable(words);
    return this.history.turns.slice(0, this.taken).some(({ text }) => comparable(text).includes(wanted));
  }

  private failWithFuture(what: string): never {
    throw new SkeinError(
      'future-evidence',
      `${this.place}: ${what}; ${this.taken} turns are ingested.`,
      'A condition may know nothing of later turns: correct the system or the schedule.',
    );
  }

  private get place(): string {
    return `${this.condition}, history ${this.history.id}, checkpoint ${this.open?.name ?? 'none'}`;
  }
}
