import { readFileSync } from 'node:fs';
import type { ImportFile, ImportResult } from '../../../src/import/contract.ts';
import { importFiles } from '../../../src/import/import-files.ts';

/** An in-memory file of text or bytes. */
export function fileOf(name: string, content: string | Uint8Array): ImportFile {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return new File([Uint8Array.from(bytes)], name);
}

export function jsonFile(name: string, value: unknown): ImportFile {
  return fileOf(name, JSON.stringify(value));
}

export function fixtureBytes(name: string): Uint8Array {
  return readFileSync(new URL(`../../fixtures/import/${name}`, import.meta.url));
}

export function fixture(name: string, as: string = name): ImportFile {
  return fileOf(as, fixtureBytes(name));
}

export function importOf(...files: ImportFile[]): Promise<ImportResult> {
  return importFiles(files);
}

/** `[role, text]` of every turn of conversation `index`. */
export function said(result: ImportResult, index = 0): [string, string][] {
  return result.conversations[index]!.turns.map((turn) => [turn.role, turn.text]);
}

/** `kind: place: reason (messages)` of every problem. */
export function problemLines(result: ImportResult): string[] {
  return result.report.problems.map((p) => `${p.kind}: ${p.place}: ${p.reason} (${p.messages})`);
}

export function counts(found: number, imported: number, skipped: number, failed: number) {
  return { found, imported, skipped, failed };
}

/** A node of a ChatGPT export. */
export function node(
  id: string,
  parent: string | null | undefined,
  role: string,
  text: string,
  time?: number,
) {
  const message = {
    id,
    author: { role },
    create_time: time,
    content: { content_type: 'text', parts: [text] },
  };
  return [id, { id, parent, message }] as const;
}

/** A ChatGPT conversation of nodes. */
export function chatGpt(nodes: readonly (readonly [string, unknown])[], more: object = {}) {
  return { title: 'Test', conversation_id: 'c1', mapping: Object.fromEntries(nodes), ...more };
}
