import { SkeinError } from '../../core/errors.ts';
import type { ChatMessage } from '../answer-engine.ts';
import type { ConversationTemplate } from './chat-config.ts';

/**
 * Messages as they are handed to web-llm: none holds a control token of the model, so no text can end its own turn or
 * begin another one, and a dollar sign stays one (web-llm fills its templates with `String.replace`, where `$` has a
 * meaning). Models without a system turn find the system text before the first question.
 *
 * Throws `bad-argument` where the order is not one that web-llm takes.
 */
export function preparedMessages(
  template: ConversationTemplate,
  controlTokens: readonly string[],
  messages: readonly ChatMessage[],
): ChatMessage[] {
  const [first, ...others] = messages;
  const turns = first?.role === 'system' ? others : messages;
  if (turns.at(-1)?.role !== 'user' || turns.some(({ role }) => role === 'system')) {
    throw new SkeinError(
      'bad-argument',
      'A prompt is one system message at most, then turns, the last of them a question.',
      'Put the system message first and a question last.',
    );
  }
  const harmless = messages.map(({ role, content }) => ({ role, content: without(controlTokens, content) }));
  return withSystemTurn(template, harmless).map(({ role, content }) => ({
    role,
    content: isTemplated(template, role) ? content.replaceAll('$', '$$$$') : content,
  }));
}

/**
 * The texts of a prompt in the order in which web-llm writes and tokenises them, each on its own: system text, turns,
 * and the header of the answer (`emptyThought` keeps a thinking model from thinking).
 */
export function promptTexts(
  template: ConversationTemplate,
  prepared: readonly ChatMessage[],
  emptyThought?: string,
): string[] {
  const [first] = prepared;
  const given = first?.role === 'system' ? first.content : undefined;
  const system = systemText(template, given ?? template.system_message ?? '');
  const turns = given === undefined ? prepared : prepared.slice(1);
  const afterRole = template.role_content_sep ?? ': ';
  const texts = turns.map(({ role, content }, i) => {
    const named = role === 'assistant' ? 'assistant' : 'user';
    const bare = template.add_role_after_system_message === false && system !== '' && i === 0;
    const body = filled(template.role_templates?.[named], `{${named}_message}`, content);
    return (bare ? '' : template.roles[named] + afterRole) + body + template.seps[i % template.seps.length]!;
  });
  const header = emptyThought === undefined ? (template.role_empty_sep ?? ': ') : afterRole + emptyThought;
  return [...(system === '' ? [] : [system]), ...texts, template.roles.assistant + header];
}

const SYSTEM = '{system_message}';

function systemText(template: ConversationTemplate, content: string): string {
  if (content === '' && template.render_empty_system_message === false) return '';
  return template.system_template.replace(SYSTEM, content);
}

function filled(roleTemplate: string | undefined, placeholder: string, content: string): string {
  return roleTemplate?.replace(placeholder, content).replace('{function_string}', '') ?? content;
}

function isTemplated(template: ConversationTemplate, role: ChatMessage['role']): boolean {
  return role === 'system' || template.role_templates?.[role] != null;
}

/** A template that only repeats the system text (Gemma's) would leave it outside of every turn. */
function withSystemTurn(
  template: ConversationTemplate,
  messages: readonly ChatMessage[],
): readonly ChatMessage[] {
  const [system, ...turns] = messages;
  if (system?.role !== 'system' || template.system_template.trim() !== SYSTEM) return messages;
  const at = turns.findIndex(({ role }) => role === 'user');
  return turns.map(({ role, content }, i) => ({
    role,
    content: i === at ? `${system.content}\n\n${content}` : content,
  }));
}

/** `text` with a space in each control token, which is then none. */
function without(controlTokens: readonly string[], text: string): string {
  return controlTokens.reduce(
    (rest, token) => (token.length > 1 ? rest.replaceAll(token, `${token[0]} ${token.slice(1)}`) : rest),
    text,
  );
}
