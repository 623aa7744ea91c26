import { type BranchNode, branchOf } from './branch.ts';
import {
  type ConversationRead,
  ConversationReading,
  count,
  fail,
  type MessageVerdict,
  type RecordPlace,
  skip,
  skipReasons,
} from './reading.ts';
import { asList, asObject, asText, asTime, type JsonObject } from './values.ts';

/** The parent that the first message of a conversation names. */
const NO_PARENT = '00000000-0000-4000-8000-000000000000';

/** Blocks whose `text`, where they have one, is not what the model said to the person. */
const SILENT_BLOCKS = new Set(['thinking', 'redacted_thinking', 'tool_use', 'tool_result', 'token_budget']);

/** What stands in the flat text where a block of another kind was. */
const STAND_IN = /```\s*This block is not supported on your current device yet\.\s*```/g;

const FILE_LEFT_OUT = 'attachment left out: file';

interface Message {
  readonly id: string;
  readonly raw: unknown;
}

/**
 * Reads one conversation of a Claude export: `chat_messages` in order, or, where messages name their parents,
 * the branch that ends at the current leaf. Throws an Error that says why when there is no list to read.
 */
export function readClaude(raw: JsonObject, where: RecordPlace): ConversationRead {
  const list = raw.chat_messages ?? [];
  if (!Array.isArray(list)) throw new Error('its “chat_messages” is not a list');
  const head = {
    title: asText(raw.name),
    id: asText(raw.uuid),
    createdAt: asTime(raw.created_at),
    updatedAt: asTime(raw.updated_at),
  };
  const messages = identify(list);
  const reading = new ConversationReading(where, head, messages.length);

  const branch = branchOf(treeOf(messages), asText(raw.current_leaf_message_uuid));
  if (branch.joins > 0) reading.mended(`${branch.joins} missing links between messages, joined by time`);
  const byId = new Map(messages.map((message) => [message.id, message]));
  const onBranch = new Set(branch.ids);
  for (const id of branch.ids) reading.add(nameOf(id), judge(byId.get(id)!));
  for (const { id } of messages)
    if (!onBranch.has(id)) reading.add(nameOf(id), skip(skipReasons.otherBranch));
  return reading.finish();
}

/** Every message under an id of its own: its place in the list where it has none or shares one. */
function identify(list: readonly unknown[]): Message[] {
  const taken = new Set<string>();
  return list.map((raw, index) => {
    const uuid = asText(asObject(raw)?.uuid);
    const id = uuid !== undefined && !taken.has(uuid) ? uuid : `number ${index + 1}`;
    taken.add(id);
    return { id, raw };
  });
}

/** A message that names no parent follows the one before it: older exports are plain lists. */
function treeOf(messages: readonly Message[]): BranchNode[] {
  return messages.map(({ id, raw }, index) => {
    const parent = asObject(raw)?.parent_message_uuid;
    const named = parent === null || parent === NO_PARENT ? null : asText(parent);
    return {
      id,
      parent: named === undefined ? (messages[index - 1]?.id ?? null) : named,
      time: asTime(asObject(raw)?.created_at),
    };
  });
}

function judge({ raw }: Message): MessageVerdict {
  const message = asObject(raw);
  if (!message) return fail('the message is not an object');
  const sender = asText(message.sender);
  if (sender === undefined) return fail('the message has no sender');
  const isUser = sender === 'human' || sender === 'user';
  if (!isUser && sender !== 'assistant') return skip(`sender “${sender}”`);

  const leftOut = new Map<string, number>();
  const said = readBlocks(message, leftOut);
  const blocks = leftOut.size;
  const documents = readAttachments(message, leftOut);
  const text = [...said, ...documents].join('\n\n');
  if (text === '') {
    const { attachmentOnly, blocksOnly, empty } = skipReasons;
    return skip(leftOut.size > blocks ? attachmentOnly : blocks > 0 ? blocksOnly : empty);
  }
  return { kind: 'keep', role: isUser ? 'user' : 'model', text, time: asTime(message.created_at), leftOut };
}

/** The text blocks, or the flat `text` of older exports, where newer ones put stand-ins for other blocks. */
function readBlocks(message: JsonObject, leftOut: Map<string, number>): string[] {
  const said: string[] = [];
  for (const block of asList(message.content)) {
    const type = asText(asObject(block)?.type) ?? 'without a type';
    const text = SILENT_BLOCKS.has(type) ? undefined : asText(asObject(block)?.text);
    if (text !== undefined) said.push(text);
    if (type === 'text') continue;
    count(leftOut, text === undefined ? `block left out: ${type}` : `unknown block: ${type}, its text kept`);
  }
  const flat = asText(asText(message.text)?.replaceAll(STAND_IN, ''));
  if (said.length === 0 && flat !== undefined) said.push(flat);
  return said;
}

/** Text taken out of documents is part of what the person sent; everything else is left out. */
function readAttachments(message: JsonObject, leftOut: Map<string, number>): string[] {
  const documents: string[] = [];
  const named = new Set<string>();
  for (const attachment of asList(message.attachments)) {
    const content = asText(asObject(attachment)?.extracted_content);
    const name = asText(asObject(attachment)?.file_name);
    if (name !== undefined) named.add(name);
    if (content === undefined) count(leftOut, FILE_LEFT_OUT);
    else documents.push(`[Attachment: ${name ?? 'without a name'}]\n${content}\n[End of attachment]`);
  }
  for (const file of asList(message.files)) {
    // A document can stand in both lists.
    if (!named.has(asText(asObject(file)?.file_name) ?? '')) count(leftOut, FILE_LEFT_OUT);
  }
  return documents;
}

function nameOf(id: string): string {
  return `message ${id}`;
}
