import { SkeinError, throwIfAborted } from '../core/errors.ts';
import { type Progress, ProgressMeter } from '../core/progress.ts';
import { estimateTokens } from '../core/tokens.ts';
import { yieldToEvents } from '../core/yield.ts';
import type { Embedder } from '../embed/embedder.ts';
import { longitudinal, type MaintenanceStep } from '../systems/longitudinal.ts';
import type { Builders } from '../systems/model-builders.ts';
import type { ContextPart, Retrieval, SystemDescription } from '../systems/system.ts';
import { answerWith, gradeAnswer, type ProbeAnswering } from './answering.ts';
import type { Checkpoint, Corpus, History, Probe } from './corpus.ts';
import { ActivitySum, observedActivity } from './fidelity.ts';
import { GuardedMemory } from './guard.ts';
import { answerPrompt, promptTokens } from './prompt.ts';
import { futureVersions, type Reference, referenceAt } from './reference.ts';
import type { ObservationLine, QueryEffects, ReplayLine, ReplayResult, ReplaySettings } from './result.ts';
import { scoreContext } from './score.ts';

export interface ReplayOptions {
  readonly conditions: readonly SystemDescription[];
  /** Best one that caches: conditions then share their vectors, and nothing else. */
  readonly embedder: Embedder;
  readonly queryEffects: QueryEffects;
  /** Tokens that a prompt may have. */
  readonly window: number;
  /** Left out: contexts alone are scored. */
  readonly answering?: ProbeAnswering;
  /** A language model that builds the systems that their papers have one build, with its name for the record. */
  readonly builder?: { readonly name: string; readonly builders: Builders };
  /** Version of this program, for the record. */
  readonly engine: string;
  readonly signal?: AbortSignal;
  /** Counts checkpoints, once for each condition. */
  readonly onProgress?: (progress: Progress, place: string) => void;
}

/**
 * Replays a corpus (LSREP): every condition has a memory of its own for each history, takes the same turns up to the
 * same checkpoints, ages by the same simulated days, and is asked the same probes. Rejects with `future-evidence` or
 * `reference-leak` when a validity rule is broken, `aborted` when stopped; what a system throws is told with its place.
 */
export async function replay(corpus: Corpus, options: ReplayOptions): Promise<ReplayResult> {
  const { conditions, embedder, queryEffects, window, answering, builder, engine } = options;
  const settings: ReplaySettings = {
    corpus: corpus.name,
    corpusHash: corpus.hash,
    conditions: conditions.map(({ name, configuration }) => ({ name, configuration })),
    embedder: embedder.stamp,
    queryEffects,
    window,
    ...(answering && {
      answering: `${answering.name}; values checked, other references graded by the same engine`,
    }),
    ...(builder && { builder: builder.name }),
    engine,
  };
  const steps = corpus.histories.reduce((sum, { checkpoints }) => sum + checkpoints.length, 0);
  const meter = new ProgressMeter(steps * conditions.length);
  let done = 0;
  const lines: ReplayLine[] = [];
  const activities = conditions.map(() => new ActivitySum());
  for (const history of corpus.histories) {
    const runs: ConditionRun[] = [];
    for (const [i, condition] of conditions.entries()) {
      const memory = longitudinal(await condition.create({ embedder, builders: builder?.builders }));
      runs.push(new ConditionRun(condition.name, history, memory, activities[i]!, options));
    }
    for (const checkpoint of history.checkpoints) {
      for (const run of runs) {
        const place = `${run.condition}, ${history.id}, ${checkpoint.name}`;
        throwIfAborted(options.signal);
        lines.push(...(await named(place, () => run.visit(checkpoint))));
        options.onProgress?.(meter.at(++done), place);
        await yieldToEvents();
      }
    }
    for (const run of runs) run.finish();
  }
  return {
    settings,
    lines,
    fidelity: conditions.flatMap(({ name }, i) => activities[i]!.rows(name)),
  };
}

/** One condition over one history. */
class ConditionRun {
  private readonly guard: GuardedMemory;
  private turns = 0;
  private day = 0;

  constructor(
    readonly condition: string,
    private readonly history: History,
    private readonly memory: ReturnType<typeof longitudinal>,
    private readonly activity: ActivitySum,
    private readonly options: ReplayOptions,
  ) {
    this.guard = new GuardedMemory(condition, memory, history);
  }

