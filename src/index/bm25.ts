import { checkSnapshot, SNAPSHOT_VERSION } from './bm25-snapshot.ts';
import { checkId } from './checks.ts';
import { DocumentGroups } from './document-groups.ts';
import { GroupedLists, type ScoredList } from './grouped-lists.ts';
import type {
  Analyzer,
  GroupedTerm,
  GroupList,
  GroupScoring,
  LexicalIndex,
  LexicalSnapshot,
  RelatedTerms,
  TermGroups,
} from './lexical-index.ts';
import { ListSum } from './list-sum.ts';
import { PostingLists } from './posting-lists.ts';
import { TermOrder } from './term-order.ts';

export interface Bm25Options {
  /** How soon more occurrences of a term stop counting. */
  readonly k1?: number;
  /** How far long groups are held back: 0 not at all, 1 in full. */
  readonly b?: number;
}

/** Of all postings, as many are kept by groups, too, for questions to come. */
const KEPT_SHARE = 0.25;

/**
 * BM25 over groups of consecutive documents. With N groups, of which df hold a term, the term adds
 *
 *     ln(1 + (N - df + 0.5) / (df + 0.5)) * tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / mean length))
 *
 * to a group in which it occurs tf times, as often as the query holds the term. Lengths count terms.
 */
export class Bm25Index implements LexicalIndex {
  private readonly k1: number;
  private readonly b: number;
  private terms = new Map<string, number>();
  private readonly order = new TermOrder();
  private lists = new PostingLists();
  private lengths = new Uint32Array(64);
  private size = 0;
  private readonly groups = new DocumentGroups();
  private readonly grouped = new GroupedLists();
  private readonly sum = new ListSum();
  // Kept between queries, so that one costs no allocation that grows with the thread.
  private held = new Int32Array(0);
  private heldFrequency = new Float64Array(0);
  private heldImpact = new Float64Array(0);
  private norms = new Float64Array(0);
  /** The terms of the last query: whoever explains a ranking asks for the same ones many times. */
  private asked: { readonly query: string; readonly terms: ReadonlyMap<string, number> } | undefined;

  constructor(
    private readonly analyzer: Analyzer,
    { k1 = 1.2, b = 0.75 }: Bm25Options = {},
  ) {
    this.k1 = k1;
    this.b = b;
  }

  /**
   * The index that `snapshot` was taken of, with the same scores; undefined when it is damaged, of another
   * version or no snapshot at all. The analyzer must be the one the index was built with.
   */
  static restore(snapshot: unknown, analyzer: Analyzer, options?: Bm25Options): Bm25Index | undefined {
    const checked = checkSnapshot(snapshot);
    if (!checked) return undefined;
    const index = new Bm25Index(analyzer, options);
    index.terms = checked.terms;
    index.lists = new PostingLists(checked.offsets, checked.postings, checked.frequencies);
    index.lengths = checked.lengths.slice();
    index.size = checked.lengths.length;
    return index;
  }

  get documents(): number {
    return this.size;
  }

  documentFrequency(term: string): number {
    const list = this.terms.get(term);
    return list === undefined ? 0 : this.lists.counts[list]!;
  }

  set(id: number, text: string): void {
    checkId(id);
    this.remove(id);
    this.reach(id + 1);
    const found = this.analyzer(text);
    for (const [term, frequency] of countTerms(found)) {
      let list = this.terms.get(term);
      if (list === undefined) {
        list = this.lists.create();
        this.terms.set(term, list);
        this.order.add(term);
      }
      this.lists.insert(list, id, frequency);
    }
    this.lengths[id] = found.length;
    this.groups.invalidate();
  }

  remove(id: number): void {
    if (id >= this.size || this.lengths[id] === 0) return;
    for (const [term, list] of this.terms) {
      if (!this.lists.remove(list, id) || this.lists.counts[list] !== 0) continue;
      this.terms.delete(term);
      this.lists.release(list);
      this.order.forget();
    }
    this.lengths[id] = 0;
    this.groups.invalidate();
  }

  scoreGroups(
    query: string,
    starts: ArrayLike<number>,
    { dampened = false, into }: GroupScoring = {},
  ): Float64Array {
    const scores = into?.fill(0) ?? new Float64Array(starts.length);
    if (starts.length === 0) return scores;
    this.assignGroups(starts);
    for (const [term, times] of this.termsOf(query)) {
      const list = this.terms.get(term);
      if (list !== undefined) this.addTerm(list, dampened ? Math.sqrt(times) : times, starts[0]!, scores);
    }
    return scores;
  }

