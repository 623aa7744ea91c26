import type { AnswerModel } from '../../answer/models.ts';
import { SkeinError } from '../../core/errors.ts';
import type { DroppedFile } from '../shell/dropped-files.ts';

/** A model that a person brought as files. */
export interface OwnModel {
  readonly model: AnswerModel;
  readonly files: readonly { readonly path: string; readonly blob: Blob }[];
}

/**
 * The model in dropped files: a GGUF file, all parts of a split one, or a folder made for transformers.js or WebLLM.
 * Rejects with `bad-file`, which says what is missing, or as the readers of these files do.
 */
export async function readOwnModel(dropped: readonly DroppedFile[]): Promise<OwnModel> {
  const ggufs = dropped.filter(({ path }) => /\.gguf$/i.test(path));
  if (ggufs.length > 0) return readGguf(ggufs);
  const { readOnnxFolder, readWebllmFolder } = await import('./own-folders.ts');
  const { name, files } = folderOf(dropped);
  const own = (await readWebllmFolder(name, files)) ?? (await readOnnxFolder(name, files));
  if (own) return own;
  throw new SkeinError(
    'bad-file',
    `Nothing here is a language model: ${names(dropped)}.`,
    'Add a GGUF file (all parts of a split one), or the folder of a model for transformers.js or WebLLM.',
  );
}

/** The folder that was dropped, without what lies above it. */
function folderOf(dropped: readonly DroppedFile[]): { name: string; files: Map<string, File> } {
  const [first] = dropped;
  const top = first?.path.includes('/') ? first.path.split('/')[0]! : undefined;
  const inside = top !== undefined && dropped.every(({ path }) => path.startsWith(`${top}/`));
  const cut = inside ? top.length + 1 : 0;
  return {
    name: inside ? top : 'own-model',
    files: new Map(dropped.map(({ path, file }) => [path.slice(cut), file])),
  };
}

async function readGguf(dropped: readonly DroppedFile[]): Promise<OwnModel> {
  const { ggufModel, ggufParts } = await import('../../answer/gguf/models.ts');
  const byName = new Map(dropped.map(({ path, file }) => [path.split('/').at(-1)!, file]));
  const [first] = [...byName.keys()].sort();
  const parts = ggufParts(first!);
  const missing = parts.filter((part) => !byName.has(part));
  const others = [...byName.keys()].filter((name) => !parts.includes(name));
  if (missing.length > 0) {
    throw new SkeinError(
      'bad-file',
      `Parts of the model are missing: ${missing.join(', ')}.`,
      'Add all of them.',
    );
  }
  if (others.length > 0) {
    throw new SkeinError(
      'bad-file',
      `These are several models: ${[first, ...others].join(', ')}.`,
      'Add one after the other.',
    );
  }
  const files = parts.map((path) => ({ path, blob: byName.get(path)! }));
  const total = files.reduce((sum, { blob }) => sum + blob.size, 0);
  return { model: await ggufModel(first!, files[0]!.blob, total), files };
}

function names(dropped: readonly DroppedFile[]): string {
  const [first, ...others] = dropped.map(({ path }) => path);
  return others.length === 0 ? `${first}` : `${first} and ${others.length} more`;
}
