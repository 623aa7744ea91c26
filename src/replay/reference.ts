import { SkeinError } from '../core/errors.ts';
import {
  type Checkpoint,
  establishedAt,
  type History,
  type Matter,
  matterOf,
  type Probe,
  type Version,
} from './corpus.ts';

/**
 * G(q, t): what a right answer to a probe holds at a checkpoint, and what it must not hold. Made only from what was
 * said before the checkpoint.
 */
export interface Reference {
  readonly matter: Matter;
  /** The versions a right answer names, in order; one, except for evolution probes. */
  readonly wanted: readonly Version[];
  /** Versions that once held or hold by now, but are not asked for. */
  readonly other: readonly Version[];
}

/** The probe's reference at `checkpoint`. Throws `future-evidence` when the history does not hold it yet. */
export function referenceAt(history: History, probe: Probe, checkpoint: Checkpoint): Reference {
  const matter = matterOf(history, probe.matter);
  const known = matter.versions.filter((version) => establishedAt(version) < checkpoint.turns);
  const wanted = wantedOf(probe, known);
  if (wanted.length === 0) {
    throw new SkeinError(
      'future-evidence',
      `Probe ${history.id}/${probe.id} at ${checkpoint.name}: what it asks for is said only after turn ${checkpoint.turns}.`,
      'Give the probe a later origin.',
    );
  }
  return { matter, wanted, other: known.filter((version) => !wanted.includes(version)) };
}

function wantedOf(probe: Probe, known: readonly Version[]): readonly Version[] {
  switch (probe.type) {
    case 'current':
      return known.slice(-1);
    case 'historical':
      return known.slice(probe.version, probe.version! + 1);
    case 'evolution':
      return known.length > 1 ? known : [];
  }
}

/** Versions that only later turns show: nothing of them may be in a memory or a reference yet. */
export function futureVersions(matter: Matter, checkpoint: Checkpoint): readonly Version[] {
  return matter.versions.filter((version) => establishedAt(version) >= checkpoint.turns);
}
