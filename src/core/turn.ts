/** Who speaks in a turn. Every assistant, whatever its vendor calls it, is `model`. */
export type Role = 'user' | 'model';

/** A turn before it has a place in a thread. */
export interface NewTurn {
  readonly role: Role;
  readonly text: string;
  /** When it was said, in milliseconds since 1970 (UTC), where the source knows. */
  readonly time?: number;
  /** Where it was imported from, as a person would name it (file and conversation). */
  readonly source?: string;
}

/** A turn with its place in a thread: `index` counts from 0 and never changes. */
export interface Turn extends NewTurn {
  readonly index: number;
  /** True for a turn whose text was erased; its place stays so that numbering holds. */
  readonly erased?: boolean;
}
