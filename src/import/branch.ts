/** A message in a tree of retries and edits, in the order of the file. */
export interface BranchNode {
  readonly id: string;
  /** null: says that it is a root. undefined: says nothing. An id that isn't there: the link is broken. */
  readonly parent: string | null | undefined;
  readonly time: number | undefined;
  /** True for a node that only links others and holds no message. */
  readonly hollow?: boolean;
}

export interface Branch {
  /** From the first message to the last. */
  readonly ids: readonly string[];
  /** Links that were missing: the pieces on both sides were joined by time. */
  readonly joins: number;
}

interface Placed extends BranchNode {
  readonly order: number;
  /** Its time, or that of the nearest node before it in the file. */
  readonly when: number;
}

interface Tree {
  readonly root: Placed;
  hollow: boolean;
  /** Its newest leaf; the newest node where a loop leaves no leaf. */
  end: Placed;
  endIsLeaf: boolean;
}

/**
 * The branch that ends at `current`, or at the newest leaf when there is no such node.
 *
 * Nodes may form several trees. Roots that name the same parent (or say that they have none) are alternatives
 * of one another; other trees that end earlier are pieces of the same conversation whose link is broken, and
 * come before. Without a single link between nodes all of them are taken in the order of time. Loops are cut.
 */
export function branchOf(nodes: readonly BranchNode[], current: string | undefined): Branch {
  const byId = place(nodes);
  const parentOf = (node: Placed) =>
    typeof node.parent === 'string' && node.parent !== node.id ? byId.get(node.parent) : undefined;
  const placed = [...byId.values()];
  const parents = new Set(placed.map(parentOf).filter((parent) => parent !== undefined));
  if (parents.size === 0) return unlinked(placed);

  const rootOf = findRoots(placed, parentOf);
  const trees = newestFirst(growTrees(placed, rootOf, parents));
  const chosen = (current !== undefined && byId.get(current)) || trees[0]?.end;
  if (!chosen) return { ids: [], joins: 0 };
  const pieces = [climb(chosen, parentOf)];
  const used = new Set([originOf(rootOf.get(chosen)!)]);
  for (const tree of trees) {
    const origin = originOf(tree.root);
    if (used.has(origin) || !isBefore(tree.end, pieces.at(-1)![0]!)) continue;
    pieces.push(climb(tree.end, parentOf));
    used.add(origin);
  }
  return { ids: pieces.reverse().flatMap((piece) => piece.map((node) => node.id)), joins: pieces.length - 1 };
}

function place(nodes: readonly BranchNode[]): Map<string, Placed> {
  const byId = new Map<string, Placed>();
  let when = Number.NEGATIVE_INFINITY;
  nodes.forEach((node, order) => {
    when = node.time ?? when;
    byId.set(node.id, { ...node, order, when });
  });
  return byId;
}

function unlinked(placed: readonly Placed[]): Branch {
  const sorted = placed.toSorted((a, b) => (isBefore(a, b) ? -1 : 1));
  return { ids: sorted.map((node) => node.id), joins: Math.max(0, sorted.length - 1) };
}

/** The root of each node; in a loop, the node at which the first climb met itself. */
function findRoots(
  placed: readonly Placed[],
  parentOf: (node: Placed) => Placed | undefined,
): Map<Placed, Placed> {
  const rootOf = new Map<Placed, Placed>();
  for (const start of placed) {
    const path = new Set<Placed>();
    let node = start;
    let root: Placed | undefined;
    while (!root) {
      path.add(node);
      const parent = parentOf(node);
      root = rootOf.get(node) ?? (!parent ? node : path.has(parent) ? parent : undefined);
      if (!root) node = parent!;
    }
    for (const member of path) rootOf.set(member, root);
  }
  return rootOf;
}

function growTrees(
  placed: readonly Placed[],
  rootOf: ReadonlyMap<Placed, Placed>,
  parents: ReadonlySet<Placed>,
): Tree[] {
  const trees = new Map<Placed, Tree>();
  for (const node of placed) {
    const root = rootOf.get(node)!;
    const isLeaf = !parents.has(node);
    const tree = trees.get(root);
    if (!tree) {
      trees.set(root, { root, hollow: node.hollow === true, end: node, endIsLeaf: isLeaf });
      continue;
    }
    if (!node.hollow) tree.hollow = false;
    if (isLeaf !== tree.endIsLeaf ? isLeaf : isBefore(tree.end, node)) {
      tree.end = node;
      tree.endIsLeaf = isLeaf;
    }
  }
  return [...trees.values()].filter((tree) => !tree.hollow);
}

function newestFirst(trees: readonly Tree[]): Tree[] {
  return trees.toSorted((a, b) => (isBefore(a.end, b.end) ? 1 : -1));
}

function climb(from: Placed, parentOf: (node: Placed) => Placed | undefined): Placed[] {
  const path = new Set<Placed>();
  for (let node: Placed | undefined = from; node && !path.has(node); node = parentOf(node)) path.add(node);
  return [...path].reverse();
}

/** What makes two roots alternatives: the parent they name, else the root itself. */
function originOf(root: Placed): string | null | Placed {
  return root.parent === undefined ? root : root.parent;
}

function isBefore(a: Placed, b: Placed): boolean {
  return a.when !== b.when ? a.when < b.when : a.order < b.order;
}
