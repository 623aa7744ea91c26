import { SkeinError } from '../core/errors.ts';

/** Word w is related to the words `others[offsets[w]]` to `others[offsets[w + 1] - 1]`. */
interface Table {
  readonly words: readonly string[];
  readonly numbers: ReadonlyMap<string, number>;
  readonly offsets: Int32Array;
  readonly others: Int32Array;
}

let known: Table | undefined;
let loading: Promise<void> | undefined;

/**
 * Fetches the table, once; `relatedWords` needs it. It is apart from the code since it is as large as all of that,
 * and no thread is open yet when a site is. Rejects with `download-failed`; the next call tries again.
 */
export function loadRelatedWords(): Promise<void> {
  loading ??= fetchTable().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function fetchTable(): Promise<void> {
  const { RELATED_PAIRS, RELATED_WORDS } = await import('./related-words.generated.ts').catch(
    (cause: unknown) => {
      throw new SkeinError(
        'download-failed',
        'The table of related words could not be fetched.',
        'Reload the page when you are online.',
        { cause },
      );
    },
  );
  known = tableOf(RELATED_WORDS.split(' '), numbersIn(RELATED_PAIRS));
}

/**
 * The English words that the shipped embedder puts close to `word`, itself left out (scripts/models/related-words.ts).
 * None for words that its vocabulary has no place of their own for: most names, numbers, other languages.
 * To be called once `loadRelatedWords` is done.
 */
export function relatedWords(word: string): readonly string[] {
  if (!known) throw new Error('The table of related words is asked before it is loaded.');
  const { words, numbers, offsets, others } = known;
  const number = numbers.get(word);
  if (number === undefined) return [];
  return Array.from(others.subarray(offsets[number], offsets[number + 1]), (other) => words[other]!);
}

/** `pairs` are for each word how many later ones are related to it, and how far each is from the one before. */
function tableOf(words: readonly string[], pairs: Int32Array): Table {
  const offsets = new Int32Array(words.length + 1);
  eachPair(words.length, pairs, (word, other) => {
    offsets[word + 1]!++;
    offsets[other + 1]!++;
  });
  for (let word = 0; word < words.length; word++) offsets[word + 1]! += offsets[word]!;
  const others = new Int32Array(offsets[words.length]!);
  const next = offsets.slice();
  eachPair(words.length, pairs, (word, other) => {
    others[next[word]!++] = other;
    others[next[other]!++] = word;
  });
  return { words, numbers: new Map(words.map((word, number) => [word, number])), offsets, others };
}

function eachPair(count: number, pairs: Int32Array, visit: (word: number, other: number) => void): void {
  let at = 0;
  for (let word = 0; word < count; word++) {
    let other = word;
    for (let left = pairs[at++]!; left > 0; left--) {
      other += pairs[at++]!;
      visit(word, other);
    }
  }
}

/** The numbers in base64 of 7 bits a byte, high bits first; the last byte of a number is below 128, no other is. */
function numbersIn(base64: string): Int32Array {
  const bytes = atob(base64);
  const numbers = new Int32Array(bytes.length);
  let size = 0;
  let number = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes.charCodeAt(i);
    number = number * 128 + (byte % 128);
    if (byte >= 128) continue;
    numbers[size++] = number;
    number = 0;
  }
  return numbers.subarray(0, size);
}
