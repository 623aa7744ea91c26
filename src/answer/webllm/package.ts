import { throwIfAborted } from '../../core/errors.ts';
import type { LoadOptions } from '../answer-engine.ts';
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
import { CHECKSUMS, CheckedFiles, type Expected, libraryFault, readText } from './checked-files.ts';
import { fetchHubListing, type HubFile } from './hub-listing.ts';
import { originOf } from './origin.ts';
import { allFiles, CONFIG, firstFiles, LIBRARY, tokenizerFile, WEIGHTS } from './package-list.ts';

/** A WebLLM model whose files are all on this device and checked. */
export interface ModelPackage {
  readonly config: ChatConfig;
  /** Texts that its tokenizer takes for control tokens. */
  readonly controlTokens: readonly string[];
  readonly files: CheckedFiles;
}

/**
 * Downloads what is missing of a model and checks all of it. Rejects with what `ModelFiles.fetch` rejects with, and
 * with `integrity-failed` where a file is not what it should be.
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
  await files.fetch(model.id, firstFiles(origin, hub), { signal });
  const config = parseChatConfig(await readText(files, model.id, CONFIG), CONFIG);
  const shards = parseShards(await readText(files, model.id, WEIGHTS), WEIGHTS);
  const list = allFiles(origin, config, shards, hub);
  await files.fetch(model.id, list, {
    signal,
    onProgress: (loadedBytes, totalBytes) => onProgress?.({ loadedBytes, totalBytes, step: 'download' }),
  });
  throwIfAborted(signal);
  const checked = await CheckedFiles.open(files, model.id, expectations(list, shards), {
    onBytes: (loadedBytes, totalBytes) => onProgress?.({ loadedBytes, totalBytes, step: 'verify' }),
    signal,
  });
  return { config, controlTokens: await controlTokens(checked, config), files: checked };
}

/** What each file must be; where the hub told its SHA-256, that was checked as it came. */
function expectations(list: readonly ModelFile[], shards: readonly Shard[]): Expected[] {
  const digests = new Map(shards.map(({ dataPath, md5sum }) => [dataPath, md5sum]));
  return list.map(({ path, bytes, sha256 }) => ({
    path,
    bytes,
    md5: sha256 === undefined ? digests.get(path) : undefined,
    fault: path === LIBRARY ? libraryFault : undefined,
  }));
}

async function controlTokens(files: CheckedFiles, config: ChatConfig): Promise<readonly string[]> {
  const path = tokenizerFile(config);
  const bytes = await files.read(path);
  // The other format is binary, and says nothing that we could read.
  const own =
    path === 'tokenizer.json'
      ? parseControlTokens(new TextDecoder().decode(bytes), path)
      : sentencePiece(bytes, path);
  return [...new Set([...own, ...config.conv_template.stop_str])];
}

function sentencePiece(bytes: Uint8Array, path: string): readonly string[] {
  // First field of the message: the pieces, tag 1 with a length.
  if (bytes[0] !== 0x0a) throw damaged(path, 'it is no tokenizer');
  return [];
}
