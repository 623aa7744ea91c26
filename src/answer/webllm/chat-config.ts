import { SkeinError } from '../../core/errors.ts';

/** How a model wants its chat written; field for field `conv_template` of mlc-chat-config.json. */
export interface ConversationTemplate {
  readonly system_template: string;
  readonly system_message: string;
  readonly roles: Readonly<Record<'user' | 'assistant', string>>;
  readonly role_templates?: Readonly<Partial<Record<'user' | 'assistant', string>>> | null;
  readonly seps: readonly string[];
  readonly role_content_sep?: string | null;
  readonly role_empty_sep?: string | null;
  readonly stop_str: readonly string[];
  readonly system_prefix_token_ids?: readonly number[] | null;
  readonly add_role_after_system_message?: boolean | null;
  readonly render_empty_system_message?: boolean | null;
}

/** The part of mlc-chat-config.json that we read; web-llm reads the file itself. */
export interface ChatConfig {
  readonly conv_template: ConversationTemplate;
  readonly tokenizer_files: readonly string[];
  /** Tokens; -1 where the model slides its window. */
  readonly context_window_size: number;
}

/** One shard of weights as tensor-cache.json lists it. */
export interface Shard {
  readonly dataPath: string;
  readonly nbytes: number;
  readonly md5sum?: string;
}

/** mlc-chat-config.json. Throws `integrity-failed` where the text is no such file. */
export function parseChatConfig(text: string, place: string): ChatConfig {
  const config = parseJson(text, place) as Partial<ChatConfig> | null;
  const template = config?.conv_template;
  const whole =
    template !== undefined &&
    typeof template.system_template === 'string' &&
    typeof template.roles?.user === 'string' &&
    typeof template.roles.assistant === 'string' &&
    Array.isArray(template.seps) &&
    template.seps.length > 0 &&
    Array.isArray(template.stop_str) &&
    Array.isArray(config?.tokenizer_files) &&
    typeof config.context_window_size === 'number';
  if (!whole) throw damaged(place, 'it is no configuration of a WebLLM chat model');
  return config as ChatConfig;
}

/** The shards of tensor-cache.json. Throws `integrity-failed` where the text is no such file. */
export function parseShards(text: string, place: string): readonly Shard[] {
  const { records } = (parseJson(text, place) ?? {}) as { records?: readonly Partial<Shard>[] };
  const whole =
    Array.isArray(records) &&
    records.length > 0 &&
    records.every(
      ({ dataPath, nbytes }) =>
        typeof dataPath === 'string' && isPlainName(dataPath) && Number.isSafeInteger(nbytes),
    );
  if (!whole) throw damaged(place, 'it is no list of weight files');
  return records as readonly Shard[];
}

/** The control tokens of tokenizer.json, such as `<|im_end|>`. Throws `integrity-failed` where it is no such file. */
export function parseControlTokens(text: string, place: string): readonly string[] {
  const tokenizer = parseJson(text, place) as {
    model?: unknown;
    added_tokens?: readonly { readonly content?: string; readonly special?: boolean }[];
  } | null;
  if (!tokenizer?.model) throw damaged(place, 'it is no tokenizer');
  return (tokenizer.added_tokens ?? []).flatMap(({ content, special }) =>
    special && content ? [content] : [],
  );
}

/** A file that is not what it should be. */
export function damaged(place: string, why: string, cause?: unknown): SkeinError {
  return new SkeinError(
    'integrity-failed',
    `The model file ${place} is damaged: ${why}.`,
    'Its copy on this device was removed: load the model again. If that does not help, the place it comes from has a damaged file.',
    { cause },
  );
}

function parseJson(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw damaged(place, text.trimStart().startsWith('<') ? 'it is a web page' : 'it is no JSON', cause);
  }
}

/** A shard lies beside its list: a path out of the model's folder is not followed. */
function isPlainName(path: string): boolean {
  return /^[\w.-]+(\/[\w.-]+)*$/.test(path) && !path.split('/').includes('..');
}
