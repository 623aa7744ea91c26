import { AutoModel, AutoTokenizer, type PreTrainedTokenizer, Tensor } from '@huggingface/transformers';
import type { Dtype } from '../registry.ts';
import type { Tokenizer } from './tokens.ts';
import type { Encoder } from './transformers-embedder.ts';

export interface EncoderOptions {
  /** Name that transformers.js resolves, against `env.localModelPath` or a cache that holds its files. */
  readonly name: string;
  readonly dtype: Dtype;
  readonly device: 'webgpu' | 'wasm' | 'cpu';
  /** Threads of the native runtime; the runtime chooses where it is absent. */
  readonly threads?: number;
}

/** Loads tokenizer and model through transformers.js. Errors are the library's own. */
export async function loadEncoder({ name, dtype, device, threads }: EncoderOptions): Promise<Encoder> {
  const tokenizer = await AutoTokenizer.from_pretrained(name);
  const session = threads === undefined ? {} : { intraOpNumThreads: threads, interOpNumThreads: 1 };
  const model = await AutoModel.from_pretrained(name, { dtype, device, session_options: session });
  return {
    tokenizer: adaptTokenizer(tokenizer),
    async run(ids, mask, rows, columns) {
      const output = await model({
        input_ids: new Tensor('int64', ids, [rows, columns]),
        attention_mask: new Tensor('int64', mask, [rows, columns]),
      });
      const states: Tensor = output.last_hidden_state;
      return states.data as Float32Array;
    },
    async dispose() {
      await model.dispose();
    },
  };
}

function adaptTokenizer(tokenizer: PreTrainedTokenizer): Tokenizer {
  const encode = (text: string) => tokenizer.encode(text, { add_special_tokens: false });
  const { before, after } = specialTokens(encode('a'), tokenizer.encode('a'));
  const starts = wordStarts(tokenizer.get_vocab());
  return { encode, before, after, pad: tokenizer.pad_token_id ?? 0, startsWord: (id) => starts.has(id) };
}

function specialTokens(own: readonly number[], full: readonly number[]) {
  const at = full.findIndex((_, i) => own.every((id, j) => full[i + j] === id));
  return { before: full.slice(0, at), after: full.slice(at + own.length) };
}

/** Ids that begin a word: WordPiece marks the others with `##`, SentencePiece marks these with U+2581. */
function wordStarts(vocabulary: Map<string, number>): Set<number> {
  const entries = [...vocabulary];
  const wordPiece = entries.some(([token]) => token.startsWith('##'));
  const begins = (token: string) => (wordPiece ? !token.startsWith('##') : token.startsWith('\u2581'));
  return new Set(entries.filter(([token]) => begins(token)).map(([, id]) => id));
}
