import type { AnswerModel } from '../../answer/models.ts';
import { CONFIG_FILES, isWeights } from '../../answer/transformers/models.ts';
import { parseChatConfig, parseShards } from '../../answer/webllm/chat-config.ts';
import { needsShaderF16 } from '../../answer/webllm/models.ts';
import { CONFIG, LIBRARY, tokenizerFile, WEIGHTS } from '../../answer/webllm/package-list.ts';
import { SkeinError } from '../../core/errors.ts';
import type { OwnModel } from './own-files.ts';

/** Files of a folder by their path in it. */
export type Folder = ReadonlyMap<string, File>;

/** A window that needs no more memory than small devices have; tokens. */
const MOST_WINDOW = 8192;

/** A folder compiled for WebLLM, its library (.wasm) in it; undefined where it is none. Rejects with `bad-file`. */
export async function readWebllmFolder(name: string, folder: Folder): Promise<OwnModel | undefined> {
  const config = folder.get(CONFIG);
  if (!config) return undefined;
  const library = [...folder.keys()].filter((path) => path.endsWith('.wasm'));
  if (library.length !== 1) {
    throw new SkeinError(
      'bad-file',
      `${name} holds ${library.length} compiled libraries (.wasm), where WebLLM needs one.`,
      'Put the library that was compiled for this model, and no other, into its folder.',
    );
  }
  const weights = requireFiles(name, folder, [WEIGHTS]).get(WEIGHTS)!;
  const chat = parseChatConfig(await config.text(), CONFIG);
  const shards = parseShards(await weights.text(), WEIGHTS).map(({ dataPath }) => dataPath);
  const kept = requireFiles(name, folder, [CONFIG, WEIGHTS, tokenizerFile(chat), ...shards]);
  const files = [...kept, [LIBRARY, folder.get(library[0]!)!] as const];
  return ownModel('webllm', name, files, {
    contextWindow: chat.context_window_size > 0 ? chat.context_window_size : MOST_WINDOW,
    needs: { webgpu: true, shaderF16: needsShaderF16(name), memoryBytes: Math.round(1.3 * sizeOf(files)) },
    note: 'From your own folder, computed by WebLLM.',
  });
}

/** A folder for transformers.js with 4-bit weights; undefined where it is none. Rejects with `bad-file`. */
export async function readOnnxFolder(name: string, folder: Folder): Promise<OwnModel | undefined> {
  if (![...folder.keys()].some((path) => path.endsWith('.onnx'))) return undefined;
  const wanted = [...folder.keys()].filter((path) => CONFIG_FILES.includes(path) || isWeights(path));
  const kept = requireFiles(name, folder, ['config.json', 'tokenizer.json', 'onnx/model_q4.onnx', ...wanted]);
  const files = [...kept];
  return ownModel('transformers', name, files, {
    contextWindow: Math.min(MOST_WINDOW, await statedWindow(name, kept.get('config.json')!)),
    needs: { webgpu: false, shaderF16: false, memoryBytes: 2 * sizeOf(files) },
    note: 'From your own folder, computed by transformers.js.',
  });
}

async function statedWindow(name: string, config: File): Promise<number> {
  try {
    const { max_position_embeddings: window } = JSON.parse(await config.text()) as Record<string, unknown>;
    return typeof window === 'number' && window > 0 ? window : MOST_WINDOW;
  } catch (cause) {
    throw new SkeinError('bad-file', `config.json of ${name} is no JSON.`, 'Get the folder again.', {
      cause,
    });
  }
}

function requireFiles(name: string, folder: Folder, paths: readonly string[]): Map<string, File> {
  const missing = paths.filter((path) => !folder.has(path));
  if (missing.length === 0) return new Map(paths.map((path) => [path, folder.get(path)!]));
  const shown = missing.slice(0, 3).join(', ');
  throw new SkeinError(
    'bad-file',
    `${name} lacks ${shown}${missing.length > 3 ? ` and ${missing.length - 3} more files` : ''}.`,
    'Add the whole folder, as its publisher gives it.',
  );
}

function ownModel(
  engine: AnswerModel['engine'],
  name: string,
  files: readonly (readonly [string, File])[],
  facts: Pick<AnswerModel, 'contextWindow' | 'needs' | 'note'>,
): OwnModel {
  const model: AnswerModel = {
    id: `${engine}-folder-${name}`,
    engine,
    title: name,
    bytes: 0,
    licence: 'not stated',
    source: { kind: 'files', name },
    ...facts,
  };
  return { model, files: files.map(([path, blob]) => ({ path, blob })) };
}

function sizeOf(files: readonly (readonly [string, File])[]): number {
  return files.reduce((sum, [, { size }]) => sum + size, 0);
}
