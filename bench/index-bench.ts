import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { dot } from '../src/core/vectors.ts';
import { FlatIndex } from '../src/index/flat/flat-index.ts';
import { topK } from '../src/index/top-k.ts';
import type { VectorHit } from '../src/index/vector-index.ts';
import { VoyIndex } from '../src/index/voy/voy-index.ts';
import { VoyRuntime } from '../src/index/voy/voy-runtime.ts';
import { unitRows } from '../test/unit/index/vectors.ts';

const SIZES = [1_000, 6_000, 20_000, 50_000];
const DIMENSION = 384;
const QUERIES = 50;
const BEST = 10;

/** One index at one size. Times in milliseconds. */
export interface Row {
  readonly vectors: number;
  readonly index: string;
  readonly build: number;
  readonly median: number;
  readonly p95: number;
  /** Bytes the index holds; voy never gives any back, so its figure includes those of earlier sizes. */
  readonly bytes: number;
  /** Median of the naive scan at this size, divided by this one's. */
  readonly timesNaive: number;
  /** Share of the naive scan's ten best that this index gives. */
  readonly recall: number;
}

/** What the benchmark asks of an index. */
interface Contender {
  readonly name: string;
  build(rows: Float32Array): void;
  search(query: Float32Array): VectorHit[];
  bytes(): number;
  dispose?(): void;
}

/** Times every index over the same seeded vectors and queries at every size. */
export async function benchIndexes(sizes: readonly number[] = SIZES): Promise<Row[]> {
  const { resolve } = createRequire(import.meta.url);
  const voy = await VoyRuntime.load(() => readFile(resolve('voy-search/voy_search_bg.wasm')));
  const table: Row[] = [];
  for (const size of sizes) {
    const rows = unitRows(size, DIMENSION, 1);
    const queries = unitRows(QUERIES, DIMENSION, 2);
    const exact = naive();
    const reference = measure(exact, size, rows, queries);
    for (const contender of [exact, flat('simd'), flat('plain'), throughVoy(voy)]) {
      const { found, ...figures } = contender === exact ? reference : measure(contender, size, rows, queries);
      table.push({
        ...figures,
        timesNaive: reference.median / figures.median,
        recall: overlap(found, reference.found),
      });
      contender.dispose?.();
    }
  }
  return table;
}

function naive(): Contender {
  let vectors: Float32Array[] = [];
  return {
    name: 'naive scan',
    build(rows) {
      vectors = Array.from({ length: rows.length / DIMENSION }, (_, i) => rowOf(rows, i).slice());
    },
    search(query) {
      const scores = new Float64Array(vectors.length);
      for (let i = 0; i < vectors.length; i++) scores[i] = dot(vectors[i]!, query);
      return topK(scores, scores.length, BEST).map((id) => ({ id, score: scores[id]! }));
    },
    bytes: () => vectors.length * DIMENSION * 4,
  };
}

function flat(kernel: 'simd' | 'plain'): Contender {
  const index = new FlatIndex(DIMENSION, kernel);
  return {
    name: `flat, ${kernel}`,
    build: (rows) => index.addMany(0, rows),
    search: (query) => index.search(query, BEST),
    bytes: () => index.bytes,
  };
}

function throughVoy(runtime: VoyRuntime): Contender {
  const index = new VoyIndex(DIMENSION, runtime);
  return {
    name: 'voy',
    build(rows) {
      index.addMany(0, rows);
      index.plant();
    },
    search: (query) => index.search(query, BEST),
    bytes: () => index.bytes,
    dispose() {
      if (index.degraded) throw new Error(index.degraded);
      index.dispose();
    },
  };
}

function measure(contender: Contender, vectors: number, rows: Float32Array, queries: Float32Array) {
  const begun = performance.now();
  contender.build(rows);
  const build = performance.now() - begun;
  for (let i = 0; i < 5; i++) contender.search(rowOf(queries, i));
  const times: number[] = [];
  const found: Set<number>[] = [];
  for (let i = 0; i < QUERIES; i++) {
    const from = performance.now();
    const hits = contender.search(rowOf(queries, i));
    times.push(performance.now() - from);
    found.push(new Set(hits.map((hit) => hit.id)));
  }
  times.sort((a, b) => a - b);
  const [median, p95] = [times[Math.floor(QUERIES * 0.5)]!, times[Math.floor(QUERIES * 0.95)]!];
  return { vectors, index: contender.name, build, median, p95, bytes: contender.bytes(), found };
}

function overlap(found: Set<number>[], reference: Set<number>[]): number {
  const shared = found.reduce(
    (sum, ids, i) => sum + [...ids].filter((id) => reference[i]!.has(id)).length,
    0,
  );
  return shared / reference.reduce((sum, ids) => sum + ids.size, 0);
}

function rowOf(rows: Float32Array, i: number): Float32Array {
  return rows.subarray(i * DIMENSION, (i + 1) * DIMENSION);
}

/** The rows as a Markdown table. */
export function indexTable(rows: readonly Row[]): string {
  const lines = rows.map(
    (row) =>
      `| ${row.vectors.toLocaleString('en')} | ${row.index} | ${row.build.toFixed(0)} | ${row.median.toFixed(2)} ` +
      `| ${row.p95.toFixed(2)} | ${(row.bytes / 2 ** 20).toFixed(1)} | ${row.timesNaive.toFixed(1)} ` +
      `| ${row.recall.toFixed(3)} |`,
  );
  return [
    '| vectors | index | build, ms | search median, ms | p95, ms | MiB | times naive | recall@10 |',
    '|---:|---|---:|---:|---:|---:|---:|---:|',
    ...lines,
  ].join('\n');
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  console.log(indexTable(await benchIndexes()));
}
