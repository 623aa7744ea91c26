import { count, fail, type MessageVerdict, skip, skipReasons } from './reading.ts';
import { asList, asObject, asText, asTime, type JsonObject } from './values.ts';

/** Types of content that are never part of what the two sides said. */
const SKIPPED_TYPES: Readonly<Record<string, string>> = {
  user_editable_context: skipReasons.context,
  model_editable_context: skipReasons.context,
  app_pairing_content: skipReasons.context,
  thoughts: skipReasons.reasoning,
  reasoning_recap: skipReasons.reasoning,
  execution_output: skipReasons.tool,
  computer_output: skipReasons.tool,
  citable_code_output: skipReasons.tool,
  tether_browsing_display: skipReasons.tool,
  tether_browsing_code: skipReasons.tool,
  tether_quote: skipReasons.tool,
  sonic_webpage: skipReasons.tool,
  system_error: skipReasons.system,
};

const KNOWN_TYPES = new Set(['text', 'multimodal_text', 'code']);

/** Judges one message of a ChatGPT export. */
export function judgeChatGptMessage(raw: unknown): MessageVerdict {
  const message = asObject(raw);
  if (!message) return fail('the message is not an object');
  const role = asText(asObject(message.author)?.role);
  if (role === undefined) return fail('the message has no author role');
  if (role === 'system') return skip(skipReasons.system);
  const metadata = asObject(message.metadata);
  if (metadata?.is_user_system_message === true) return skip(skipReasons.context);

  const content = asObject(message.content);
  const type = asText(content?.content_type) ?? 'text';
  const skipped = Object.hasOwn(SKIPPED_TYPES, type) ? SKIPPED_TYPES[type] : undefined;
  if (skipped) return skip(skipped);
  if (metadata?.is_visually_hidden_from_conversation === true) {
    return skip(skipReasons.hidden);
  }
  if (role === 'tool') return skip(skipReasons.tool);
  if (role !== 'user' && role !== 'assistant') return skip(`author “${role}”`);
  const recipient = asText(message.recipient) ?? 'all';
  if (recipient !== 'all') return skip(`${skipReasons.toTool} (${recipient})`);

  const { texts, leftOut } = readParts(content, metadata);
  const text = texts.join('\n');
  if (text.trim() === '') {
    return skip(leftOut.size > 0 ? skipReasons.attachmentOnly : skipReasons.empty);
  }
  if (!KNOWN_TYPES.has(type)) leftOut.set(`unknown content type “${type}”, its text kept`, 1);
  return {
    kind: 'keep',
    role: role === 'user' ? 'user' : 'model',
    text,
    time: asTime(message.create_time),
    leftOut,
  };
}

function readParts(content: JsonObject | undefined, metadata: JsonObject | undefined) {
  const texts: string[] = [];
  const leftOut = new Map<string, number>();
  for (const part of [content?.text, ...asList(content?.parts)]) {
    const text = asText(part) ?? asText(asObject(part)?.text);
    if (text !== undefined) {
      texts.push(text);
    } else if (asObject(part)) {
      const kind = asText(asObject(part)?.content_type) ?? 'part of unknown type';
      count(leftOut, `attachment left out: ${kind}`);
    }
  }
  // An image stands both among the parts and among the attachments; a document only here.
  const named = asList(metadata?.attachments).length;
  const files = named - [...leftOut.values()].reduce((sum, n) => sum + n, 0);
  if (files > 0) leftOut.set('attachment left out: file', files);
  return { texts, leftOut };
}