  eachTerm(
    query: string,
    starts: ArrayLike<number>,
    most: number,
    visit: (term: GroupedTerm) => void,
    related?: RelatedTerms,
  ): void {
    if (starts.length === 0) return;
    this.assignGroups(starts);
    for (const [term, times] of this.termsOf(query)) {
      const own = this.terms.get(term);
      if (own !== undefined && this.lists.counts[own]! > most) continue;
      const others = this.rareLists(related?.of(term) ?? [], most);
      if (own === undefined && others.length === 0) continue;
      const { count, groups, frequencies } = this.summed(own, others, related?.share ?? 0, starts);
      if (count > 0) visit({ times, count, groups, frequencies });
    }
  }

  /** A term's groups, and those of others at a share. */
  private summed(
    own: number | undefined,
    others: readonly number[],
    share: number,
    starts: ArrayLike<number>,
  ): GroupList {
    if (own !== undefined && others.length === 0) return this.groupedList(own, starts[0]!);
    this.sum.clear(starts.length);
    if (own !== undefined) this.sum.add(this.groupedList(own, starts[0]!), 1);
    for (const other of others) this.sum.add(this.groupedList(other, starts[0]!), share);
    return this.sum.list();
  }

  /** The lists of those terms that occur, and in no more than `most` documents. */
  private rareLists(terms: readonly string[], most: number): number[] {
    const lists: number[] = [];
    for (const term of terms) {
      const list = this.terms.get(term);
      if (list !== undefined && this.lists.counts[list]! <= most) lists.push(list);
    }
    return lists;
  }

  groupLengths(starts: ArrayLike<number>): Float64Array {
    this.assignGroups(starts);
    return this.groups.lengths.slice();
  }

  termGroups(starts: ArrayLike<number>): TermGroups {
    this.assignGroups(starts);
    const lists = this.order.listsOf(this.terms);
    const offsets = new Int32Array(lists.length + 1);
    let groups = new Int32Array(this.lists.total);
    let frequencies = new Float32Array(groups.length);
    let size = 0;
    for (let term = 0; term < lists.length; term++) {
      const count = starts.length === 0 ? 0 : this.gather(lists[term]!, starts[0]!);
      for (let i = 0; i < count; i++) {
        groups[size] = this.held[i]!;
        frequencies[size++] = this.heldFrequency[i]!;
      }
      offsets[term + 1] = size;
    }
    groups = groups.subarray(0, size);
    frequencies = frequencies.subarray(0, size);
    return { count: starts.length, offsets, groups, frequencies };
  }

  repeatedShares(starts: ArrayLike<number>): Float64Array {
    const shares = new Float64Array(this.size);
    if (starts.length === 0) return shares;
    this.assignGroups(starts);
    const all = new Float64Array(this.size);
    const { counts, documents } = this.lists;
    const groupOf = this.groups.of;
    for (const list of this.terms.values()) {
      const held = counts[list]!;
      // Whole numbers: sums must not depend on which term came first, which edits change.
      const rarity = Math.round(1024 * Math.log(1 + (this.size - held + 0.5) / (held + 0.5)));
      const end = this.lists.starts[list]! + held;
      let last = -1;
      for (let at = this.lists.lowerBound(list, starts[0]!); at < end; at++) {
        const document = documents[at]!;
        all[document]! += rarity;
        // Postings ascend, so those of one group stand together.
        if (groupOf[document] === last) shares[document]! += rarity;
        last = groupOf[document]!;
      }
    }
    for (let id = 0; id < shares.length; id++) if (all[id]! > 0) shares[id]! /= all[id]!;
    return shares;
  }

  matchedTerms(query: string, from: number, to: number): string[] {
    const { lists } = this;
    const matched: { term: string; frequency: number }[] = [];
    for (const term of this.termsOf(query).keys()) {
      const list = this.terms.get(term);
      if (list === undefined) continue;
      const at = lists.lowerBound(list, from);
      if (at === lists.starts[list]! + lists.counts[list]! || lists.documents[at]! >= to) continue;
      matched.push({ term, frequency: lists.counts[list]! });
    }
    return matched.sort((a, b) => a.frequency - b.frequency).map(({ term }) => term);
  }

  documentsWith(term: string, from: number, to: number): number[] {
    const list = this.terms.get(term);
    if (list === undefined) return [];
    const { counts, documents, starts } = this.lists;
    const end = starts[list]! + counts[list]!;
    const found: number[] = [];
    for (let at = this.lists.lowerBound(list, from); at < end && documents[at]! < to; at++) {
      found.push(documents[at]!);
    }
    return found;
  }

  snapshot(): LexicalSnapshot {
    const { lists } = this;
    const offsets = new Uint32Array(this.terms.size + 1);
    let total = 0;
    let term = 0;
    for (const list of this.terms.values()) offsets[++term] = total += lists.counts[list]!;
    const postings = new Uint32Array(total);
    const frequencies = new Uint16Array(total);
    term = 0;
    for (const list of this.terms.values()) {
      const from = lists.starts[list]!;
      const to = from + lists.counts[list]!;
      postings.set(lists.documents.subarray(from, to), offsets[term]!);
      frequencies.set(lists.frequencies.subarray(from, to), offsets[term]!);
      term++;
    }
    return {
      version: SNAPSHOT_VERSION,
      terms: JSON.stringify([...this.terms.keys()]),
      offsets,
      postings,
      frequencies,
      lengths: this.lengths.slice(0, this.size),
    };
  }

