import { throwIfAborted } from '../core/errors.ts';
import type { Embedder } from '../embed/embedder.ts';
import { type SoftClustering, softClusters } from './soft-clusters.ts';
import type { Summariser } from './summariser.ts';

/** Constants of the tree. */
export interface TreeConstants {
  readonly clustering: SoftClustering;
  /** Tokens of a summary. */
  readonly summaryTokens: number;
  /** Layers of summaries at most. */
  readonly layers: number;
  /** A layer with no more nodes than this gets no layer above it. */
  readonly top: number;
}

/** A node of the tree: a text, its vector, and the layer it stands in (leaves are 0). */
export interface TreeNode {
  readonly text: string;
  readonly vector: Float32Array;
  readonly layer: number;
}

/** The summary nodes over `leaves`, layer by layer: each summarises a cluster of the layer below. */
export async function buildTree(
  leaves: readonly TreeNode[],
  constants: TreeConstants,
  embedder: Embedder,
  summariser: Summariser,
  signal?: AbortSignal,
): Promise<TreeNode[]> {
  const summaries: TreeNode[] = [];
  let below = leaves;
  for (let layer = 1; layer <= constants.layers && below.length > constants.top; layer++) {
    throwIfAborted(signal);
    const clusters = softClusters(
      below.map(({ vector }) => vector),
      constants.clustering,
    );
    const texts: string[] = [];
    for (const cluster of clusters) {
      const members = cluster.map((i) => below[i]!.text);
      texts.push(await summariser.summarise(members, constants.summaryTokens, signal));
    }
    const vectors = await embedder.embed(texts, { kind: 'passage', signal });
    below = texts.map((text, i) => ({ text, vector: vectors[i]!, layer }));
    summaries.push(...below);
  }
  return summaries;
}

/**
 * How many of `leaves` leaves the tree stands on: the largest of a row of sizes, each `growth` times the one
 * before. So the tree is built anew only now and then, and depends on the thread alone.
 */
export function treeSize(leaves: number, growth: number): number {
  let size = 0;
  for (let next = 1; next <= leaves; next = Math.max(next + 1, Math.floor(next * growth))) size = next;
  return size;
}
