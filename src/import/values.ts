import { cutText, wellFormed } from '../core/text.ts';

/** A JSON object. */
export type JsonObject = { readonly [key: string]: unknown };

/** `value` as an object; undefined for null, arrays and everything else. */
export function asObject(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined;
}

/** `value` as an array; empty for everything else. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** `value` as a string that holds more than white space. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

const TITLE_LIMIT = 120;

/** `text` as a title: one line, at most 120 characters. */
export function asTitle(text: string): string {
  const line = wellFormed(cutText(text.trimStart(), 4 * TITLE_LIMIT))
    .replace(/\s+/gu, ' ')
    .trim();
  return line.length <= TITLE_LIMIT ? line : `${cutText(line, TITLE_LIMIT - 1)}…`;
}

/** The parts of a place from the outside in, such as file, conversation, message. */
export function placeOf(...parts: readonly string[]): string {
  return parts.join(' › ');
}

const LATEST = 8.64e15;

/**
 * A point in time in milliseconds since 1970, from seconds (also fractional), milliseconds, microseconds, or
 * ISO 8601 text, which counts as UTC when it names no zone. Undefined when `value` is none of these.
 */
export function asTime(value: unknown): number | undefined {
  if (typeof value === 'string') return timeOfText(value.trim());
  if (typeof value !== 'number' || !(value > 0)) return undefined;
  // 1e11 seconds are the year 5138, 1e11 milliseconds 1973; 1e14 likewise for microseconds.
  const ms = Math.round(value < 1e11 ? value * 1000 : value < 1e14 ? value : value / 1000);
  return ms <= LATEST ? ms : undefined;
}

const ISO = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?))?\s*(Z|[+-]\d{2}:?\d{2})?$/i;

function timeOfText(text: string): number | undefined {
  if (/^\d+(\.\d+)?$/.test(text)) return asTime(Number(text));
  const iso = ISO.exec(text);
  if (!iso) return undefined;
  const [, day, clock = '00:00', zone = 'Z'] = iso;
  const offset = zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone.toUpperCase();
  const ms = Date.parse(`${day}T${clock}${offset}`);
  return Number.isNaN(ms) ? undefined : ms;
}
