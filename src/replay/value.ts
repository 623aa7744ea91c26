import type { Version } from './corpus.ts';

/** Where `text` first names the value of `version` as whole words, at or after `from`; -1: it does not. */
export function whereNamed(text: string, version: Version, from = 0): number {
  const found = version.accept.map((value) => indexOfWords(text, value, from)).filter((at) => at >= 0);
  return found.length > 0 ? Math.min(...found) : -1;
}

/** True when `text` names the value of `version`. Case and white space make no difference. */
export function namesValue(text: string, version: Version): boolean {
  return whereNamed(text, version) >= 0;
}

function indexOfWords(text: string, value: string, from: number): number {
  const escaped = value
    .trim()
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replace(/\s+/g, '\\s+');
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, 'giu');
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? -1;
}
