import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { SkeinError } from '../../core/errors.ts';
import type { ImportFile } from '../../import/contract.ts';
import { type FileSource, filesSource, urlSource, zipSource } from '../file-source.ts';

/** A package or pool at `path`: a folder, a ZIP, one file, or a base URL. Rejects with `bad-file`. */
export async function openSource(path: string): Promise<FileSource> {
  if (/^https?:/.test(path)) return urlSource(path);
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new SkeinError('bad-file', `${path} does not exist.`, 'Give a folder, a ZIP or a file.');
  if (found.isDirectory()) return folderSource(path);
  const file = await localFile(path);
  if (/\.zip$/i.test(path)) return zipSource(file);
  return filesSource(basename(path), [{ path: basename(path), file }]);
}

/** A file of this machine as the readers see it. Rejects with `bad-file` when it can't be read. */
export async function localFile(path: string): Promise<ImportFile> {
  const bytes = await readFile(path).catch((error: Error) => {
    throw new SkeinError('bad-file', `${path} can't be read: ${error.message}.`, 'Check the name.');
  });
  const copy = (start = 0, end = bytes.length) => Uint8Array.from(bytes.subarray(start, end)).buffer;
  return {
    name: basename(path),
    size: bytes.length,
    arrayBuffer: async () => copy(),
    slice: (start, end) => ({ arrayBuffer: async () => copy(start, end) }),
  };
}

function folderSource(root: string): FileSource {
  return {
    name: basename(root),
    list: async () => {
      const entries = await readdir(root, { recursive: true, withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile())
        .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
        .sort();
    },
    read: (path) =>
      readFile(join(root, path)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT' || error.code === 'EISDIR') return undefined;
        throw error;
      }),
  };
}
