/**
 * The terms of an index in order of name: which of them came first depends on what was edited, and sums over terms
 * must not. Kept from one call to the next, since sorting what is nearly sorted costs little.
 */
export class TermOrder {
  private names: string[] = [];
  private lists = new Int32Array(0);
  private added: string[] = [];

  /** To be called when a term came. */
  add(name: string): void {
    this.added.push(name);
  }

  /** To be called when a term went. */
  forget(): void {
    this.names = [];
    this.lists = new Int32Array(0);
    this.added = [];
  }

  /** The values of `terms` in order of name. The array belongs to this object. */
  listsOf(terms: ReadonlyMap<string, number>): Int32Array {
    const known = this.names.length + this.added.length === terms.size;
    if (known && this.added.length === 0) return this.lists;
    const names = known ? [...this.names, ...this.added] : [...terms.keys()];
    this.names = names.sort();
    this.lists = new Int32Array(names.length);
    for (let i = 0; i < names.length; i++) this.lists[i] = terms.get(names[i]!)!;
    this.added = [];
    return this.lists;
  }
}