  /** Ingests up to `checkpoint`, day by day, then asks its probes. */
  async visit(checkpoint: Checkpoint): Promise<ReplayLine[]> {
    const [turns, days] = [checkpoint.turns - this.turns, checkpoint.day - this.day];
    const maintenance = await this.ingest(checkpoint);
    const head = { condition: this.condition, history: this.history.id, checkpoint: checkpoint.name };
    const lines: ReplayLine[] = [{ kind: 'checkpoint', ...head, turns, days, maintenance }];
    for (const probe of this.due(checkpoint)) lines.push(await this.observe(probe, checkpoint));
    return lines;
  }

  finish(): void {
    const own = this.memory.activity?.();
    if (own) this.activity.add(own);
  }

  private async ingest(checkpoint: Checkpoint): Promise<MaintenanceStep[]> {
    const { signal } = this.options;
    const sums = new Map<string, MaintenanceStep>();
    const advanceTo = async (day: number) => {
      if (day <= this.day) return;
      for (const step of await this.guard.advance(day - this.day, signal)) {
        const sum = sums.get(step.mechanism);
        sums.set(step.mechanism, { ...step, changed: step.changed + (sum?.changed ?? 0) });
      }
      this.day = day;
    };
    this.guard.openUntil(checkpoint);
    while (this.turns < checkpoint.turns) {
      const { day } = this.history.turns[this.turns]!;
      await advanceTo(day);
      let end = this.turns + 1;
      while (end < checkpoint.turns && this.history.turns[end]!.day === day) end++;
      const fresh = this.history.turns.slice(this.turns, end);
      await this.guard.append(
        fresh.map(({ role, text, time, source }) => ({ role, text, time, source })),
        signal,
      );
      this.turns = end;
    }
    await advanceTo(checkpoint.day);
    return [...sums.values()];
  }

  private due(checkpoint: Checkpoint): Probe[] {
    const { checkpoints, probes } = this.history;
    const reached = new Set(
      checkpoints.slice(0, checkpoints.indexOf(checkpoint) + 1).map(({ name }) => name),
    );
    return probes.filter(({ origin }) => reached.has(origin));
  }

  private async observe(probe: Probe, checkpoint: Checkpoint): Promise<ObservationLine> {
    const reference = referenceAt(this.history, probe, checkpoint);
    const before = this.options.queryEffects === 'exclude' ? this.memory.snapshot?.() : undefined;
    const retrieval = await this.guard.retrieve(probe.question, this.options.signal);
    if (!this.memory.activity) this.activity.add(observedActivity(retrieval));
    if (this.options.queryEffects === 'apply') await this.guard.applyQuery(probe.question, retrieval);
    else if (before !== undefined) this.memory.restore?.(before);
    return {
      kind: 'observation',
      condition: this.condition,
      history: this.history.id,
      checkpoint: checkpoint.name,
      probe: probe.id,
      type: probe.type,
      scope: { turns: this.turns, day: this.day },
      context: retrieval.context,
      ...(await this.judge(probe, reference, checkpoint, retrieval)),
    };
  }

  private async judge(probe: Probe, reference: Reference, checkpoint: Checkpoint, retrieval: Retrieval) {
    const { answering, window, signal } = this.options;
    const messages =
      this.memory.prompt?.(probe.question, retrieval) ??
      answerPrompt(this.history, this.day, probe.question, retrieval.context);
    const tokens = promptTokens(messages);
    const cost = { contextTokens: round(this.contextTokens(retrieval.context)), promptTokens: round(tokens) };
    const found = scoreContext(reference, retrieval.context);
    if (tokens > window) return { cost, missing: 'prompt too long' as const, found };
    if (!answering) return { cost, found };
    const answer = await answerWith(answering, messages, signal);
    if (answer === undefined) return { cost, missing: 'prompt too long' as const, found };
    const future = futureVersions(reference.matter, checkpoint);
    const graded = await gradeAnswer(answering, probe, reference, future, answer, signal);
    return { cost, found, answer, graded };
  }

  private contextTokens(context: readonly ContextPart[]): number {
    return context.reduce((sum, part) => {
      if (part.kind === 'text') return sum + estimateTokens(part.text);
      const turns = this.history.turns.slice(part.start, part.end);
      return sum + turns.reduce((own, { text }) => own + estimateTokens(text), 0);
    }, 0);
  }
}

function round(tokens: number): number {
  return Math.round(tokens * 10) / 10;
}

/** Errors that say their place themselves, or need none. */
const TOLD = new Set(['aborted', 'future-evidence', 'reference-leak']);

/** Runs `work`; what it throws says where it happened, and keeps its code. */
async function named<T>(place: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SkeinError) {
      if (TOLD.has(error.code)) throw error;
      throw new SkeinError(error.code, `${place}: ${error.message}`, error.remedy, { cause: error });
    }
    throw new SkeinError('internal', `${place}: ${(error as Error).message}`, '', { cause: error });
  }
}
