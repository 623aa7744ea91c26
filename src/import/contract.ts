import type { NewTurn } from '../core/turn.ts';

/** One conversation as read, its turns in order on the branch the person last saw. */
export interface ImportedConversation {
  readonly title: string;
  /** Where it stood: file, and conversation id or line. */
  readonly place: string;
  readonly createdAt?: number;
  readonly turns: readonly NewTurn[];
}

/** `skein` is our own backup; it is read by the store, not by `importFiles`. */
export type ImportFormat = 'chatgpt' | 'claude' | 'sharegpt' | 'ultrachat' | 'transcript' | 'skein';

/** Why a message, conversation or file was left out or could not be read. */
export interface ImportProblem {
  /** `partial`: the message is imported, but a part of it (an attachment, an unknown block) is not. */
  readonly kind: 'skipped' | 'failed' | 'partial';
  readonly place: string;
  readonly reason: string;
  /** Number of messages concerned; 0 when it concerns a conversation or file whose messages are unknown. */
  readonly messages: number;
}

/** An account of every file, conversation and message: `found = imported + skipped + failed` for each. */
export interface ImportReport {
  /** The files given. Of a ZIP its readable members count, and the ZIP itself only when it failed. */
  readonly files: ImportCount;
  readonly formats: readonly ImportFormat[];
  readonly conversations: ImportCount;
  readonly messages: ImportCount;
  /** At most the first 500, failures first; `problemsLeftOut` counts the rest. */
  readonly problems: readonly ImportProblem[];
  readonly problemsLeftOut: number;
}

export interface ImportCount {
  readonly found: number;
  readonly imported: number;
  readonly skipped: number;
  readonly failed: number;
}

export interface ImportResult {
  readonly conversations: readonly ImportedConversation[];
  readonly report: ImportReport;
}

/** A file as the readers see it; a DOM File fits. With `slice`, only the needed parts of a ZIP are read. */
export interface ImportFile {
  readonly name: string;
  readonly size: number;
  arrayBuffer(): Promise<ArrayBuffer>;
  slice?(start: number, end: number): { arrayBuffer(): Promise<ArrayBuffer> };
}
