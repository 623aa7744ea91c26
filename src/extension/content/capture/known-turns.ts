import type { Role } from '../../../core/turn.ts';
import { textHash } from '../../../store/text-hash.ts';

/** A complete turn of the page, in the page's order. */
export interface ShownTurn {
  role: Role;
  hash: string;
  /** What the site calls the message. */
  id: string | undefined;
  /** Key under which this very element was known before, unchanged since. */
  known: string | undefined;
}

/** A shown turn with its name and the turn before it on its branch. */
export interface NamedTurn {
  key: string;
  after: string | undefined;
  /** True when the conversation did not have it so yet: it is new, or what stands before it became known. */
  isNews: boolean;
}

interface Known {
  hash: string;
  after: string | undefined;
  /** Seen while paused: never captured. */
  skipped: boolean;
}

/** Names a text whatever a re-render does to its spaces and signs. */
export function turnHash(role: Role, text: string): string {
  const letters = text.replace(/[^\p{L}\p{N}]+/gu, '');
  return role[0] + textHash(letters === '' ? text : letters).toString(36);
}

/**
 * What a page remembers of one conversation: names and hashes, never texts. A turn's key is the site's own name for
 * the message, else a hash of its role and text with the number of its occurrence.
 */
export class KnownTurns {
  readonly #known = new Map<string, Known>();
  /** Keys of equal role and text, in the order of their numbers. */
  readonly #occurrences = new Map<string, string[]>();

  get size(): number {
    return this.#known.size;
  }

  /**
   * Names the turns that the page shows. Turns that scrolled out of the page keep their names and their place: a
   * turn that comes back is recognised by its neighbours, and what stood before it stays what was first seen.
   *
   * @param skip remember them without ever calling them news
   */
  name(shown: readonly ShownTurn[], skip = false): NamedTurn[] {
    const taken = new Set(shown.flatMap(({ known }) => known ?? []));
    let before: string | undefined;
    return shown.map((turn, at) => {
      const key = turn.known ?? this.#keyOf(turn, before, shown[at + 1]?.known, taken);
      taken.add(key);
      const isNews = this.#remember(key, turn.hash, before, skip);
      before = key;
      return { key, after: this.#captured(this.#known.get(key)!.after), isNews };
    });
  }

  #keyOf(
    turn: ShownTurn,
    before: string | undefined,
    next: string | undefined,
    taken: ReadonlySet<string>,
  ): string {
    if (turn.id !== undefined) {
      const key = `${turn.role[0]}:${turn.id}`;
      const known = this.#known.get(key);
      // The same message with another text: an answer that went on, or was given again.
      const named = known && known.hash !== turn.hash ? `${key}~${turn.hash}` : key;
      // A name that two turns share is none.
      if (!taken.has(named)) return named;
    }
    const keys = this.#occurrences.get(turn.hash) ?? [];
    const hidden = keys.filter((key) => !taken.has(key));
    const isNext = (key: string) => next !== undefined && this.#known.get(next)?.after === key;
    const back =
      before === undefined
        ? (hidden.find(isNext) ?? hidden.at(-1))
        : hidden.find((key) => this.#known.get(key)?.after === before || isNext(key));
    return back ?? this.#nextOccurrence(turn.hash, keys);
  }

  #nextOccurrence(hash: string, keys: string[]): string {
    const key = `${hash}.${keys.length + 1}`;
    this.#occurrences.set(hash, [...keys, key]);
    return key;
  }

  #remember(key: string, hash: string, before: string | undefined, skip: boolean): boolean {
    const known = this.#known.get(key);
    if (!known) {
      this.#known.set(key, { hash, after: before, skipped: skip });
      return !skip;
    }
    if (known.after !== undefined || before === undefined || this.#leadsTo(before, key)) return false;
    known.after = before;
    return !known.skipped;
  }

  /** Whether `to` stands before `from`, so that putting it after would make a ring. */
  #leadsTo(from: string, to: string): boolean {
    for (let key: string | undefined = from; key !== undefined; key = this.#known.get(key)?.after)
      if (key === to) return true;
    return false;
  }

  /** `key`, or the nearest turn before it that was captured. */
  #captured(key: string | undefined): string | undefined {
    while (key !== undefined && this.#known.get(key)?.skipped) key = this.#known.get(key)?.after;
    return key;
  }
}
