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
  /** `skipped`: seen while paused, never captured. `untold`: what was told of it is forgotten. */
  fate: 'told' | 'skipped' | 'untold';
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
  /** Keys that come after each key. */
  readonly #followers = new Map<string, string[]>();

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
      const key = turn.known ?? this.#keyOf(shown, at, before, taken);
      taken.add(key);
      const isNews = this.#remember(key, turn.hash, before, skip);
      before = key;
      return { key, after: this.#captured(this.#known.get(key)!.after), isNews };
    });
  }

  /** Whether a turn of this role and text belongs to the conversation. */
  has(hash: string): boolean {
    for (const known of this.#known.values()) if (known.hash === hash) return true;
    return false;
  }

  /** Every turn is news again once it is shown, under the same name; only what was skipped stays so. */
  forget(): void {
    for (const known of this.#known.values()) if (known.fate === 'told') known.fate = 'untold';
  }

  #keyOf(
    shown: readonly ShownTurn[],
    at: number,
    before: string | undefined,
    taken: ReadonlySet<string>,
  ): string {
    const turn = shown[at]!;
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
    const back = this.#comingBack(hidden, shown.slice(at + 1), before);
    return back ?? this.#nextOccurrence(turn.hash, keys);
  }

  /** Which of `hidden` comes back: the one that stood after `before`, or that what follows now followed then. */
  #comingBack(
    hidden: readonly string[],
    following: readonly ShownTurn[],
    before: string | undefined,
  ): string | undefined {
    const inPlace = hidden.find((key) => before !== undefined && this.#known.get(key)?.after === before);
    if (inPlace !== undefined) return inPlace;
    let best: string | undefined;
    let most = before === undefined ? 0 : 1;
    for (const key of hidden) {
      if (before !== undefined && this.#known.get(key)?.after !== undefined) continue;
      const length = this.#commonRun(key, following);
      if (length < most) continue;
      best = key;
      most = length;
    }
    return best;
  }

  /** How many of `following` came after `key` before, one after the other. */
  #commonRun(key: string, following: readonly ShownTurn[]): number {
    let at = 0;
    for (let next: string | undefined = key; next !== undefined && at < following.length; at++) {
      const { hash, known } = following[at]!;
      next = this.#followers.get(next)?.find((one) => one === known || this.#known.get(one)?.hash === hash);
      if (next === undefined) break;
    }
    return at;
  }

  #nextOccurrence(hash: string, keys: string[]): string {
    const key = `${hash}.${keys.length + 1}`;
    this.#occurrences.set(hash, [...keys, key]);
    return key;
  }

  #remember(key: string, hash: string, before: string | undefined, skip: boolean): boolean {
    const known = this.#known.get(key);
    const fate = skip ? 'skipped' : 'told';
    if (!known) {
      this.#known.set(key, { hash, after: before, fate });
      this.#follow(before, key);
      return !skip;
    }
    const isAgain = known.fate === 'untold';
    if (isAgain) known.fate = fate;
    if (known.after !== undefined || before === undefined || this.#leadsTo(before, key))
      return isAgain && !skip;
    known.after = before;
    this.#follow(before, key);
    return known.fate === 'told';
  }

  #follow(before: string | undefined, key: string): void {
    if (before !== undefined) this.#followers.set(before, [...(this.#followers.get(before) ?? []), key]);
  }

  /** Whether `to` stands before `from`, so that putting it after would make a ring. */
  #leadsTo(from: string, to: string): boolean {
    for (let key: string | undefined = from; key !== undefined; key = this.#known.get(key)?.after)
      if (key === to) return true;
    return false;
  }

  /** `key`, or the nearest turn before it that was captured. */
  #captured(key: string | undefined): string | undefined {
    while (key !== undefined && this.#known.get(key)?.fate === 'skipped') key = this.#known.get(key)?.after;
    return key;
  }
}
