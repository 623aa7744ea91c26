import type { NewTurn } from '../core/turn.ts';

/** One conversation as read, its turns in order on the branch the person last saw. */
export interface ImportedConversation {
  readonly title: string;
  /** Where it stood: file, and conversation id or line. */
  readonly place: string;
  readonly createdAt?: number;
  readonly turns: readonly NewTurn[];
}

export type ImportFormat = 'chatgpt' | 'claude' | 'sharegpt' | 'ultrachat' | 'transcript' | 'skein';

/** Why a message or conversation was left out or could not be read. */
export interface ImportProblem {
  readonly kind: 'skipped' | 'failed';
  readonly place: string;
  readonly reason: string;
  /** Number of messages concerned. */
  readonly messages: number;
}

/** An account of every message and conversation: `found = imported + skipped + failed` for both. */
export interface ImportReport {
  readonly files: number;
  readonly formats: readonly ImportFormat[];
  readonly conversations: ImportCount;
  readonly messages: ImportCount;
  /** At most the first 500; `problemsLeftOut` counts the rest. */
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

/** A file as the readers see it; a DOM File fits. */
export interface ImportFile {
  readonly name: string;
  readonly size: number;
  arrayBuffer(): Promise<ArrayBuffer>;
}
