import { SkeinError } from '../../core/errors.ts';
import { LEGS } from './constants.ts';

/** Every mechanism of ICE that can be switched off. */
export const MECHANISMS = [
  ...LEGS,
  'classifier',
  'profiles',
  'fusion',
  'clusters',
  'decay',
  'reinforcement',
  'creative-floor',
  'archive',
  'supersession',
  'summaries',
  'keyword-bonus',
  'length-bonus',
  'recency-bonus',
  'foreign-cap',
  'diversity',
  'growth-cap',
  'recent-turns',
  'slots',
] as const;
export type Mechanism = (typeof MECHANISMS)[number];

/** Mechanisms that are off. */
export type Off = ReadonlySet<Mechanism>;

/** The mechanisms of a comma-separated or `+`-joined list. Throws `bad-argument` that lists the known ones. */
export function readMechanisms(list: string): Mechanism[] {
  return list.split(/[,+]/).map((name) => {
    const known = MECHANISMS.find((mechanism) => mechanism === name);
    if (known) return known;
    throw new SkeinError(
      'bad-argument',
      `ICE has no mechanism "${name}".`,
      `Choose among: ${MECHANISMS.join(', ')}.`,
    );
  });
}
