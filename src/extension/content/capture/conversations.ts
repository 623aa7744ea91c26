import { KnownTurns } from './known-turns.ts';

/** The conversations that a page has shown, one at a time, and what is known of the turns of each. */
export class Conversations {
  /** What the one that the page shows is called; empty where nothing names it yet. */
  name = '';
  /** Its turns. */
  known = new KnownTurns();
  /** When the address changed, as `performance.now()` counts. */
  enteredAt = Number.NEGATIVE_INFINITY;
  #address = '';
  readonly #named = new Map<string, KnownTurns>();

  /**
   * The page's address names this conversation; empty where it names none.
   *
   * @param stands whether turns of a conversation still stand on the page
   */
  enter(address: string, stands: (known: KnownTurns) => boolean): void {
    if (address === this.#address) return;
    // The first answer gives a new conversation its name: what stands on the page belongs to it.
    const goesOn = this.#address === '' && !this.#named.has(address) && stands(this.known);
    if (!goesOn) this.known = new KnownTurns();
    this.#address = address;
    this.enteredAt = performance.now();
    this.call(address);
  }

  /** What the page shows while its address names `address`, or none. */
  nameAt(address: string): string {
    return address === '' && this.#address === '' ? this.name : address;
  }

  /** Another conversation begins at the same address. */
  beginAnew(): void {
    this.known = new KnownTurns();
    this.name = '';
  }

  /** The conversation is called so; one of that name that was shown before goes on. */
  call(name: string): void {
    this.name = name;
    if (name === '') return;
    this.known = this.#named.get(name) ?? this.known;
    this.#named.set(name, this.known);
  }

  /** What was told of any conversation is told again when it is shown. */
  forget(): void {
    this.known.forget();
    for (const known of this.#named.values()) known.forget();
  }
}
