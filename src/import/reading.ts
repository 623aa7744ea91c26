import { SkeinError } from '../core/errors.ts';
import { wellFormed } from '../core/text.ts';
import type { NewTurn, Role } from '../core/turn.ts';
import { unreachable } from '../core/unreachable.ts';
import type { ImportedConversation, ImportProblem } from './contract.ts';
import { asTitle, placeOf } from './values.ts';

/** Why a message is skipped, in the words of the report. */
export const skipReasons = {
  otherBranch: 'on another branch (a retry or an edit)',
  hidden: 'hidden in the chat',
  context: 'context for the model, not part of the chat',
  system: 'system message',
  tool: 'tool message',
  toTool: 'sent to a tool',
  reasoning: 'reasoning of the model',
  attachmentOnly: 'attachment without text',
  blocksOnly: 'no text, only blocks of other kinds',
  empty: 'empty message',
} as const;

/** What becomes of one message. `leftOut` counts the parts of a kept message that are not text, by reason. */
export type MessageVerdict =
  | {
      readonly kind: 'keep';
      readonly role: Role;
      readonly text: string;
      readonly time?: number | undefined;
      readonly leftOut?: ReadonlyMap<string, number>;
    }
  | { readonly kind: 'skip'; readonly reason: string }
  | { readonly kind: 'fail'; readonly reason: string };

export function skip(reason: string): MessageVerdict {
  return { kind: 'skip', reason };
}

export function fail(reason: string): MessageVerdict {
  return { kind: 'fail', reason };
}

/** Adds one to the count of `reason`. */
export function count(counts: Map<string, number>, reason: string): void {
  counts.set(reason, (counts.get(reason) ?? 0) + 1);
}

/** A conversation with the account of its messages: `found = conversation.turns.length + skipped + failed`. */
export interface ConversationRead {
  readonly conversation: ImportedConversation;
  /** The source's own id. */
  readonly id?: string;
  readonly updatedAt?: number;
  readonly found: number;
  readonly skipped: number;
  readonly failed: number;
  readonly problems: readonly ImportProblem[];
}

/** What a source says of a conversation besides its messages. */
export interface ConversationHead {
  readonly title?: string;
  readonly id?: string;
  readonly createdAt?: number;
  readonly updatedAt?: number;
}

/** Where a conversation stands: its file, and its number or line there. */
export interface RecordPlace {
  readonly file: string;
  readonly record: string;
}

/** Where a conversation stands, with its title and id as far as it has them. */
export function conversationPlace({ file, record }: RecordPlace, { title, id }: ConversationHead): string {
  const name = title === undefined ? '' : `, “${asTitle(title)}”`;
  return placeOf(file, `${record}${name}${id === undefined ? '' : ` (${asTitle(id)})`}`);
}

interface ProblemGroup {
  readonly kind: ImportProblem['kind'];
  readonly reason: string;
  readonly first: string;
  messages: number;
  parts: number;
}

/**
 * Collects what becomes of each message of one conversation. A reader announces how many messages it found
 * and calls `add` once for each; `finish` refuses an account that doesn't add up.
 */
export class ConversationReading {
  private readonly turns: NewTurn[] = [];
  private readonly groups = new Map<string, ProblemGroup>();
  private readonly place: string;
  private readonly title: string | undefined;
  private skipped = 0;
  private failed = 0;

  constructor(
    private readonly where: RecordPlace,
    private readonly head: ConversationHead,
    private readonly found: number,
  ) {
    this.title = asTitle(head.title ?? '') || undefined;
    this.place = conversationPlace(where, head);
  }

  /** `message` names it within the conversation, such as "message 3". */
  add(message: string, verdict: MessageVerdict): void {
    switch (verdict.kind) {
      case 'keep':
        this.keep(message, verdict);
        break;
      case 'skip':
        this.skipped++;
        this.note('skipped', message, verdict.reason);
        break;
      case 'fail':
        this.failed++;
        this.note('failed', message, verdict.reason);
        break;
      default:
        unreachable(verdict);
    }
  }

  /** Something about the conversation as a whole that a reader had to mend. */
  mended(reason: string): void {
    this.groups.set(reason, { kind: 'partial', reason, first: '', messages: 0, parts: 0 });
  }

  finish(): ConversationRead {
    const { turns, found, skipped, failed } = this;
    if (found !== turns.length + skipped + failed) {
      throw new SkeinError(
        'internal',
        `The messages don't add up: ${found} found, ${turns.length} imported, ${skipped} skipped, ${failed} failed.`,
      );
    }
    const createdAt = this.head.createdAt ?? turns.find((turn) => turn.time !== undefined)?.time;
    const title = this.title ?? (asTitle(turns[0]?.text ?? '') || 'Untitled');
    return {
      conversation: { title, place: this.place, turns, ...(createdAt !== undefined && { createdAt }) },
      ...(this.head.id !== undefined && { id: this.head.id }),
      ...(this.head.updatedAt !== undefined && { updatedAt: this.head.updatedAt }),
      found,
      skipped,
      failed,
      problems: [...this.groups.values()].map((group) => this.problem(group)),
    };
  }

  private keep(message: string, verdict: Extract<MessageVerdict, { kind: 'keep' }>): void {
    const { role, text, time, leftOut = [] } = verdict;
    const source = this.title ? placeOf(this.where.file, this.title) : this.place;
    this.turns.push({ role, text: wellFormed(text), ...(time !== undefined && { time }), source });
    for (const [reason, parts] of leftOut) this.note('partial', message, reason, parts);
  }

  private note(kind: ImportProblem['kind'], message: string, reason: string, parts = 0): void {
    const key = `${kind} ${reason}`;
    const group = this.groups.get(key);
    if (!group) {
      this.groups.set(key, { kind, reason, first: message, messages: 1, parts });
      return;
    }
    group.messages++;
    group.parts += parts;
  }

  private problem({ kind, reason, first, messages, parts }: ProblemGroup): ImportProblem {
    const more = messages > 1 ? ` and ${messages - 1} more` : '';
    return {
      kind,
      place: first ? placeOf(this.place, `${first}${more}`) : this.place,
      reason: wellFormed(parts > 1 ? `${reason} (${parts} times)` : reason),
      messages,
    };
  }
}
