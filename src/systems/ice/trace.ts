import { type Activity, type MechanismCounts, noCounts } from '../longitudinal.ts';
import { ICE, LEGS, type Leg } from './constants.ts';
import { openLegs } from './legs.ts';
import { makePlan, type Plan, type PlanGround } from './plan.ts';
import { MECHANISMS, type Mechanism, type Off } from './switches.ts';

/**
 * Counts what each mechanism does to prompts. A leg is followed from its hits into the prompt. Of every other
 * mechanism the plan is made once more without it: it produced something when the ranking changes, and reached the
 * prompt when the prompt does.
 */
export class IceTrace {
  private readonly counts = new Map<Mechanism, MechanismCounts>();

  /** @param off what the condition leaves out: it is not listed. */
  constructor(private readonly off: Off) {
    for (const mechanism of MECHANISMS) {
      if (!off.has(mechanism)) this.counts.set(mechanism, noCounts());
    }
  }

  activity(): Activity {
    return Object.fromEntries([...this.counts].map(([mechanism, counts]) => [mechanism, { ...counts }]));
  }

  legFailed(leg: Leg, error: unknown): void {
    const counts = this.of(leg);
    counts.failed++;
    counts.error ??= error instanceof Error ? error.message : String(error);
  }

  /** Takes account of a plan that was made. */
  note(ground: PlanGround, question: string, vector: Float32Array, plan: Plan): void {
    this.noteLegs(ground, question, vector, plan);
    for (const [mechanism, counts] of this.counts) {
      if ((LEGS as readonly string[]).includes(mechanism) || !isEligible(mechanism, ground, plan, this.off))
        continue;
      // A leg that fails has been told of already.
      const without = makePlan(ground, question, vector, new Set([...this.off, mechanism]), () => {});
      counts.eligible++;
      counts.executed++;
      const reached = promptKey(plan) !== promptKey(without);
      if (reached || rankingKey(plan) !== rankingKey(without)) counts.produced++;
      if (reached || chosenKey(plan) !== chosenKey(without)) counts.selected++;
      if (reached) counts.reached++;
    }
  }

  private noteLegs(ground: PlanGround, text: string, vector: Float32Array, plan: Plan): void {
    const { classification, hits, ranked, chosen } = plan;
    const clock = ground.clockOf(this.off);
    for (const leg of openLegs(ground.stores, { text, vector, classification, clock, off: this.off })) {
      const counts = this.of(leg);
      counts.eligible++;
      const own = hits.get(leg);
      if (!own) continue;
      counts.executed++;
      if (own.length > 0) counts.produced++;
      if (ranked.some(({ parts }) => parts[leg] !== undefined)) counts.selected++;
      if (chosen.some(({ parts }) => parts[leg] !== undefined)) counts.reached++;
    }
  }

  private of(mechanism: Mechanism): MechanismCounts {
    return this.counts.get(mechanism)!;
  }
}

/** Whether the moment has something that the mechanism is there for. */
function isEligible(mechanism: Mechanism, ground: PlanGround, plan: Plan, off: Off): boolean {
  const { episodic, codex, thread } = ground.stores;
  const clock = ground.clockOf(new Set());
  const { all } = episodic.pairs;
  const somePair = (test: (pair: number) => boolean) => all.some((_, pair) => test(pair));
  const found = [...plan.hits.values()].flat();
  switch (mechanism) {
    case 'clusters':
      return episodic.clusters.count > ICE.clusters.searched;
    case 'decay':
      return somePair((pair) => clock.scoreOf(pair) < 1);
    case 'reinforcement':
      // It gives back what was lost: without decay nothing is.
      return !off.has('decay') && somePair((pair) => clock.accessesOf(pair) > 0);
    case 'creative-floor':
      return somePair((pair) => all[pair]!.creative && clock.scoreOf(pair) < 1);
    case 'archive':
      return somePair((pair) => clock.scoreOf(pair) < ICE.decay.archived);
    case 'supersession':
      return codex.superseded > 0 && plan.hits.has('codex');
    case 'summaries':
      return found.some(({ pair }) => pair !== undefined && !episodic.isLossless(thread, pair));
    case 'foreign-cap':
      return new Set(found.map(({ conversation }) => conversation)).size > 1;
    case 'slots':
      return ground.slots.text() !== '';
    case 'recent-turns':
      return thread.size > 0;
    case 'classifier':
      return true;
    default:
      return found.length > 0;
  }
}

function rankingKey({ ranked }: Plan): string {
  return JSON.stringify(ranked.map(({ fragment }) => fragment.text));
}

function chosenKey({ chosen }: Plan): string {
  return JSON.stringify(chosen.map(({ fragment }) => fragment.text).sort());
}

/** What the prompt shows, in the order in which it shows it. */
function promptKey(plan: Plan): string {
  return JSON.stringify([chosenKey(plan), plan.slots, plan.recent]);
}
