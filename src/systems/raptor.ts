import { FlatIndex } from '../index/flat/flat-index.ts';
import { WindowVectors } from './dense.ts';
import { Packer } from './pack.ts';
import { buildTree, type TreeConstants, type TreeNode, treeSize } from './raptor-tree.ts';
import { retrievalOf, type ScoredSpan, type Span, spanText, toUnit } from './retrieval.ts';
import { extractiveSummariser, type Summariser } from './summariser.ts';
import { LISTED_UNITS, type Retrieval, type RetrievedUnit, type SystemPorts } from './system.ts';
import { ThreadSystem } from './thread-system.ts';
import { FixedWindows } from './windows.ts';

/** Constants of RAPTOR. `size` is a leaf's, in tokens; `growth` is how much a tree falls behind before the next. */
export const RAPTOR = {
  size: 128,
  budget: 790,
  growth: 1.02,
  tree: {
    clustering: { size: 6, roughAbove: 200, steps: 10, threshold: 0.1, temperature: 0.05, seed: 1 },
    summaryTokens: 100,
    layers: 5,
    top: 10,
  } satisfies TreeConstants,
};

/**
 * RAPTOR: windows are leaves of a tree whose inner nodes summarise clusters of the layer below. All nodes are
 * searched at once (the collapsed tree), and the best that fit under the cap stand in the prompt.
 *
 * Leaves are found as soon as they are there; the tree above them is built when a question comes and it has
 * fallen behind.
 */
export class Raptor extends ThreadSystem {
  private readonly windows = new FixedWindows(RAPTOR.size);
  private readonly vectors: WindowVectors;
  private summaries: readonly TreeNode[] = [];
  private summaryIndex: FlatIndex;
  private builtOn = 0;

  constructor(
    ports: SystemPorts,
    private readonly summariser: Summariser = extractiveSummariser,
  ) {
    super(ports);
    this.vectors = new WindowVectors(ports.embedder);
    this.summaryIndex = new FlatIndex(ports.embedder.stamp.dimension);
  }

  index(): RetrievedUnit[] {
    const leaves = this.windows.all.map((span) => toUnit({ span, score: 0 }));
    return [...leaves, ...this.summaries.map(({ text }) => ({ ranges: [], text, score: 0 }))];
  }

  protected catchUp(signal?: AbortSignal): Promise<void> {
    const changed = this.windows.extend(this.thread);
    return this.vectors.catchUp(this.windows.all, changed, this.thread, signal);
  }

  protected async search(question: string, signal?: AbortSignal): Promise<Retrieval> {
    await this.growTree(signal);
    const vector = await this.embedQuestion(question, signal);
    const leaves = this.vectors.index
      .search(vector, LISTED_UNITS)
      .map(({ id, score }): Found => ({ span: this.windows.all[id]!, score, layer: 0 }));
    const summaries = this.summaryIndex.search(vector, LISTED_UNITS).map(({ id, score }): Found => {
      const { text, layer } = this.summaries[id]!;
      // A summary has no place in the thread: it stands behind it.
      return { span: { start: this.thread.size, end: this.thread.size, text }, score, layer };
    });
    const ranked = [...leaves, ...summaries].sort((a, b) => b.score - a.score || a.layer - b.layer);
    return this.pack(ranked);
  }

  /** Builds the tree anew when closed leaves have outgrown it. */
  private async growTree(signal?: AbortSignal): Promise<void> {
    const size = treeSize(this.windows.all.length - 1, RAPTOR.growth);
    if (size === this.builtOn) return;
    const leaves = this.windows.all.slice(0, size).map(
      (span, i): TreeNode => ({
        text: spanText(this.thread, span),
        vector: this.vectors.index.get(i)!,
        layer: 0,
      }),
    );
    this.summaries = await buildTree(leaves, RAPTOR.tree, this.embedder, this.summariser, signal);
    this.summaryIndex = new FlatIndex(this.embedder.stamp.dimension);
    for (const [i, { vector }] of this.summaries.entries()) this.summaryIndex.add(i, vector);
    this.builtOn = size;
  }

  private pack(ranked: readonly Found[]): Retrieval {
    const packer = new Packer(this.thread, RAPTOR.budget);
    for (const { span } of ranked) packer.add(span);
    return retrievalOf(
      ranked.map(({ span, score, layer }): ScoredSpan => ({ span, score, parts: { layer } })),
      packer.spans,
    );
  }
}

interface Found {
  readonly span: Span;
  readonly score: number;
  readonly layer: number;
}
