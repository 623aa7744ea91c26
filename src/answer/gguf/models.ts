import { SkeinError } from '../../core/errors.ts';
import type { AnswerModel } from '../models.ts';
import { type GgufHeader, readGgufHeader } from './header.ts';
import { checkPart, memoryOf } from './memory.ts';

/** Architectures whose files look like models, and what they are instead. */
const NOT_FOR_CHATS: readonly (readonly [RegExp, string])[] = [
  [/^clip$|mmproj/, 'the eyes of another model'],
  [/bert|embedding|^t5encoder$/, 'a model that embeds texts and writes none'],
  [/^(wavtokenizer|whisper)/, 'a model for sound'],
];

/**
 * The catalogue entry of a GGUF file that a person dropped, read from its header; of a split model, from its first
 * part. Rejects with `bad-file` for what is no chat model in one piece, with `out-of-memory` for one too large.
 * @param name File's name; the model's files are kept under it (see `ggufParts`).
 * @param totalBytes All parts together.
 */
export async function ggufModel(name: string, blob: Blob, totalBytes = blob.size): Promise<AnswerModel> {
  const parts = ggufParts(name);
  if (parts[0] !== name) {
    throw new SkeinError(
      'bad-file',
      `${name} is not the first part of its model.`,
      `Drop ${parts[0]} and all others.`,
    );
  }
  checkPart(name, blob.size);
  const header = await readGgufHeader(blob, name);
  checkArchitecture(name, header);
  if (header.parts !== parts.length) {
    throw new SkeinError(
      'bad-file',
      `${name} says that its model has ${header.parts} parts.`,
      'Give the parts the names that llama-gguf-split gave them.',
    );
  }
  const memory = memoryOf(header, totalBytes);
  const title = header.name ?? name.replace(/(-00001-of-\d{5})?\.gguf$/i, '');
  return {
    id: `gguf:${name}`,
    engine: 'gguf',
    title: header.quantisation ? `${title} (${header.quantisation})` : title,
    // One part of several doesn't tell how many there are in all.
    ...(header.parts === 1 && { parameters: header.parameters / 1e6 }),
    bytes: 0,
    contextWindow: memory.contextWindow,
    licence: header.licence ?? 'not stated in the file',
    needs: { webgpu: false, shaderF16: false, memoryBytes: memory.bytes },
    source: { kind: 'files', name },
    note: noteOf(header),
  };
}

/** The files of a model whose first is `name`: itself, or all parts that llama-gguf-split names. */
export function ggufParts(name: string): string[] {
  const [, stem, , total] = /^(.*)-(\d{5})-of-(\d{5})\.gguf$/i.exec(name) ?? [];
  if (stem === undefined || Number(total) === 0) return [name];
  return Array.from(
    { length: Number(total) },
    (_, i) => `${stem}-${String(i + 1).padStart(5, '0')}-of-${total}${name.slice(-'.gguf'.length)}`,
  );
}

function checkArchitecture(name: string, { architecture }: GgufHeader): void {
  const [, what] = NOT_FOR_CHATS.find(([pattern]) => pattern.test(architecture)) ?? [];
  if (what) {
    throw new SkeinError(
      'bad-file',
      `${name} holds ${what} ("${architecture}").`,
      'Drop the file of a chat model.',
    );
  }
}

function noteOf({ hasChatTemplate }: GgufHeader): string {
  return hasChatTemplate
    ? 'From your own file, computed by llama.cpp in this tab.'
    : 'From your own file. It has no chat template, so it was probably not made for chats and may ramble.';
}
