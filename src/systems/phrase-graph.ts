/**
 * A graph of names that are joined where they stand in the same turn, as lists of names a turn: a step from name to
 * name goes through a turn that holds both, so that no edge need be kept.
 */
export class PhraseGraph {
  private readonly ids = new Map<string, number>();
  /** Names in each turn. */
  private readonly turns: Int32Array[] = [];
  /** Number of turns that hold each name. */
  private readonly degrees: number[] = [];

  get size(): number {
    return this.turns.length;
  }

  /** Adds the next turn. */
  addTurn(names: readonly string[]): void {
    const ids = [...new Set(names)].map((name) => this.idOf(name));
    for (const id of ids) this.degrees[id]!++;
    this.turns.push(Int32Array.from(ids));
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
    let rank = start;
    for (let step = 0; step < steps; step++) rank = this.walk(rank, start, damping);
    return Float64Array.from(this.turns, (ids) => ids.reduce((sum, id) => sum + rank[id]!, 0));
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

  private walk(rank: Float64Array, start: Float64Array, damping: number): Float64Array {
    const next = start.map((weight) => (1 - damping) * weight);
    for (const ids of this.turns) {
      let sum = 0;
      for (const id of ids) sum += rank[id]! / this.degrees[id]!;
      const each = (damping * sum) / ids.length;
      for (const id of ids) next[id]! += each;
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
