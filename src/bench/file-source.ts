import { gunzipSync } from 'fflate';
import { SkeinError } from '../core/errors.ts';
import type { ImportFile } from '../import/contract.ts';
import { decodeText } from '../import/decode-text.ts';
import { listZip, readZipMember } from '../import/zip.ts';

/** Port: where the files of a package come from. Paths have forward slashes and no leading one. */
export interface FileSource {
  /** As a person would name it. */
  readonly name: string;
  /** All paths; undefined where they can't be listed (a URL). */
  list(): Promise<readonly string[] | undefined>;
  /** A file's bytes; undefined when there is no such file. */
  read(path: string): Promise<Uint8Array | undefined>;
}

/** The text of a file, unpacked when it is gzip. Throws `bad-file` when it is no text. */
export function textOf(bytes: Uint8Array): string {
  const packed = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return decodeText(packed ? unpack(bytes) : bytes).text;
}

function unpack(bytes: Uint8Array): Uint8Array {
  try {
    return gunzipSync(bytes);
  } catch (error) {
    throw new SkeinError(
      'bad-file',
      `The gzip file is damaged: ${(error as Error).message}.`,
      'Get it again.',
    );
  }
}

/** A dropped or chosen file with its path in the folder it came from. */
export interface FoundFile {
  readonly path: string;
  readonly file: ImportFile;
}

/** Files that are at hand: a dropped folder, a list from a file picker, or one single file. */
export function filesSource(name: string, files: readonly FoundFile[]): FileSource {
  const byPath = new Map(
    files.map(({ path, file }) => [path.replaceAll('\\', '/').replace(/^\/+/, ''), file]),
  );
  return {
    name,
    list: async () => [...byPath.keys()],
    read: async (path) => {
      const file = byPath.get(path);
      return file && new Uint8Array(await file.arrayBuffer());
    },
  };
}

/** The members of a ZIP. Rejects with `bad-file` when it is damaged. */
export async function zipSource(file: ImportFile): Promise<FileSource> {
  const members = new Map((await listZip(file)).map((member) => [member.name, member]));
  return {
    name: file.name,
    list: async () => [...members.keys()],
    read: async (path) => {
      const member = members.get(path);
      return member && readZipMember(file, member);
    },
  };
}

/** Files below a base URL. Nothing can be listed there, so a package must stand at the URL itself or be named by its manifest. */
export function urlSource(base: string, fetcher: typeof fetch = fetch): FileSource {
  const root = base.endsWith('/') ? base : `${base}/`;
  return {
    name: base,
    list: async () => undefined,
    read: async (path) => {
      const response = await fetcher(root + path.split('/').map(encodeURIComponent).join('/'));
      // A site may answer for a missing file with its start page.
      const isPage = response.headers.get('content-type')?.startsWith('text/html') ?? false;
      if (response.status === 404 || response.status === 410 || (response.ok && isPage)) return undefined;
      if (!response.ok) {
        throw new SkeinError(
          'bad-file',
          `${path}: the server answers ${response.status}.`,
          'Check the address.',
        );
      }
      return new Uint8Array(await response.arrayBuffer());
    },
  };
}
