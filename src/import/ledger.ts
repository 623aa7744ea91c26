import { SkeinError } from '../core/errors.ts';
import type { ImportCount, ImportFormat, ImportProblem, ImportResult } from './contract.ts';
import type { ConversationRead } from './reading.ts';

const PROBLEM_LIMIT = 500;

/** Formats whose ids mean the same conversation in every file; elsewhere they only number the records. */
const WITH_UNIQUE_IDS: ReadonlySet<ImportFormat> = new Set(['chatgpt', 'claude']);

/** Keeps the account of an import: what was found, and what became of it. */
export class ImportLedger {
  private readonly files = { found: 0, imported: 0, skipped: 0, failed: 0 };
  private readonly conversations = { found: 0, imported: 0, skipped: 0, failed: 0 };
  private readonly messages = { found: 0, imported: 0, skipped: 0, failed: 0 };
  private readonly formats = new Set<ImportFormat>();
  private readonly kept: ConversationRead[] = [];
  /** Place in `kept` of the conversation with this format and id, for formats whose ids are unique. */
  private readonly byId = new Map<string, number>();
  private readonly problems: ImportProblem[] = [];

  /** Number of conversations seen so far. */
  get conversationsFound(): number {
    return this.conversations.found;
  }

  fileImported(): void {
    this.files.found++;
    this.files.imported++;
  }

  fileSkipped(place: string, reason: string): void {
    this.files.found++;
    this.files.skipped++;
    this.note('skipped', place, reason);
  }

  fileFailed(place: string, reason: string): void {
    this.files.found++;
    this.files.failed++;
    this.note('failed', place, reason);
  }

  conversationFailed(place: string, reason: string): void {
    this.conversations.found++;
    this.conversations.failed++;
    this.note('failed', place, reason);
  }

  /** Something that concerns no message in particular, such as an encoding that was guessed. */
  note(kind: ImportProblem['kind'], place: string, reason: string, messages = 0): void {
    this.problems.push({ kind, place, reason, messages });
  }

  conversationRead(format: ImportFormat, read: ConversationRead): void {
    this.formats.add(format);
    this.conversations.found++;
    this.messages.found += read.found;
    this.messages.skipped += read.skipped;
    this.messages.failed += read.failed;
    for (const problem of read.problems) this.problems.push(problem);
    if (read.conversation.turns.length === 0) {
      this.leaveOut(read, 'no message in it to import');
      return;
    }
    const known = read.id !== undefined && WITH_UNIQUE_IDS.has(format);
    const key = known ? `${format} ${read.id}` : undefined;
    const earlier = key === undefined ? undefined : this.byId.get(key);
    if (earlier === undefined) {
      if (key !== undefined) this.byId.set(key, this.kept.length);
      this.kept.push(read);
      return;
    }
    const other = this.kept[earlier]!;
    const [newer, older] = isNewer(read, other) ? [read, other] : [other, read];
    this.kept[earlier] = newer;
    this.leaveOut(older, `the same conversation as in ${newer.conversation.place}`);
  }

  /** The result. Throws `internal` when the account doesn't add up. */
  finish(): ImportResult {
    const conversations = this.kept.map((read) => read.conversation);
    this.conversations.imported = conversations.length;
    this.messages.imported = conversations.reduce((sum, { turns }) => sum + turns.length, 0);
    for (const count of [this.files, this.conversations, this.messages]) checkSum(count);
    const order = ['failed', 'skipped', 'partial'];
    const problems = this.problems.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
    return {
      conversations,
      report: {
        files: { ...this.files },
        formats: [...this.formats],
        conversations: { ...this.conversations },
        messages: { ...this.messages },
        problems: problems.slice(0, PROBLEM_LIMIT),
        problemsLeftOut: Math.max(0, problems.length - PROBLEM_LIMIT),
      },
    };
  }

  private leaveOut(read: ConversationRead, reason: string): void {
    this.conversations.skipped++;
    this.messages.skipped += read.conversation.turns.length;
    this.note('skipped', read.conversation.place, reason, read.conversation.turns.length);
  }
}

/** The same conversation exported twice: the later export, else the one with more turns, else the first read. */
function isNewer(read: ConversationRead, other: ConversationRead): boolean {
  const [a, b] = [read.updatedAt ?? 0, other.updatedAt ?? 0];
  return a !== b ? a > b : read.conversation.turns.length > other.conversation.turns.length;
}

function checkSum({ found, imported, skipped, failed }: ImportCount): void {
  if (found === imported + skipped + failed) return;
  throw new SkeinError(
    'internal',
    `The import doesn't add up: ${found} found, ${imported} imported, ${skipped} skipped, ${failed} failed.`,
  );
}
