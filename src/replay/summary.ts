import { mean } from '../bench/statistics.ts';
import { type ClusteredMean, clusteredBootstrap } from './bootstrap.ts';
import { PROBE_TYPES, type ProbeType } from './corpus.ts';
import { type ObservationLine, type ReplayResult, scoreOf } from './result.ts';

/** A condition's scores at one checkpoint of one history. */
export interface TrajectoryPoint {
  readonly condition: string;
  readonly history: string;
  readonly checkpoint: string;
  readonly observations: number;
  readonly score: number;
  readonly promptTokens: number;
  readonly missing: number;
}

/** A condition over all its observations. */
export interface ConditionSummary {
  readonly condition: string;
  readonly all: ClusteredMean;
  readonly byType: Readonly<Record<ProbeType, ClusteredMean>>;
  /** Observations by what their context holds. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Right contexts in which other versions of the matter stand as well. */
  readonly mixed: number;
  readonly missing: number;
  readonly contextTokens: number;
  readonly promptTokens: number;
}

/** Paired difference `condition - against`, clustered by probe. */
export interface PairedSummary {
  readonly condition: string;
  readonly against: string;
  readonly difference: ClusteredMean;
}

export function observationsOf({ lines }: ReplayResult): ObservationLine[] {
  return lines.filter((line) => line.kind === 'observation');
}

/** Scores by checkpoint, in the order of the run. */
export function trajectories(result: ReplayResult): TrajectoryPoint[] {
  const points = new Map<string, ObservationLine[]>();
  for (const line of observationsOf(result)) {
    const key = JSON.stringify([line.condition, line.history, line.checkpoint]);
    points.set(key, [...(points.get(key) ?? []), line]);
  }
  return [...points.values()].map((lines) => {
    const { condition, history, checkpoint } = lines[0]!;
    return {
      condition,
      history,
      checkpoint,
      observations: lines.length,
      score: mean(lines.map(scoreOf)),
      promptTokens: mean(lines.map(({ cost }) => cost.promptTokens)),
      missing: lines.filter(({ missing }) => missing).length,
    };
  });
}

export function summaries(result: ReplayResult): ConditionSummary[] {
  return result.settings.conditions.map(({ name }) => {
    const own = observationsOf(result).filter(({ condition }) => condition === name);
    const outcomes: Record<string, number> = {};
    for (const { found } of own) outcomes[found.outcome] = (outcomes[found.outcome] ?? 0) + 1;
    const ofType = (type: ProbeType) => byProbe(own.filter((line) => line.type === type));
    return {
      condition: name,
      all: clusteredBootstrap(byProbe(own)),
      byType: Object.fromEntries(
        PROBE_TYPES.map((type) => [type, clusteredBootstrap(ofType(type))]),
      ) as Record<ProbeType, ClusteredMean>,
      outcomes,
      mixed: own.filter(({ found }) => found.outcome === 'right' && found.mixed).length,
      missing: own.filter(({ missing }) => missing).length,
      contextTokens: mean(own.map(({ cost }) => cost.contextTokens)),
      promptTokens: mean(own.map(({ cost }) => cost.promptTokens)),
    };
  });
}

/** Every condition against `against`, on the same probes at the same checkpoints. */
export function pairedWith(result: ReplayResult, against: string): PairedSummary[] {
  const all = observationsOf(result);
  const base = new Map(
    all.filter(({ condition }) => condition === against).map((line) => [observationKey(line), scoreOf(line)]),
  );
  return result.settings.conditions
    .filter(({ name }) => name !== against)
    .map(({ name }) => {
      const own = all.filter(({ condition }) => condition === name);
      const clusters = byProbe(own, (line) => scoreOf(line) - base.get(observationKey(line))!);
      return { condition: name, against, difference: clusteredBootstrap(clusters) };
    });
}

/** Scores of the observations of each probe. */
function byProbe(lines: readonly ObservationLine[], worth = scoreOf): number[][] {
  const clusters = new Map<string, number[]>();
  for (const line of lines) {
    const key = JSON.stringify([line.history, line.probe]);
    clusters.set(key, [...(clusters.get(key) ?? []), worth(line)]);
  }
  return [...clusters.values()];
}

function observationKey({ history, checkpoint, probe }: ObservationLine): string {
  return JSON.stringify([history, checkpoint, probe]);
}
