import type { ImportCount, ImportProblem, ImportReport } from '../import/contract.ts';

/** Problems that a report lists; the rest is counted. */
const LISTED_PROBLEMS = 500;

/** Counts what an import found, took in and lost. */
export class ImportAccount {
  private readonly threads = { found: 0, imported: 0 };
  private readonly turns = { found: 0, imported: 0 };
  private readonly problems: ImportProblem[] = [];
  private problemsLeftOut = 0;

  /** Something that could not be read, and how many turns were lost by it. */
  problem(place: string, reason: string, messages = 0): void {
    if (this.problems.length < LISTED_PROBLEMS) {
      this.problems.push({ kind: 'failed', place, reason, messages });
    } else {
      this.problemsLeftOut++;
    }
  }

  /** A thread that was added: turns in the file, and those of them that are now stored. */
  addedThread(found: number, imported: number): void {
    this.threads.found++;
    this.threads.imported++;
    this.countTurns(found, imported);
  }

  /** A thread that was not added, with the turns the file has of it. */
  lostThread(found: number): void {
    this.threads.found++;
    this.countTurns(found, 0);
  }

  report(): ImportReport {
    return {
      files: accountOf({ found: 1, imported: 1 }),
      formats: ['skein'],
      conversations: accountOf(this.threads),
      messages: accountOf(this.turns),
      problems: [...this.problems],
      problemsLeftOut: this.problemsLeftOut,
    };
  }

  private countTurns(found: number, imported: number): void {
    this.turns.found += found;
    this.turns.imported += imported;
  }
}

/** Nothing of a backup is left out on purpose: what was not imported has failed. */
function accountOf({ found, imported }: { found: number; imported: number }): ImportCount {
  return { found, imported, skipped: 0, failed: found - imported };
}
