import type { NewTurn } from '../core/turn.ts';

/** A turn of a history with its simulated day, counted from the history's first. */
export interface ReplayTurn extends NewTurn {
  readonly day: number;
  /** The conversation it belongs to; also its `source`. */
  readonly conversation: string;
}

/** Where a replay stops and asks: after `turns` turns, at the end of simulated day `day`. */
export interface Checkpoint {
  readonly name: string;
  readonly turns: number;
  readonly day: number;
}

/** Words of one turn that show a version. */
export interface VersionEvidence {
  readonly turn: number;
  readonly text: string;
}

/** A value that a matter had from its evidence on. */
export interface Version {
  /** Texts that count as this value; the first is its name. */
  readonly accept: readonly string[];
  readonly evidence: readonly VersionEvidence[];
}

/** Something that may change in a history: its versions in the order in which they came. */
export interface Matter {
  readonly id: string;
  /** Words one of which a text of a system's own making must hold beside the value, to be about this matter. */
  readonly terms: readonly string[];
  readonly versions: readonly Version[];
  /** False: whether an answer is right needs a judge. */
  readonly checkable: boolean;
}

/** `current`: what holds now; `historical`: what held at an earlier time; `evolution`: every version, in order. */
export const PROBE_TYPES = ['current', 'historical', 'evolution'] as const;
export type ProbeType = (typeof PROBE_TYPES)[number];

/** A question that is asked at every checkpoint from `origin` on. */
export interface Probe {
  readonly id: string;
  readonly type: ProbeType;
  readonly matter: string;
  /** Name of the first checkpoint that asks it. */
  readonly origin: string;
  readonly question: string;
  /** Of historical probes: the version they ask for. */
  readonly version?: number;
}

/** One person's turns over simulated days, with what is asked of them. */
export interface History {
  readonly id: string;
  readonly title: string;
  /** Its first day, as `YYYY-MM-DD`. */
  readonly start: string;
  readonly turns: readonly ReplayTurn[];
  readonly checkpoints: readonly Checkpoint[];
  readonly matters: readonly Matter[];
  readonly probes: readonly Probe[];
}

export interface Corpus {
  readonly name: string;
  readonly histories: readonly History[];
  /** SHA-256 of the file it was read from. */
  readonly hash: string;
}

export function matterOf(history: History, id: string): Matter {
  return history.matters.find((matter) => matter.id === id)!;
}

/** The turn by which all of a version's evidence has been said. */
export function establishedAt(version: Version): number {
  return Math.max(...version.evidence.map(({ turn }) => turn));
}

/** The calendar date of a simulated day, as `YYYY-MM-DD`. */
export function dateOf(history: Pick<History, 'start'>, day: number): string {
  return new Date(Date.parse(history.start) + day * 86_400_000).toISOString().slice(0, 10);
}
