import { cutText } from '../../core/text.ts';
import type { Embedder } from '../../embed/embedder.ts';
import { words } from '../../index/analyzers.ts';
import { Bm25Index } from '../../index/bm25.ts';
import { DenseList } from '../dense.ts';
import { spanText } from '../retrieval.ts';
import type { Summariser } from '../summariser.ts';
import type { Thread } from '../thread.ts';
import { ICE } from './constants.ts';
import { withoutFences } from './extraction.ts';
import { type Fragment, spanFragment, textFragment } from './fragment.ts';
import { PairList, pairSpan } from './pairs.ts';
import { TopicClusters } from './topic-clusters.ts';

/** Characters of a long pair that its summary is made from. */
const SUMMARISED = 6_000;

/** Every pair: its text, its summary where it is too long to be shown whole, its words, its vector, its cluster. */
export class EpisodicStore {
  readonly pairs = new PairList();
  readonly clusters = new TopicClusters();
  private readonly texts = new Bm25Index(words);
  private readonly vectors: DenseList;
  private readonly summaries = new Map<number, { readonly end: number; readonly text: string }>();
  private indexed = 0;

  constructor(
    embedder: Embedder,
    private readonly summariser: Summariser,
  ) {
    this.vectors = new DenseList(embedder);
  }

  /** Takes new turns, up to what needs vectors. */
  async extend(thread: Thread): Promise<void> {
    const changed = this.pairs.extend(thread);
    this.indexed = Math.min(this.indexed, changed);
    this.vectors.invalidate(changed);
    for (; this.indexed < this.pairs.all.length; this.indexed++) {
      const pair = this.pairs.all[this.indexed]!;
      const text = spanText(thread, pairSpan(pair));
      this.texts.set(this.indexed, text);
      if (this.isLossless(thread, this.indexed)) continue;
      const told = `${withoutFences(text)}\n${cutText(text, SUMMARISED)}`;
      const summary = await this.summariser.summarise([cutText(told, SUMMARISED)], ICE.pair.summary);
      this.summaries.set(this.indexed, { end: pair.end, text: summary || cutText(text, 400) });
    }
  }

  async embed(thread: Thread, signal?: AbortSignal): Promise<void> {
    await this.vectors.catchUp(this.pairs.all.length, (pair) => this.shownText(thread, pair), signal);
    for (let pair = this.clusters.size; pair < this.pairs.closed; pair++) {
      this.clusters.add(this.vectors.index.get(pair)!, this.pairs.all[pair]!.conversation);
    }
  }

  /** The flag of the paper: the pair is short enough to be shown word for word. */
  isLossless(thread: Thread, pair: number): boolean {
    const { start, end } = this.pairs.all[pair]!;
    return thread.tokens(start, end) <= ICE.pair.lossless;
  }

  /** A pair's own text, or its summary. */
  shownText(thread: Thread, pair: number): string {
    return this.summaries.get(pair)?.text ?? spanText(thread, pairSpan(this.pairs.all[pair]!));
  }

  /** A pair as it would stand in a prompt; `raw` shows long ones whole. */
  fragment(thread: Thread, pair: number, raw: boolean): Fragment {
    const one = this.pairs.all[pair]!;
    const rest = { type: 'episode', conversation: one.conversation, creative: one.creative, pair } as const;
    const summary = raw ? undefined : this.summaries.get(pair);
    return summary ? textFragment(summary.text, one.start, rest) : spanFragment(thread, pairSpan(one), rest);
  }

  /** BM25 of every pair. */
  wordScores(question: string): Float64Array {
    const each = Uint32Array.from({ length: this.pairs.all.length }, (_, i) => i);
    return this.texts.scoreGroups(question, each);
  }

  /** Cosine of every pair. */
  similarities(question: Float32Array): Float32Array {
    return this.vectors.index.scoreAll(question).scores;
  }
}
