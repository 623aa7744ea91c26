import type { LexicalSnapshot } from './lexical-index.ts';

/** Raise it whenever the layout changes, or an analyzer that snapshots depend on. */
export const SNAPSHOT_VERSION = 1;

/** A snapshot that holds together, with its terms read. */
export interface CheckedSnapshot extends Omit<LexicalSnapshot, 'version' | 'terms'> {
  /** Term to the number of its list. */
  readonly terms: Map<string, number>;
}

/** Undefined when `value` is no snapshot of this version, or a damaged one. */
export function checkSnapshot(value: unknown): CheckedSnapshot | undefined {
  if (!isSnapshot(value)) return undefined;
  const terms = readTerms(value.terms);
  if (!terms || value.offsets.length !== terms.size + 1) return undefined;
  return listsHold(value) ? { ...value, terms } : undefined;
}

function isSnapshot(value: unknown): value is LexicalSnapshot {
  if (typeof value !== 'object' || value === null) return false;
  const fields = value as Partial<Record<keyof LexicalSnapshot, unknown>>;
  return (
    fields.version === SNAPSHOT_VERSION &&
    typeof fields.terms === 'string' &&
    fields.offsets instanceof Uint32Array &&
    fields.postings instanceof Uint32Array &&
    fields.frequencies instanceof Uint16Array &&
    fields.lengths instanceof Uint32Array
  );
}

function readTerms(json: string): Map<string, number> | undefined {
  let list: unknown;
  try {
    list = JSON.parse(json);
  } catch {
    return undefined;
  }
  if (!Array.isArray(list)) return undefined;
  const terms = new Map<string, number>();
  for (const term of list) {
    if (typeof term !== 'string') return undefined;
    terms.set(term, terms.size);
  }
  return terms.size === list.length ? terms : undefined;
}

/** Every list is sorted and not empty, and the frequencies of a document add up to its length. */
function listsHold({ offsets, postings, frequencies, lengths }: LexicalSnapshot): boolean {
  if (offsets[0] !== 0 || offsets.at(-1) !== postings.length || frequencies.length !== postings.length)
    return false;
  const left = Float64Array.from(lengths);
  for (let list = 0; list + 1 < offsets.length; list++) {
    const end = offsets[list + 1]!;
    if (end <= offsets[list]! || end > postings.length) return false;
    let previous = -1;
    for (let at = offsets[list]!; at < end; at++) {
      const document = postings[at]!;
      if (document <= previous || document >= lengths.length || frequencies[at] === 0) return false;
      left[document]! -= frequencies[at]!;
      previous = document;
    }
  }
  // A frequency that did not fit its 16 bits leaves a rest, so only too short a length is a sign of damage there.
  const capped = frequencies.includes(0xffff);
  return left.every((rest) => rest === 0 || (capped && rest > 0));
}