  /** A copy that holds the documents which `kept` marks with 1, under their numbers; there are `kept.length` of them. */
  restrictedTo(kept: Uint8Array): Bm25Index {
    const { lists } = this;
    const most = lists.counts.reduce((sum, count) => sum + count, 0);
    const documents = new Uint32Array(most);
    const frequencies = new Uint16Array(most);
    const offsets = [0];
    const index = new Bm25Index(this.analyzer, { k1: this.k1, b: this.b });
    let size = 0;
    for (const [term, list] of this.terms) {
      const end = lists.starts[list]! + lists.counts[list]!;
      for (let at = lists.starts[list]!; at < end; at++) {
        if (kept[lists.documents[at]!] !== 1) continue;
        documents[size] = lists.documents[at]!;
        frequencies[size++] = lists.frequencies[at]!;
      }
      if (size === offsets.at(-1)) continue;
      index.terms.set(term, index.terms.size);
      offsets.push(size);
    }
    index.lists = new PostingLists(
      Uint32Array.from(offsets),
      documents.subarray(0, size),
      frequencies.subarray(0, size),
    );
    index.size = Math.min(kept.length, this.size);
    index.lengths = this.lengths.slice(0, index.size);
    for (let id = 0; id < index.size; id++) if (kept[id] !== 1) index.lengths[id] = 0;
    return index;
  }

  private termsOf(query: string): ReadonlyMap<string, number> {
    if (this.asked?.query !== query) this.asked = { query, terms: countTerms(this.analyzer(query)) };
    return this.asked.terms;
  }

  /** Makes documents up to `size - 1` exist. */
  private reach(size: number): void {
    if (size > this.lengths.length) {
      const lengths = new Uint32Array(Math.max(size, this.lengths.length * 2));
      lengths.set(this.lengths);
      this.lengths = lengths;
    }
    this.size = Math.max(this.size, size);
  }

  /** Notes for every document its group, and for every group what its length adds below the fraction. */
  private assignGroups(starts: ArrayLike<number>): void {
    const { groups, k1, b } = this;
    if (!groups.assign(starts, this.lengths, this.size)) return;
    this.grouped.clear();
    const { lengths, meanLength } = groups;
    if (this.held.length < lengths.length) {
      this.held = new Int32Array(lengths.length * 2);
      this.heldFrequency = new Float64Array(lengths.length * 2);
      this.heldImpact = new Float64Array(lengths.length * 2);
    }
    this.norms = new Float64Array(lengths.length);
    for (let g = 0; g < lengths.length; g++) this.norms[g] = k1 * (1 - b + (b * lengths[g]!) / meanLength);
  }

  private addTerm(list: number, times: number, first: number, scores: Float64Array): void {
    const { count, groups, impacts } = this.groupedList(list, first);
    const idf = Math.log(1 + (scores.length - count + 0.5) / (count + 0.5));
    const weight = times * idf * (this.k1 + 1);
    for (let i = 0; i < count; i++) scores[groups[i]!]! += weight * impacts[i]!;
  }

  /** The groups that hold a term; arrays of the index's own, which hold until its next call. */
  private groupedList(list: number, first: number): ScoredList {
    return this.grouped.of(list, () => this.makeGrouped(list, first), KEPT_SHARE * this.lists.total);
  }

  private makeGrouped(list: number, first: number): ScoredList {
    const count = this.gather(list, first);
    const { held: groups, heldFrequency: frequencies, heldImpact: impacts, norms } = this;
    for (let i = 0; i < count; i++) impacts[i] = frequencies[i]! / (frequencies[i]! + norms[groups[i]!]!);
    return { count, groups, frequencies, impacts };
  }

  /** Notes in `held` and `heldFrequency` the groups that hold a term, and returns how many they are. */
  private gather(list: number, first: number): number {
    const { held, heldFrequency } = this;
    const { documents, frequencies } = this.lists;
    const groupOf = this.groups.of;
    const end = this.lists.starts[list]! + this.lists.counts[list]!;
    // Postings ascend, so those of one group stand together.
    let groups = 0;
    let last = -1;
    let frequency = 0;
    for (let at = this.lists.lowerBound(list, first); at < end; at++) {
      const group = groupOf[documents[at]!]!;
      if (group !== last) {
        frequency = 0;
        held[groups++] = last = group;
      }
      frequency += frequencies[at]!;
      heldFrequency[groups - 1] = frequency;
    }
    return groups;
  }
}

function countTerms(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}
