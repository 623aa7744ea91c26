import {
  AutoModelForCausalLM,
  AutoTokenizer,
  DynamicCache,
  type PreTrainedModel,
  type PreTrainedTokenizer,
  Tensor,
} from '@huggingface/transformers';
import type { ChatMessage } from '../answer-engine.ts';
import { withoutControlTokens } from './control-tokens.ts';

export interface LanguageModelOptions {
  /** Name that transformers.js resolves, against `env.localModelPath` or a cache that holds its files. */
  readonly name: string;
  readonly dtype: 'q4';
  readonly device: 'webgpu' | 'wasm' | 'cpu';
  /** Threads of the native runtime; the runtime chooses where it is absent. */
  readonly threads?: number;
}

/** What the engine needs of a model. */
export interface LanguageModel {
  /** Tokens that end an answer. */
  readonly ends: ReadonlySet<number>;
  /** Tokens that the state stands for: those computed last, in order. */
  readonly held: readonly number[];
  /** The prompt in tokens, with all that the chat template adds. Control tokens in the messages are ordinary text. */
  encode(messages: readonly ChatMessage[]): number[];
  encodeText(text: string): number[];
  /** Text of tokens, without control tokens. */
  decode(tokens: readonly number[]): string;
  /** Forgets all that is held but the first `length` tokens, where it can; tells how many are held now. */
  keep(length: number): number;
  /** Computes `tokens` after those held; gives the scores of the token that comes next, one a token of the vocabulary. */
  compute(tokens: readonly number[]): Promise<Float32Array>;
  dispose(): Promise<void>;
}

/** Loads tokenizer and model through transformers.js. Errors are the library's own. */
export async function loadLanguageModel({
  name,
  dtype,
  device,
  threads,
}: LanguageModelOptions): Promise<LanguageModel> {
  const tokenizer = await AutoTokenizer.from_pretrained(name);
  const session = threads === undefined ? {} : { intraOpNumThreads: threads, interOpNumThreads: 1 };
  const model = await AutoModelForCausalLM.from_pretrained(name, { dtype, device, session_options: session });
  return new TransformersModel(tokenizer, model);
}

class TransformersModel implements LanguageModel {
  readonly ends: ReadonlySet<number>;
  private tokens: number[] = [];
  private cache = new DynamicCache();

  constructor(
    private readonly tokenizer: PreTrainedTokenizer,
    private readonly model: PreTrainedModel,
  ) {
    const { eos_token_id: ends } = model.generation_config ?? {};
    this.ends = new Set([ends ?? [], tokenizer.eos_token_id ?? []].flat());
  }

  get held(): readonly number[] {
    return this.tokens;
  }

  encode(messages: readonly ChatMessage[]): number[] {
    const safe = messages.map(({ role, content }) => ({
      role,
      content: withoutControlTokens(content, this.tokenizer.all_special_tokens),
    }));
    return this.tokenizer.apply_chat_template(safe, {
      add_generation_prompt: true,
      return_tensor: false,
      return_dict: false,
    }) as number[];
  }

  encodeText(text: string): number[] {
    return this.tokenizer.encode(text, { add_special_tokens: false });
  }

  decode(tokens: readonly number[]): string {
    return tokens.length === 0 ? '' : this.tokenizer.decode([...tokens], { skip_special_tokens: true });
  }

  keep(length: number): number {
    if (length >= this.tokens.length) return this.tokens.length;
    const entries = Object.entries(this.cache as Record<string, Tensor>);
    // What lies on the GPU is not cut there: it is computed again.
    const cut = length > 0 && entries.every(([, { location }]) => location !== 'gpu-buffer');
    void this.cache.dispose();
    // [batch, heads, tokens, width]
    this.cache = new DynamicCache(
      cut
        ? Object.fromEntries(entries.map(([name, part]) => [name, part.slice(null, null, [0, length])]))
        : {},
    );
    this.tokens = cut ? this.tokens.slice(0, length) : [];
    return this.tokens.length;
  }

  async compute(tokens: readonly number[]): Promise<Float32Array> {
    const length = this.tokens.length + tokens.length;
    const outputs: Record<string, Tensor> = await this.model({
      input_ids: new Tensor('int64', BigInt64Array.from(tokens, BigInt), [1, tokens.length]),
      attention_mask: new Tensor('int64', new BigInt64Array(length).fill(1n), [1, length]),
      past_key_values: this.cache,
      num_logits_to_keep: new Tensor('int64', [1n], []),
    });
    const held = Object.entries(outputs).filter(([name]) => name.startsWith('present'));
    this.cache.update(
      Object.fromEntries(held.map(([name, part]) => [name.replace('present', 'past_key_values'), part])),
    );
    this.tokens.push(...tokens);
    const { logits } = outputs as { logits: Tensor };
    const [, rows, width] = logits.dims as [number, number, number];
    // Models in half precision give their scores in it, too.
    const scores = logits.to('float32').data as Float32Array;
    return scores.slice((rows - 1) * width, rows * width);
  }

  async dispose(): Promise<void> {
    await this.cache.dispose();
    this.tokens = [];
    await this.model.dispose();
  }
}
