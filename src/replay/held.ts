import { comparable } from '../bench/evidence.ts';
import type { ContextPart } from '../systems/system.ts';
import type { Matter, Version } from './corpus.ts';
import { whereNamed } from './value.ts';

/** A place in a context: the part's number, then the turn or the letter within it. */
export type Place = readonly [part: number, within: number];

/** How a context holds a version: in its turns' own words, in a text that a system made, or not at all. */
export interface Held {
  readonly how: 'words' | 'derived' | 'not';
  /** Where the version's last evidence (or its name) stands, ascending; empty when it is not held. */
  readonly places: readonly Place[];
}

/**
 * Looks for a version in a context. It is held in words when every evidence stands in a turn of the context or word
 * for word in a text; it is held as derived when one text names its value and one of the matter's terms.
 */
export function heldIn(context: readonly ContextPart[], matter: Matter, version: Version): Held {
  const each = version.evidence.map(({ turn, text }) => placesOf(context, turn, comparable(text)));
  if (each.every((places) => places.length > 0)) return { how: 'words', places: each.at(-1)! };
  const derived = context.flatMap((part, i) => {
    if (part.kind !== 'text' || !isAbout(part.text, matter)) return [];
    return occurrences(part.text, version).map((at): Place => [i, at]);
  });
  return derived.length > 0 ? { how: 'derived', places: derived } : { how: 'not', places: [] };
}

/** True when the versions' places can be read in their order: one of each, every one behind the one before. */
export function inOrder(held: readonly Held[]): boolean {
  let last: Place = [-1, -1];
  for (const { places } of held) {
    const next = places.find((place) => isBehind(place, last));
    if (!next) return false;
    last = next;
  }
  return true;
}

function placesOf(context: readonly ContextPart[], turn: number, words: string): Place[] {
  return context.flatMap((part, i): Place[] => {
    if (part.kind === 'turns') return turn >= part.start && turn < part.end ? [[i, turn]] : [];
    const at = comparable(part.text).indexOf(words);
    return at >= 0 ? [[i, at]] : [];
  });
}

function isAbout(text: string, { terms }: Matter): boolean {
  const seen = comparable(text);
  return terms.some((term) => seen.includes(comparable(term)));
}

function occurrences(text: string, version: Version): number[] {
  const found: number[] = [];
  for (let at = whereNamed(text, version); at >= 0; at = whereNamed(text, version, at + 1)) found.push(at);
  return found;
}

function isBehind(a: Place, b: Place): boolean {
  return a[0] > b[0] || (a[0] === b[0] && a[1] > b[1]);
}
