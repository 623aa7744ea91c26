/** One input of the model: token ids with the special ones around them. */
export interface Part {
  readonly ids: readonly number[];
  /** Tokens that are the text's own: what the part weighs when parts are pooled. */
  readonly weight: number;
}

/** The tokenizer as the adapter needs it. */
export interface Tokenizer {
  /** Token ids of `text` without special tokens and without any cut. */
  encode(text: string): number[];
  /** Ids that the model wants before and after every text. */
  readonly before: readonly number[];
  readonly after: readonly number[];
  readonly pad: number;
  /** Whether a token begins a word (rather than continues one). */
  startsWord(id: number): boolean;
}

/** UTF-16 units tokenised at once: between two slices of a giant text other work gets its turn. */
const SLICE = 16_384;
/** White space is looked for in the last quarter of a slice. */
const SLICE_SLACK = SLICE / 4;

/** `text` in slices of bounded length, cut at white space, or between code points where there is none. */
export function* slices(text: string, limit = SLICE, slack = SLICE_SLACK): Generator<string> {
  let from = 0;
  while (text.length - from > limit) {
    let to = from + limit;
    while (to > from + limit - slack && !isSpace(text.charCodeAt(to))) to--;
    if (!isSpace(text.charCodeAt(to))) to = from + limit - (splitsPair(text, from + limit) ? 1 : 0);
    yield text.slice(from, to);
    from = to;
  }
  yield text.slice(from);
}

function isSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;
}

function splitsPair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  return before >= 0xd800 && before <= 0xdbff;
}

/**
 * Splits `ids` into runs of at most `capacity`, each but the last ending where a word ends if one ends in
 * its last quarter. The runs are the whole of `ids` in order; there is one run where there are no ids.
 */
export function splitIds(
  ids: readonly number[],
  capacity: number,
  startsWord: (id: number) => boolean,
): (readonly number[])[] {
  if (ids.length <= capacity) return [ids];
  const runs: (readonly number[])[] = [];
  let from = 0;
  while (ids.length - from > capacity) {
    const full = from + capacity;
    const least = full - Math.floor(capacity / 4);
    let to = full;
    while (to > least && !startsWord(ids[to]!)) to--;
    if (!startsWord(ids[to]!)) to = full;
    runs.push(ids.slice(from, to));
    from = to;
  }
  runs.push(ids.slice(from));
  return runs;
}
