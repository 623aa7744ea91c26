import type { BenchPackage, PlacedQuestion } from './builder.ts';
import type { ExchangeThread } from './exchange.ts';

/**
 * A built package as files (name to text): manifest, statistics, selected ids, and for each batch its thread,
 * its gold (boundaries and places of evidence) and its thread in the exchange format, without gold.
 */
export function packageFiles(pkg: BenchPackage): Map<string, string> {
  const { manifest, hash, shortBy, batches } = pkg;
  const ids = batches.map(({ name, questions }) => ({ batch: name, ids: questions.map(({ id }) => id) }));
  const files = new Map([
    ['manifest.json', json({ ...manifest, hash })],
    ['stats.json', json({ shortBy, batches: batches.map(({ name, stats }) => ({ name, ...stats })) })],
    ['selected_ids.json', json(ids)],
  ]);
  batches.forEach(({ name, questions, boundaries }, i) => {
    files.set(`${name}.gold.json`, json({ boundaries, questions }));
    files.set(`${name}.thread.json`, json(exchangeForm(exchangeThread(pkg, i))));
  });
  return files;
}

/** A batch as a ready thread without gold. */
export function exchangeThread({ hash, batches }: BenchPackage, batch: number): ExchangeThread {
  const { name, turns, questions } = batches[batch]!;
  return { sha: `${hash}/${name}`, turns, questions: questions.map(withoutGold) };
}

function withoutGold({ id, query, options }: PlacedQuestion) {
  return { id, query, ...(options && { options }) };
}

function exchangeForm({ sha, turns, questions }: ExchangeThread) {
  return { sha, turns: turns.map(({ role, text }) => [role, text]), questions };
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 1)}\n`;
}
