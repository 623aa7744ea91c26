import type { Role } from '../core/turn.ts';
import {
  type ConversationRead,
  ConversationReading,
  fail,
  type MessageVerdict,
  type RecordPlace,
  skip,
  skipReasons,
} from './reading.ts';
import { asList, asObject, asText, asTime, type JsonObject } from './values.ts';

const ROLES: Readonly<Record<string, Role>> = {
  human: 'user',
  user: 'user',
  prompter: 'user',
  gpt: 'model',
  chatgpt: 'model',
  assistant: 'model',
  model: 'model',
  bot: 'model',
  bard: 'model',
  bing: 'model',
  claude: 'model',
};

const SKIPPED_ROLES: Readonly<Record<string, string>> = {
  system: skipReasons.system,
  developer: skipReasons.system,
  tool: skipReasons.tool,
  function: skipReasons.tool,
  function_call: skipReasons.toTool,
  function_response: skipReasons.tool,
  observation: skipReasons.tool,
};

/** Reads a ShareGPT record: `conversations: [{ from, value }]`. Throws an Error when there is no list to read. */
export function readShareGpt(raw: JsonObject, where: RecordPlace): ConversationRead {
  return readList(raw, raw.conversations ?? raw.conversation, where);
}

/**
 * Reads an UltraChat record: `data`, texts that alternate and start with the user, or `messages`,
 * `[{ role, content }]`. Throws an Error when there is no list to read.
 */
export function readUltraChat(raw: JsonObject, where: RecordPlace): ConversationRead {
  if (raw.messages !== undefined) return readList(raw, raw.messages, where);
  if (!Array.isArray(raw.data)) return readList(raw, raw.data, where);
  const reading = new ConversationReading(where, headOf(raw), raw.data.length);
  raw.data.forEach((text: unknown, index) => {
    reading.add(numberOf(index), judgeText(index % 2 === 0 ? 'user' : 'model', text));
  });
  return reading.finish();
}

function readList(raw: JsonObject, list: unknown, where: RecordPlace): ConversationRead {
  if (!Array.isArray(list)) throw new Error('it has no list of messages');
  const reading = new ConversationReading(where, headOf(raw), list.length);
  list.forEach((message: unknown, index) => {
    reading.add(numberOf(index), judge(message));
  });
  return reading.finish();
}

function headOf(raw: JsonObject) {
  return {
    title: asText(raw.title),
    id: asText(raw.id) ?? asText(raw.prompt_id),
    createdAt: asTime(raw.create_time ?? raw.created_at),
  };
}

function judge(raw: unknown): MessageVerdict {
  const message = asObject(raw);
  if (!message) return fail('the message is not an object');
  const speaker = asText(message.from ?? message.role)?.toLowerCase();
  if (speaker === undefined) return fail('the message has no role');
  const skipped = Object.hasOwn(SKIPPED_ROLES, speaker) ? SKIPPED_ROLES[speaker] : undefined;
  if (skipped) return skip(skipped);
  const role = Object.hasOwn(ROLES, speaker) ? ROLES[speaker] : undefined;
  if (!role) return skip(`role “${speaker}”`);
  const time = asTime(message.create_time ?? message.created_at ?? message.timestamp);
  return judgeText(role, message.value ?? message.content ?? message.text, time);
}

/** `content` is a text, or a list of blocks of which the texts are kept. */
function judgeText(role: Role, content: unknown, time?: number): MessageVerdict {
  const blocks = Array.isArray(content) ? asList(content) : [content ?? ''];
  if (!Array.isArray(content) && typeof blocks[0] !== 'string') {
    return fail('its text is neither a text nor a list of blocks');
  }
  const texts = blocks.map((block) => asText(block) ?? asText(asObject(block)?.text));
  const text = texts.filter((part) => part !== undefined).join('\n');
  const others = blocks.filter((block, i) => texts[i] === undefined && asObject(block)).length;
  if (text === '') return skip(others > 0 ? skipReasons.attachmentOnly : skipReasons.empty);
  const leftOut = new Map(others > 0 ? [['block left out', others]] : []);
  return { kind: 'keep', role, text, time, leftOut };
}

function numberOf(index: number): string {
  return `message ${index + 1}`;
}
