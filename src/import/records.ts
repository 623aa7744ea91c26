import { SkeinError } from '../core/errors.ts';
import type { ImportFormat } from './contract.ts';
import { parseJson } from './json.ts';
import { asList, asObject, asText, type JsonObject } from './values.ts';

/** The formats that are recognised by their JSON. */
export type JsonFormat = Extract<ImportFormat, 'chatgpt' | 'claude' | 'sharegpt' | 'ultrachat'>;

/** One conversation as it stands in a file, before it is read. */
export interface RawRecord {
  /** Its number or line in the file. */
  readonly name: string;
  readonly format: JsonFormat;
  /** The conversation, or why there is none. */
  readonly content: { readonly value: JsonObject } | { readonly error: string };
}

interface Item {
  readonly name: string;
  readonly value?: unknown;
  readonly error?: string;
}

/**
 * The conversations in a JSON or JSONL text. What has no recognisable shape of its own (a conversation whose
 * messages are missing, a null) counts as one of the file's commonest format, whose reader says what is wrong.
 * Throws `bad-file` for broken JSON and `unknown-format` when nothing is recognised.
 */
export function splitRecords(text: string): RawRecord[] {
  const items = splitItems(text);
  if (items.length === 0) return [];
  const formats = items.map(({ value }) => formatOf(value));
  const common = commonest(formats);
  if (!common) {
    throw new SkeinError(
      'unknown-format',
      'This JSON is no chat export that is known here.',
      'Known are exports of ChatGPT and Claude, ShareGPT and UltraChat.',
    );
  }
  return items.map(({ name, value, error }, i) => {
    const object = asObject(value);
    const content = object ? { value: object } : { error: error ?? 'it is not an object' };
    return { name, format: formats[i] ?? common, content };
  });
}

/** True when `text` begins like a JSON object or array. */
export function looksLikeJson(text: string): boolean {
  return /^\s*(?:\{|\[\s*(?:[[{"\]\d-]|true|false|null))/.test(text.slice(0, 1000));
}

function formatOf(value: unknown): JsonFormat | undefined {
  const object = asObject(value);
  if (!object) return undefined;
  if (asObject(object.mapping)) return 'chatgpt';
  if (Array.isArray(object.chat_messages)) return 'claude';
  const list = object.conversations ?? object.conversation;
  if (Array.isArray(list) && (list.length === 0 || list.some(isMessage))) return 'sharegpt';
  if (Array.isArray(object.messages) && (object.messages.length === 0 || object.messages.some(isMessage))) {
    return 'ultrachat';
  }
  const data = asList(object.data);
  return data.length > 0 && data.some((text) => typeof text === 'string') ? 'ultrachat' : undefined;
}

function isMessage(value: unknown): boolean {
  const message = asObject(value);
  const speaker = asText(message?.from) ?? asText(message?.role);
  return speaker !== undefined && (Object.hasOwn(message!, 'value') || Object.hasOwn(message!, 'content'));
}

function splitItems(text: string): Item[] {
  try {
    return splitArray(parseJson(text));
  } catch (error) {
    if (isJsonLines(text)) return splitLines(text);
    throw error;
  }
}

function splitArray(parsed: unknown): Item[] {
  const values = listOf(parsed);
  const name = (index: number) => (values.length > 1 ? `conversation ${index + 1}` : 'conversation');
  return values.map((value, index) => ({ name: name(index), value }));
}

/** The conversations of a file: an array of them, one alone, or one object around an array. */
function listOf(parsed: unknown): readonly unknown[] {
  if (Array.isArray(parsed)) return isMessageList(parsed) ? [{ messages: parsed }] : parsed;
  const object = asObject(parsed);
  if (!object || formatOf(object)) return [parsed];
  const inner = Object.values(object).find((value) => Array.isArray(value) && value.some(formatOf));
  return inner ? asList(inner) : [parsed];
}

/** One conversation without anything around it. */
function isMessageList(values: readonly unknown[]): boolean {
  return values.length > 0 && values.every(isMessage);
}

const LINES_TO_JUDGE = 10;

/** True when lines are objects by themselves and not the elements of an array, one a line. */
function isJsonLines(text: string): boolean {
  const lines: string[] = [];
  for (const { line } of linesOf(text)) {
    if (line.trim() !== '') lines.push(line.trim());
    if (lines.length === LINES_TO_JUDGE) break;
  }
  const elements = lines.filter((line) => line.endsWith(','));
  return lines.length > 1 && elements.length * 2 < lines.length && lines.some(isObjectLine);
}

function isObjectLine(line: string): boolean {
  try {
    return asObject(JSON.parse(line)) !== undefined;
  } catch {
    return false;
  }
}

function splitLines(text: string): Item[] {
  const items: Item[] = [];
  for (const { line, number } of linesOf(text)) {
    if (line.trim() === '') continue;
    const name = `line ${number}`;
    try {
      items.push({ name, value: parseJson(line) });
    } catch (error) {
      if (!(error instanceof SkeinError)) throw error;
      items.push({ name, error: error.message.replace('line 1, ', '') });
    }
  }
  const values = items.filter((item) => item.error === undefined).map((item) => item.value);
  if (!isMessageList(values)) return items;
  const broken = items.filter((item) => item.error !== undefined);
  return [{ name: 'lines', value: { messages: values } }, ...broken];
}

function* linesOf(text: string): Generator<{ line: string; number: number }> {
  let number = 1;
  for (let start = 0; start <= text.length; number++) {
    const end = text.indexOf('\n', start);
    const stop = end === -1 ? text.length : end;
    yield { line: text.slice(start, stop), number };
    start = stop + 1;
  }
}

function commonest(formats: readonly (JsonFormat | undefined)[]): JsonFormat | undefined {
  const counts = new Map<JsonFormat, number>();
  for (const format of formats) if (format) counts.set(format, (counts.get(format) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}
