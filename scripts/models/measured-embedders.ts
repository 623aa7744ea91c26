import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unzipSync } from 'fflate';
import { SkeinError } from '../../src/core/errors.ts';
import { SHIPPED_MODEL_DIR } from '../../src/embed/node/node-embedder.ts';
import { runCommand } from '../command.ts';

/**
 * Makes folders of embedders that are measured but not shipped, out of the archives of langchain4j that Maven has
 * fetched (docs/results.md has the commands). They go to `.cache/models`, which git ignores.
 */

interface Source {
  readonly artifact: string;
  readonly version: string;
  readonly weights: string;
  readonly tokenizer: string;
  /** Folder below `.cache/models`, named like the model, and what its weights are called there. */
  readonly folder: string;
  readonly file: 'model.onnx' | 'model_quantized.onnx';
  readonly layers: number;
}

const SOURCES: readonly Source[] = [
  {
    artifact: 'all-minilm-l6-v2',
    version: '1.19.0-beta29',
    weights: 'all-minilm-l6-v2.onnx',
    tokenizer: 'all-minilm-l6-v2-tokenizer.json',
    folder: 'all-MiniLM-L6-v2',
    file: 'model.onnx',
    layers: 6,
  },
  {
    artifact: 'all-minilm-l6-v2-q',
    version: '1.19.0-beta29',
    weights: 'all-minilm-l6-v2-q.onnx',
    tokenizer: 'all-minilm-l6-v2-q-tokenizer.json',
    folder: 'all-MiniLM-L6-v2',
    file: 'model_quantized.onnx',
    layers: 6,
  },
  {
    artifact: 'bge-small-en-v15',
    version: '0.36.2',
    weights: 'bge-small-en-v1.5.onnx',
    tokenizer: 'bge-small-en-v1.5-tokenizer.json',
    folder: 'bge-small-en-v1.5',
    file: 'model.onnx',
    layers: 12,
  },
  {
    artifact: 'e5-small-v2-q',
    version: '0.36.2',
    weights: 'e5-small-v2-q.onnx',
    tokenizer: 'e5-small-v2-q-tokenizer.json',
    folder: 'e5-small-v2',
    file: 'model_quantized.onnx',
    layers: 12,
  },
];

const TARGET = fileURLToPath(new URL('../../.cache/models/', import.meta.url));

async function main(): Promise<void> {
  for (const source of SOURCES) {
    const entries = unzipSync(await readArchive(source));
    const folder = join(TARGET, source.folder);
    const weights = join(folder, 'onnx', source.file);
    await mkdir(dirname(weights), { recursive: true });
    await writeFile(weights, entries[source.weights]!);
    await writeFile(join(folder, 'tokenizer.json'), entries[source.tokenizer]!);
    await writeFile(join(folder, 'config.json'), await configOf(source.layers));
    await writeFile(
      join(folder, 'tokenizer_config.json'),
      await readFile(join(SHIPPED_MODEL_DIR, 'tokenizer_config.json')),
    );
    process.stdout.write(`${weights}\n`);
  }
}

async function readArchive({ artifact, version }: Source): Promise<Uint8Array> {
  const name = `langchain4j-embeddings-${artifact}`;
  const path = join(homedir(), '.m2/repository/dev/langchain4j', name, version, `${name}-${version}.jar`);
  return readFile(path).catch(() => {
    throw new SkeinError(
      'not-found',
      `${path} is missing.`,
      `Fetch it: mvn dependency:get -Dtransitive=false -Dartifact=dev.langchain4j:${name}:${version}`,
    );
  });
}

/** All four are BERT with 384 dimensions and MiniLM's vocabulary; they differ in their layers. */
async function configOf(layers: number): Promise<string> {
  const config = JSON.parse(await readFile(join(SHIPPED_MODEL_DIR, 'config.json'), 'utf8')) as object;
  return JSON.stringify({ ...config, num_hidden_layers: layers }, null, 2);
}

runCommand(main);
