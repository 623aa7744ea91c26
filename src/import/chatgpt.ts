import { type BranchNode, branchOf } from './branch.ts';
import { judgeChatGptMessage } from './chatgpt-message.ts';
import {
  type ConversationRead,
  ConversationReading,
  type RecordPlace,
  skip,
  skipReasons,
} from './reading.ts';
import { asList, asObject, asText, asTime, type JsonObject } from './values.ts';

/**
 * Reads one conversation of a ChatGPT export: a tree of messages, of which the branch that ends at
 * `current_node` is what the person last saw. Throws an Error that says why when there is no tree to read.
 */
export function readChatGpt(raw: JsonObject, where: RecordPlace): ConversationRead {
  if (raw.mapping !== undefined && raw.mapping !== null && !asObject(raw.mapping)) {
    throw new Error('its “mapping” is not an object');
  }
  const entries = Object.entries(asObject(raw.mapping) ?? {});
  const messages = entries.filter(([, node]) => hasMessage(node));
  const reading = new ConversationReading(where, headOf(raw), messages.length);

  const branch = branchOf(treeOf(entries), asText(raw.current_node));
  if (branch.joins > 0) reading.mended(`${branch.joins} missing links between messages, joined by time`);
  const nodes = new Map(entries);
  const onBranch = new Set(branch.ids);
  for (const id of branch.ids) {
    const node = nodes.get(id);
    if (hasMessage(node)) reading.add(nameOf(id), judgeChatGptMessage(asObject(node)?.message));
  }
  for (const [id] of messages) if (!onBranch.has(id)) reading.add(nameOf(id), skip(skipReasons.otherBranch));
  return reading.finish();
}

function headOf(raw: JsonObject) {
  return {
    title: asText(raw.title),
    id: asText(raw.conversation_id) ?? asText(raw.id),
    createdAt: asTime(raw.create_time),
    updatedAt: asTime(raw.update_time),
  };
}

/** The links as far as either side states them: `children` is often missing, `parent` sometimes. */
function treeOf(entries: readonly [string, unknown][]): BranchNode[] {
  const parentByChild = new Map<string, string>();
  for (const [id, node] of entries) {
    for (const child of asList(asObject(node)?.children)) {
      if (typeof child === 'string') parentByChild.set(child, id);
    }
  }
  return entries.map(([id, node]) => {
    const { parent, message } = asObject(node) ?? {};
    return {
      id,
      parent: asText(parent) ?? parentByChild.get(id) ?? (parent === null ? null : undefined),
      time: asTime(asObject(message)?.create_time),
      hollow: !hasMessage(node),
    };
  });
}

function hasMessage(node: unknown): boolean {
  const message = asObject(node)?.message;
  return message !== undefined && message !== null;
}

function nameOf(id: string): string {
  return `message ${id}`;
}
