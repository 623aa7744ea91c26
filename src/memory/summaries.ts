import { cutText } from '../core/text.ts';
import type { Turn } from '../core/turn.ts';

/** Characters that a summary text is cut to before it is embedded (TSIM, M2). */
export const SUMMARY_CHARACTERS = 1200;

/**
 * Coarse age of an episode, in episodes, when it is indexed. Choice: the paper asks for a relative recency tag
 * without naming the buckets. A streaming memory indexes an episode the moment it closes, so its age is 0.
 */
export function recencyTag(age: number): 'latest' | 'recent' | 'earlier' | 'old' {
  if (age < 1) return 'latest';
  if (age < 8) return 'recent';
  if (age < 64) return 'earlier';
  return 'old';
}

/** Text of the summary view: recency tag, episode id and the turns, cut to 1,200 characters. */
export function summaryText(episode: number, turns: readonly Turn[], age = 0): string {
  const body = turns.map((turn) => `${turn.role}: ${turn.text}`).join('\n');
  return cutText(`[${recencyTag(age)}] episode ${episode}\n${body}`, SUMMARY_CHARACTERS);
}

/** Text of a cluster's summary: those of its most recent members, latest first, cut to 1,200 characters. */
export function clusterText(memberSummaries: readonly string[]): string {
  return cutText(memberSummaries.join('\n'), SUMMARY_CHARACTERS);
}
