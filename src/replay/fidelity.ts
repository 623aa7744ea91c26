import { type Activity, type MechanismCounts, noCounts } from '../systems/longitudinal.ts';
import type { Retrieval, RetrievedUnit } from '../systems/system.ts';

export type FidelityStatus = 'contributing' | 'ran without effect' | 'never exercised' | 'defective';

/** One row of the fidelity ledger. */
export interface FidelityRow extends MechanismCounts {
  readonly condition: string;
  readonly mechanism: string;
  readonly status: FidelityStatus;
}

/**
 * `defective`: it threw, or input that it is there for was seen and it never ran. `never exercised`: no such input.
 * `contributing`: something of it reached a prompt. Only a mechanism that ran can be said not to help.
 */
export function statusOf({ eligible, executed, reached, failed }: MechanismCounts): FidelityStatus {
  if (failed > 0 || (eligible > 0 && executed === 0)) return 'defective';
  if (eligible === 0) return 'never exercised';
  return reached > 0 ? 'contributing' : 'ran without effect';
}

/** What is counted of a mechanism, in the order in which it comes about. */
export const STAGES = ['eligible', 'executed', 'produced', 'selected', 'reached', 'failed'] as const;

/** Adds up activities by mechanism. */
export class ActivitySum {
  private readonly counts = new Map<string, MechanismCounts>();

  add(activity: Activity): void {
    for (const [mechanism, more] of Object.entries(activity)) {
      const sum = this.counts.get(mechanism) ?? noCounts();
      for (const stage of STAGES) sum[stage] += more[stage];
      if (sum.error === undefined && more.error !== undefined) sum.error = more.error;
      this.counts.set(mechanism, sum);
    }
  }

  /** Rows for a condition, mechanisms in the order in which they were first seen. */
  rows(condition: string): FidelityRow[] {
    return [...this.counts].map(([mechanism, counts]) => ({
      condition,
      mechanism,
      ...counts,
      status: statusOf(counts),
    }));
  }
}

/**
 * What one retrieval tells of a system that keeps no counts: the retrieval itself, and every named part of its
 * units' scores as a mechanism (it produced something when some unit's part is not 0).
 */
export function observedActivity({ units, context }: Retrieval): Activity {
  const inContext = units.filter((unit) => stands(unit, context));
  const activity: Record<string, MechanismCounts> = {
    retrieval: stages(units.length > 0, inContext.length > 0),
  };
  for (const part of new Set(units.flatMap(({ parts }) => Object.keys(parts ?? {})))) {
    const has = ({ parts }: RetrievedUnit) => (parts?.[part] ?? 0) !== 0;
    activity[part] = stages(units.some(has), inContext.some(has));
  }
  return activity;
}

function stages(produced: boolean, reached: boolean): MechanismCounts {
  const one = (flag: boolean) => (flag ? 1 : 0);
  return {
    eligible: 1,
    executed: 1,
    produced: one(produced),
    selected: one(reached),
    reached: one(reached),
    failed: 0,
  };
}

function stands({ ranges, text }: RetrievedUnit, context: Retrieval['context']): boolean {
  return context.some((part) =>
    part.kind === 'text'
      ? part.text === text
      : ranges.some(([start, end]) => start < part.end && part.start < end),
  );
}
