/**
 * A graph of names that are joined where they stand in the same turn, as lists of names a turn: a step from name to
 * name goes through a turn that holds both, so that no edge need be kept.
 */
export class PhraseGraph {
  private readonly ids = new Map<string, number>();
  /** Names of all turns, one after the other; turn t has those from `starts[t]` to `starts[t + 1] - 1`. */
  private readonly names: number[] = [];
  private readonly starts = [0];
  /** Number of turns that hold each name. */
  private readonly degrees: number[] = [];

  get size(): number {
    return this.starts.length - 1;
  }

  /** Adds the next turn. */
  addTurn(names: readonly string[]): void {
    for (const name of new Set(names)) {
      const id = this.idOf(name);
      this.degrees[id]!++;
      this.names.push(id);
    }
    this.starts.push(this.names.length);
  }

  /** How rare a name is: 1 / number of turns that hold it; 0 for an unknown one. */
  specificity(name: string): number {
    const id = this.ids.get(name);
    return id === undefined ? 0 : 1 / this.degrees[id]!;
  }

  /**
   * Personalised PageRank from `names`, each weighted by its specificity, then summed over the names of each turn.
   * `damping` is the chance to walk on. Undefined when no name is known.
   */
  rankTurns(names: readonly string[], damping: number, steps: number): Float64Array | undefined {
    const start = this.startFrom(names);
    if (!start) return undefined;
    const edges = Int32Array.from(this.names);
    const degrees = Int32Array.from(this.degrees);
    let rank = start;
    for (let step = 0; step < steps; step++) rank = this.walk(rank, start, damping, edges, degrees);
    return Float64Array.from({ length: this.size }, (_, turn) => {
      let sum = 0;
      for (let i = this.starts[turn]!; i < this.starts[turn + 1]!; i++) sum += rank[edges[i]!]!;
      return sum;
    });
  }

  private startFrom(names: readonly string[]): Float64Array | undefined {
    const start = new Float64Array(this.degrees.length);
    let total = 0;
    for (const name of new Set(names)) {
      const weight = this.specificity(name);
      if (weight > 0) start[this.ids.get(name)!] = weight;
      total += weight;
    }
    return total > 0 ? start.map((weight) => weight / total) : undefined;
  }

  private walk(
    rank: Float64Array,
    start: Float64Array,
    damping: number,
    edges: Int32Array,
    degrees: Int32Array,
  ): Float64Array {
    const next = new Float64Array(start.length);
    for (let name = 0; name < start.length; name++) next[name] = (1 - damping) * start[name]!;
    for (let turn = 0; turn < this.size; turn++) {
      const from = this.starts[turn]!;
      const to = this.starts[turn + 1]!;
      let sum = 0;
      for (let i = from; i < to; i++) sum += rank[edges[i]!]! / degrees[edges[i]!]!;
      const each = (damping * sum) / (to - from);
      for (let i = from; i < to; i++) next[edges[i]!]! += each;
    }
    return next;
  }

  private idOf(name: string): number {
    let id = this.ids.get(name);
    if (id === undefined) {
      id = this.degrees.push(0) - 1;
      this.ids.set(name, id);
    }
    return id;
  }
}
