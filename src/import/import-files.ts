import { SkeinError, throwIfAborted } from '../core/errors.ts';
import { type Progress, ProgressMeter } from '../core/progress.ts';
import { unreachable } from '../core/unreachable.ts';
import { readChatGpt } from './chatgpt.ts';
import { readClaude } from './claude.ts';
import type { ImportFile, ImportResult } from './contract.ts';
import { decodeText } from './decode-text.ts';
import { ImportLedger } from './ledger.ts';
import { readShareGpt, readUltraChat } from './message-list.ts';
import { type ConversationRead, conversationPlace, type RecordPlace } from './reading.ts';
import { type JsonFormat, looksLikeJson, type RawRecord, splitRecords } from './records.ts';
import { detectTranscript, readTranscript } from './transcript.ts';
import { asText, type JsonObject, placeOf } from './values.ts';
import { isZip, listZip, readZipMember, type ZipMember } from './zip.ts';

export interface ImportOptions {
  readonly signal?: AbortSignal;
  /** Counts bytes of the given files; called at least once a file. */
  readonly onProgress?: (progress: Progress) => void;
}

/**
 * Reads chat exports of any known format, recognised by content. A bad file, conversation or message is named
 * in the report and costs nothing else. Rejects only with `aborted`.
 */
export async function importFiles(
  files: readonly ImportFile[],
  options: ImportOptions = {},
): Promise<ImportResult> {
  const run = new ImportRun(files, options);
  for (const file of files) await run.readFile(file);
  return run.ledger.finish();
}

const PAUSE_EVERY_MS = 12;
const LARGEST_TEXT = 500 * 1024 * 1024;
const READABLE_MEMBER = /\.(?:json|jsonl|ndjson|txt|md|markdown|zip)$/i;
const TEXT_MEMBER = /\.(?:txt|md|markdown)$/i;

/** The state of one import: the account, the progress, and when the event loop last had a turn. */
class ImportRun {
  readonly ledger = new ImportLedger();
  private readonly meter: ProgressMeter;
  private doneBytes = 0;
  private pausedAt = performance.now();

  constructor(
    files: readonly ImportFile[],
    private readonly options: ImportOptions,
  ) {
    this.meter = new ProgressMeter(files.reduce((sum, file) => sum + file.size, 0));
  }

  async readFile(file: ImportFile): Promise<void> {
    throwIfAborted(this.options.signal);
    const end = this.doneBytes + file.size;
    try {
      if (isZip(await headOf(file)))
        await this.readZip(file.slice ? file : fileOf(file.name, await wholeOf(file)), 0);
      else await this.readText(file.name, await wholeOf(file), file.size);
    } catch (error) {
      throwIfAborted(this.options.signal);
      this.ledger.fileFailed(file.name, reasonOf(error));
    }
    this.doneBytes = end;
    await this.pause();
    this.report();
  }

  /** Every readable member counts as a file; a ZIP in a ZIP is opened once more. */
  private async readZip(file: ImportFile, depth: number): Promise<void> {
    const members = (await listZip(file)).filter(isReadable);
    const before = this.ledger.conversationsFound;
    let failed = 0;
    for (const member of members) {
      if (!(await this.readMember(file, member, depth))) failed++;
    }
    if (this.ledger.conversationsFound === before && failed === 0) {
      throw new SkeinError('unknown-format', 'No chat export was found in this ZIP.');
    }
  }

  /** False when it failed. */
  private async readMember(zip: ImportFile, member: ZipMember, depth: number): Promise<boolean> {
    const place = placeOf(zip.name, member.name);
    try {
      const bytes = await readZipMember(zip, member);
      if (!isZip(bytes)) await this.readText(place, bytes, depth === 0 ? member.compressedSize : 0);
      else if (depth === 0) await this.readZip(fileOf(place, bytes), depth + 1);
      else this.ledger.fileSkipped(place, 'a ZIP within a ZIP within a ZIP');
      return true;
    } catch (error) {
      throwIfAborted(this.options.signal);
      // Exports hold settings and read-me files besides the chats.
      if (error instanceof SkeinError && error.code === 'unknown-format') {
        this.ledger.fileSkipped(place, TEXT_MEMBER.test(member.name) ? 'no transcript' : 'no chats in it');
        return true;
      }
      this.ledger.fileFailed(place, reasonOf(error));
      return false;
    } finally {
      await this.pause();
    }
  }

