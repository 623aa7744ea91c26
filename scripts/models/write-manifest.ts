// Writes manifest.json of a shipped model: length and SHA-256 of every file that a browser loads.
// usage: npx tsx scripts/models/write-manifest.ts [MODEL_DIR]
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { CONFIG_FILES, embeddingModel } from '../../src/embed/registry.ts';

const dir = process.argv[2] ?? 'public/models/all-MiniLM-L6-v2';
const model = embeddingModel(basename(dir));
const names = [...CONFIG_FILES, ...model.weights.map((w) => w.file), 'reference-vectors.json'];

async function describe(name: string): Promise<[string, { bytes: number; sha256: string }]> {
  const bytes = await readFile(join(dir, name));
  return [name, { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }];
}

const files = Object.fromEntries(await Promise.all(names.map(describe)));
await writeFile(join(dir, 'manifest.json'), `${JSON.stringify({ model: model.name, files }, null, 2)}\n`);
