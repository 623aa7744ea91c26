import { topK } from '../index/top-k.ts';
import type { Exchanges } from './exchanges.ts';
import type { ScoreColumns } from './score-columns.ts';
import { standardScores } from './standard-scores.ts';
import type { TermTies } from './term-ties.ts';

/** How the matter that a question is about is found, and what belonging to it counts. */
export interface MatterScoring {
  /** Of an episode's ties by rare words to the ones that speak for the matter. */
  readonly weight: number;
  /** How many episodes that fit best speak for the matter. */
  readonly seeds: number;
  /** They speak in proportion to exp(sharpness x score). */
  readonly sharpness: number;
  /** Of an exchange's own ties by rare words to the best exchanges of those episodes. */
  readonly exchangeWeight: number;
  /** How closely the speakers must be tied to each other, on average, for that to count in full; above 0. */
  readonly agreement: number;
  /**
   * In a thread of fewer episodes it counts nothing: words that two or three of them hold are no rare ones there, so
   * that speakers who agree tell little.
   */
  readonly leastEpisodes: number;
}

/** Ties by rare words: of episodes, and of exchanges. */
export interface MatterTies {
  readonly episodes: TermTies;
  readonly exchanges: TermTies;
}

/** What each exchange's belonging to the matter adds to its score; arrays of the columns. */
export interface MatterScores {
  /** By its episode. */
  readonly byEpisode: Float64Array;
  /** By itself. */
  readonly byExchange: Float64Array;
}

/** An episode that speaks for the matter: its exchange that fits best, and the share it has in what is said. */
interface Speaker {
  readonly episode: number;
  readonly lead: number;
  readonly voice: number;
}

/**
 * Finds the matter from the episodes whose best exchange fits the question best. Every episode is scored by its ties
 * to them, and lends that to its exchanges. Where the speakers are tied to each other, too, they are likely to speak
 * of one matter: then exchanges are also scored by their own ties to the speakers' best ones.
 */
export function matterScores(
  fit: Float64Array,
  exchanges: Exchanges,
  ties: MatterTies,
  constants: MatterScoring,
  columns: ScoreColumns,
): MatterScores {
  const leads = leadsOf(fit, exchanges);
  const speakers = speakersOf(fit, leads, constants);
  const spread = new Float64Array(leads.length);
  const agreement = spreadEpisodes(speakers, ties.episodes, spread);
  const tells = leads.length >= constants.leastEpisodes;
  const weight = tells ? constants.exchangeWeight * Math.min(1, agreement / constants.agreement) : 0;
  return {
    byEpisode: scoresByEpisode(spread, leads, exchanges, constants.weight, columns.matterByEpisode),
    byExchange: scoresByExchange(speakers, ties.exchanges, exchanges, weight, columns.matterByExchange),
  };
}

/** The weighted standard score of each exchange's episode by its ties, which are rooted in place. */
function scoresByEpisode(
  ties: Float64Array,
  leads: Int32Array,
  { episodes, eligible }: Exchanges,
  weight: number,
  out: Float64Array,
): Float64Array {
  const alive = new Uint8Array(leads.length);
  for (let e = 0; e < leads.length; e++) {
    alive[e] = leads[e]! < 0 ? 0 : 1;
    // The root keeps the speakers' own ties of 1 from dwarfing all others.
    ties[e] = Math.sqrt(ties[e]!);
  }
  const scores = standardScores(ties, alive);
  for (let x = 0; x < out.length; x++) out[x] = eligible[x] === 1 ? weight * scores[episodes[x]!]! : 0;
  return out;
}

/** The weighted root of each exchange's own ties to the speakers' leads, by their voices. */
function scoresByExchange(
  speakers: readonly Speaker[],
  ties: TermTies,
  { eligible }: Exchanges,
  weight: number,
  out: Float64Array,
): Float64Array {
  out.fill(0);
  if (!(weight > 0)) return out;
  for (const { lead, voice } of speakers) ties.spread(lead, voice, out);
  for (let x = 0; x < out.length; x++) out[x] = eligible[x] === 1 ? weight * Math.sqrt(out[x]!) : 0;
  return out;
}

/** Of every episode the exchange that fits best; -1 where none may be recalled. */
function leadsOf(fit: Float64Array, { episodes, eligible }: Exchanges): Int32Array {
  const leads = new Int32Array((episodes.at(-1) ?? -1) + 1).fill(-1);
  for (let x = 0; x < fit.length; x++) {
    if (eligible[x] === 0) continue;
    const lead = leads[episodes[x]!]!;
    if (lead < 0 || fit[x]! > fit[lead]!) leads[episodes[x]!] = x;
  }
  return leads;
}

function speakersOf(
  fit: Float64Array,
  leads: Int32Array,
  { seeds, sharpness }: MatterScoring,
): readonly Speaker[] {
  const best = new Float64Array(leads.length);
  for (let e = 0; e < best.length; e++) best[e] = leads[e]! < 0 ? Number.NEGATIVE_INFINITY : fit[leads[e]!]!;
  const chosen = topK(best, best.length, seeds).filter((e) => leads[e]! >= 0);
  const voices = chosen.map((e) => Math.exp(sharpness * (best[e]! - best[chosen[0]!]!)));
  const all = voices.reduce((sum, voice) => sum + voice, 0);
  return chosen.map((episode, i) => ({ episode, lead: leads[episode]!, voice: voices[i]! / all }));
}

/**
 * Writes to `out` every episode's ties to the speakers, by their voices. Returns the mean tie between two different
 * speakers, weighed by both voices; 0 where one speaks alone.
 */
function spreadEpisodes(speakers: readonly Speaker[], ties: TermTies, out: Float64Array): number {
  let agreement = 0;
  let pairs = 0;
  for (const speaker of speakers) {
    const others = speakers.filter((other) => other !== speaker);
    const before = others.map(({ episode }) => out[episode]!);
    ties.spread(speaker.episode, speaker.voice, out);
    others.forEach(({ episode, voice }, i) => {
      agreement += voice * (out[episode]! - before[i]!);
      pairs += voice * speaker.voice;
    });
  }
  return pairs > 0 ? agreement / pairs : 0;
}