  /** `size`: bytes that this text adds to the progress. */
  private async readText(file: string, bytes: Uint8Array, size: number): Promise<void> {
    const { text, note } = decodeText(bytes);
    if (text.trim() === '') throw new SkeinError('bad-file', 'The file is empty.');
    refusePage(text);
    if (!looksLikeJson(text)) this.readTranscript(file, text);
    else await this.readRecords(file, text, size);
    if (note) this.ledger.note('partial', file, note);
  }

  private async readRecords(file: string, text: string, size: number): Promise<void> {
    let records: RawRecord[];
    try {
      records = splitRecords(text);
    } catch (error) {
      // A transcript may begin with "[10:32] User: ...".
      if (error instanceof SkeinError && error.code === 'bad-file' && detectTranscript(text)) {
        return this.readTranscript(file, text);
      }
      throw error;
    }
    if (records.length === 0) return this.ledger.fileSkipped(file, 'no conversations in it');
    this.ledger.fileImported();
    const start = this.doneBytes;
    for (const [index, record] of records.entries()) {
      this.readRecord({ file, record: record.name }, record);
      this.doneBytes = start + Math.round((size * (index + 1)) / records.length);
      await this.pause();
    }
  }

  private readRecord(where: RecordPlace, { content, format }: RawRecord): void {
    if ('error' in content) {
      this.ledger.conversationFailed(placeOf(where.file, where.record), content.error);
      return;
    }
    try {
      this.ledger.conversationRead(format, readAs(format, content.value, where));
    } catch (error) {
      const { title, name, conversation_id, uuid, id } = content.value;
      const head = {
        title: asText(title) ?? asText(name),
        id: asText(conversation_id) ?? asText(uuid) ?? asText(id),
      };
      this.ledger.conversationFailed(conversationPlace(where, head), reasonOf(error));
    }
  }

  private readTranscript(file: string, text: string): void {
    const title = file.replace(/^.*[/›]\s*/u, '').replace(/\.[^.]*$/, '');
    const read = readTranscript(text, title, { file, record: 'transcript' });
    this.ledger.fileImported();
    this.ledger.conversationRead('transcript', read);
  }

  /** Gives the event loop a turn every few milliseconds, so that an abort is heard and a page stays alive. */
  private async pause(): Promise<void> {
    throwIfAborted(this.options.signal);
    if (performance.now() - this.pausedAt < PAUSE_EVERY_MS) return;
    this.report();
    await new Promise((resolve) => setTimeout(resolve));
    this.pausedAt = performance.now();
    throwIfAborted(this.options.signal);
  }

  private report(): void {
    this.options.onProgress?.(this.meter.at(this.doneBytes));
  }
}

function readAs(format: JsonFormat, raw: JsonObject, where: RecordPlace): ConversationRead {
  switch (format) {
    case 'chatgpt':
      return readChatGpt(raw, where);
    case 'claude':
      return readClaude(raw, where);
    case 'sharegpt':
      return readShareGpt(raw, where);
    case 'ultrachat':
      return readUltraChat(raw, where);
    default:
      return unreachable(format);
  }
}

function isReadable({ name }: ZipMember): boolean {
  // What macOS adds beside each file is no export.
  return READABLE_MEMBER.test(name) && !/(?:^|\/)(?:__MACOSX\/|\._)/.test(name);
}

/** Saved pages, and the chat.html in exports, hold no structure to rely on. */
function refusePage(text: string): void {
  if (!/^\s*<(?:!doctype|html|head|body|\?xml|!--)/i.test(text.slice(0, 1000))) return;
  throw new SkeinError(
    'bad-file',
    'This is a web page (HTML), not a chat export.',
    'Choose the ZIP that you downloaded, or the JSON files in it.',
  );
}

async function headOf(file: ImportFile): Promise<Uint8Array> {
  const head = file.slice ? file.slice(0, 4) : file;
  return new Uint8Array(await head.arrayBuffer());
}

async function wholeOf(file: ImportFile): Promise<Uint8Array<ArrayBuffer>> {
  if (file.size > LARGEST_TEXT) {
    throw new SkeinError(
      'bad-file',
      'The file is larger than 500 MB.',
      'Split it, or import the ZIP of many files.',
    );
  }
  return new Uint8Array(await file.arrayBuffer());
}

function fileOf(name: string, bytes: Uint8Array<ArrayBuffer>): ImportFile {
  const { buffer } = bytes;
  return {
    name,
    size: bytes.length,
    arrayBuffer: async () => buffer,
    slice: (start, end) => ({ arrayBuffer: async () => buffer.slice(start, end) }),
  };
}

function reasonOf(error: unknown): string {
  if (error instanceof SkeinError) return [error.message, error.remedy].filter(Boolean).join(' ');
  return error instanceof Error ? error.message : String(error);
}
