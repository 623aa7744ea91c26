import { throwIfAborted } from '../../core/errors.ts';
import type { LoadOptions } from '../answer-engine.ts';
import { fetchHubListing, type HubFile } from '../files/hub-listing.ts';
import type { ModelFile, ModelFiles } from '../files/model-files.ts';
import type { AnswerModel } from '../models.ts';
import {
  type ChatConfig,
  damaged,
  parseChatConfig,
  parseControlTokens,
  parseShards,
  type Shard,
} from './chat-config.ts';
import { CHECKSUMS, CheckedFiles, type Expected, kept } from './checked-files.ts';
import { originOf } from './origin.ts';
import { allFiles, CONFIG, firstFiles, LIBRARY, tokenizerFile, WEIGHTS } from './package-list.ts';

/** A WebLLM model whose files are all on this device and checked. */
export interface ModelPackage {
  readonly config: ChatConfig;
  /** Texts that its tokenizer takes for control tokens. */
  readonly controlTokens: readonly string[];
  readonly files: CheckedFiles;
}

/** First bytes of a WebAssembly module, and of a SentencePiece model (its first field, with a length). */
const WASM_START = [0x00, 0x61, 0x73, 0x6d];
const SENTENCE_PIECE_START = [0x0a];

/**
 * Downloads what is missing of a model and checks all of it. Rejects with what `ModelFiles.fetch` rejects with, and
 * with `integrity-failed` where a file is not what it should be; that file is removed.
 */
export async function openPackage(
  files: ModelFiles,
  model: AnswerModel,
  site: string,
  { onProgress, signal }: LoadOptions,
): Promise<ModelPackage> {
  const origin = originOf(model, site);
  const known = (await files.read(model.id, CHECKSUMS)) !== undefined;
  const hub =
    origin.repository === undefined || known
      ? new Map<string, HubFile>()
      : await fetchHubListing(origin.repository, signal);
  if (!origin.dropped) {
    await files.fetch(model.id, firstFiles(origin, hub), { moreToCome: true, signal });
  }
  const config = await readAs(files, model.id, CONFIG, parseChatConfig);
  const shards = await readAs(files, model.id, WEIGHTS, parseShards);
  const list = allFiles(origin, config, shards, hub);
  if (!origin.dropped) {
    await files.fetch(model.id, list, {
      signal,
      onProgress: (loadedBytes, totalBytes) => onProgress?.({ loadedBytes, totalBytes, step: 'download' }),
    });
  }
  throwIfAborted(signal);
  const controlTokens = await checkKinds(files, model.id, config);
  const checked = await CheckedFiles.open(files, model.id, expectations(list, shards), {
    onBytes: (loadedBytes, totalBytes) => onProgress?.({ loadedBytes, totalBytes, step: 'verify' }),
    signal,
  });
  return { config, controlTokens, files: checked };
}

/** What each file must be; where the hub told its SHA-256, that was checked as it came. */
function expectations(list: readonly ModelFile[], shards: readonly Shard[]): Expected[] {
  const digests = new Map(shards.map(({ dataPath, md5sum }) => [dataPath, md5sum]));
  return list.map(({ path, bytes, sha256 }) => {
    const proven = sha256 !== undefined;
    return { path, bytes, proven, md5: proven ? undefined : digests.get(path) };
  });
}

/** Makes sure that library and tokenizer are what they are called; gives the tokenizer's control tokens. */
async function checkKinds(
  files: ModelFiles,
  modelId: string,
  config: ChatConfig,
): Promise<readonly string[]> {
  await checkStart(files, modelId, LIBRARY, WASM_START);
  const path = tokenizerFile(config);
  if (path === 'tokenizer.json') {
    const tokens = await readAs(files, modelId, path, parseControlTokens);
    return [...new Set([...tokens, ...config.conv_template.stop_str])];
  }
  await checkStart(files, modelId, path, SENTENCE_PIECE_START);
  return config.conv_template.stop_str;
}

/** What `parse` reads out of a file; a file that it refuses is removed. */
async function readAs<T>(
  files: ModelFiles,
  modelId: string,
  path: string,
  parse: (text: string, place: string) => T,
): Promise<T> {
  const text = await (await kept(files, modelId, path)).text();
  try {
    return parse(text, path);
  } catch (error) {
    await files.remove(modelId, [path, CHECKSUMS]);
    throw error;
  }
}

async function checkStart(
  files: ModelFiles,
  modelId: string,
  path: string,
  start: readonly number[],
): Promise<void> {
  const blob = await kept(files, modelId, path);
  const bytes = new Uint8Array(await blob.slice(0, start.length).arrayBuffer());
  if (start.every((byte, i) => bytes[i] === byte)) return;
  await files.remove(modelId, [path, CHECKSUMS]);
  throw damaged(path, 'it is not of its kind');
}
