// Writes manifest.json of a shipped model: length and SHA-256 of every file that a browser loads.
// usage: npx tsx scripts/models/write-manifest.ts [MODEL_DIR]
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { CONFIG_FILES as ANSWER_FILES, EMBEDDED_MODEL } from '../../src/answer/transformers/models.ts';
import { CONFIG_FILES, embeddingModel } from '../../src/embed/registry.ts';

const dir = process.argv[2] ?? 'public/models/all-MiniLM-L6-v2';
const model = basename(dir);

async function loadedFiles(): Promise<string[]> {
  if (model !== EMBEDDED_MODEL.id) {
    const { weights } = embeddingModel(model);
    return [...CONFIG_FILES, ...weights.map(({ file }) => file), 'reference-vectors.json'];
  }
  const weights = (await readdir(join(dir, 'onnx'))).sort();
  return [...ANSWER_FILES, ...weights.map((file) => `onnx/${file}`)];
}

async function describe(name: string): Promise<[string, { bytes: number; sha256: string }]> {
  const bytes = await readFile(join(dir, name));
  return [name, { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }];
}

const files = Object.fromEntries(await Promise.all((await loadedFiles()).map(describe)));
await writeFile(join(dir, 'manifest.json'), `${JSON.stringify({ model, files }, null, 2)}\n`);
