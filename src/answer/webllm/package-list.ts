import type { HubFile } from '../files/hub-listing.ts';
import type { ModelFile } from '../files/model-files.ts';
import { type ChatConfig, damaged, type Shard } from './chat-config.ts';
import type { Origin } from './origin.ts';

export const CONFIG = 'mlc-chat-config.json';
export const WEIGHTS = 'tensor-cache.json';
/** The library's name beside the model's files: its own address lies elsewhere. */
export const LIBRARY = 'library.wasm';

/** The two files that say which others there are. */
export function firstFiles(origin: Origin, hub: ReadonlyMap<string, HubFile>): ModelFile[] {
  return [CONFIG, WEIGHTS].map((path) => fileAt(origin, path, hub));
}

/** Every file that web-llm reads of a model, the library included. */
export function allFiles(
  origin: Origin,
  config: ChatConfig,
  shards: readonly Shard[],
  hub: ReadonlyMap<string, HubFile>,
): ModelFile[] {
  return [
    ...firstFiles(origin, hub),
    fileAt(origin, tokenizerFile(config), hub),
    { path: LIBRARY, url: origin.library },
    ...shards.map(({ dataPath, nbytes }) => ({ ...fileAt(origin, dataPath, hub), bytes: nbytes })),
  ];
}

/** The tokenizer that web-llm takes: tokenizer.json before tokenizer.model. */
export function tokenizerFile({ tokenizer_files }: ChatConfig): 'tokenizer.json' | 'tokenizer.model' {
  if (tokenizer_files.includes('tokenizer.json')) return 'tokenizer.json';
  if (tokenizer_files.includes('tokenizer.model')) return 'tokenizer.model';
  throw damaged(CONFIG, 'it names no tokenizer');
}

function fileAt(origin: Origin, path: string, hub: ReadonlyMap<string, HubFile>): ModelFile {
  return { path, url: new URL(path, origin.base).href, ...hub.get(path) };
}
