// Writes the table of words that the shipped embedder puts close to one another: some minutes.
// usage: npx tsx scripts/models/related-words.ts
import { readFile, writeFile } from 'node:fs/promises';
import { dot } from '../../src/core/vectors.ts';
import { createCachedEmbedder } from '../../src/embed/node/cached-embedder.ts';
import { SHIPPED_MODEL } from '../../src/embed/registry.ts';

const TOKENIZER = new URL(`../../public/models/${SHIPPED_MODEL}/tokenizer.json`, import.meta.url);
const TABLE = new URL('../../src/index/related-words.generated.ts', import.meta.url);
/** Cosine of two words, each embedded alone, from which on they are related. */
const CLOSE = 0.6;
const BATCH = 256;

const words = await vocabulary();
const later = closePairs(await embedded());
const isRelated = new Uint8Array(words.length);
later.forEach((others, word) => {
  for (const one of others.length > 0 ? [word, ...others] : []) isRelated[one] = 1;
});
const kept = [...words.keys()].filter((word) => isRelated[word] === 1);
await writeFile(
  TABLE,
  `/** Words that others are related to, and which (see related-words.ts). Written by scripts/models/related-words.ts. */
export const RELATED_WORDS =
  '${kept.map((word) => words[word]).join(' ')}';
export const RELATED_PAIRS =
  '${Buffer.from(encoded()).toString('base64')}';
`,
);
process.exit(0);

/** The whole words of the embedder's vocabulary, of two letters or more, sorted. */
async function vocabulary(): Promise<string[]> {
  const { model } = JSON.parse(await readFile(TOKENIZER, 'utf8')) as { model: { vocab: object } };
  return Object.keys(model.vocab)
    .filter((piece) => /^[a-z]{2,}$/.test(piece))
    .sort();
}

async function embedded(): Promise<Float32Array[]> {
  const embedder = await createCachedEmbedder({ cache: false });
  const vectors: Float32Array[] = [];
  for (let i = 0; i < words.length; i += BATCH) {
    vectors.push(...(await embedder.embed(words.slice(i, i + BATCH), { kind: 'passage' })));
  }
  return vectors;
}

/** For every word the later ones close to it, ascending. */
function closePairs(vectors: readonly Float32Array[]): number[][] {
  return vectors.map((vector, word) => {
    const found: number[] = [];
    for (let other = word + 1; other < vectors.length; other++) {
      if (dot(vector, vectors[other]!) >= CLOSE) found.push(other);
    }
    return found;
  });
}

/** For each kept word how many later ones are related to it, and how far each is from the one before. */
function encoded(): number[] {
  const numbers = new Map(kept.map((word, number) => [word, number]));
  return kept.flatMap((word, number) => {
    const others = later[word]!.map((other) => numbers.get(other)!);
    return [others.length, ...others.map((other, i) => other - (others[i - 1] ?? number))].flatMap(sevenBits);
  });
}

/** Bytes of 7 bits, high bits first, all but the last with 128 added. */
function sevenBits(number: number): number[] {
  const bytes = [number % 128];
  for (let rest = Math.floor(number / 128); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.unshift(128 + (rest % 128));
  }
  return bytes;
}
