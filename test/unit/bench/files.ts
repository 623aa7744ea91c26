import { filesSource } from '../../../src/bench/file-source.ts';
import type { ImportFile } from '../../../src/import/contract.ts';

/** A text as a file. */
export function textFile(name: string, content: string | Uint8Array): ImportFile {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return { name, size: bytes.length, arrayBuffer: async () => Uint8Array.from(bytes).buffer };
}

/** A folder of texts. */
export function folder(files: Readonly<Record<string, string>>) {
  return filesSource(
    'folder',
    Object.entries(files).map(([path, content]) => ({ path, file: textFile(path, content) })),
  );
}
