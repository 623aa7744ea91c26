import type { EngineKind } from '../../answer/models.ts';
import type { AnswerVersion } from '../../store/records.ts';
import { counted, formatCount, formatDayAndTime, formatMilliseconds } from '../format.ts';

/** How an engine is called beside an answer. */
const ENGINES: Readonly<Record<EngineKind, string>> = {
  transformers: 'transformers.js',
  webllm: 'WebLLM',
  gguf: 'llama.cpp (wllama)',
  'prompt-api': 'the model of this browser',
  endpoint: 'a server',
};

const BACKENDS: Readonly<Record<string, string>> = {
  webgpu: ' on WebGPU',
  wasm: ' on the processor (WASM)',
  native: ' on the processor',
};

/** What is known of an answer, as names and values. */
export function answerFacts(version: AnswerVersion): [name: string, value: string][] {
  const { engine, backend, promptTokens, recalledTokens, tokens, firstTokenMs } = version;
  const speed = tokensASecond(version);
  return [
    ['Model', version.title],
    ['Ran by', `${ENGINES[engine as EngineKind] ?? engine}${BACKENDS[backend] ?? ''}`],
    ['Recalled', counted(Math.round(recalledTokens), 'token')],
    ['Prompt', `${counted(promptTokens, 'token')} in all`],
    ['Answer', counted(tokens, 'token')],
    ...(firstTokenMs === undefined ? [] : [fact('First token', formatMilliseconds(firstTokenMs))]),
    ...(speed === undefined ? [] : [fact('Speed', `${formatCount(speed)} tokens a second`)]),
    ['Answered', formatDayAndTime(version.answeredAt)],
  ];
}

/** Tokens a second from the first token on; undefined for an answer of one token. */
export function tokensASecond({ tokens, firstTokenMs = 0, milliseconds }: AnswerVersion): number | undefined {
  const seconds = (milliseconds - firstTokenMs) / 1000;
  if (tokens < 2 || seconds <= 0) return undefined;
  const speed = (tokens - 1) / seconds;
  return speed < 10 ? Math.round(speed * 10) / 10 : Math.round(speed);
}

/** Whether and how the answer ended before its end. */
export function endNote({ finish, tokens }: AnswerVersion): string {
  if (finish === 'interrupted') return 'You stopped this answer.';
  if (finish === 'length') return `Cut off at ${counted(tokens, 'token')}: Settings has longer answers.`;
  return '';
}

/** Says honestly what the answer rests on. */
export function sourceNote({ passages, cited }: AnswerVersion, recalled: number): string {
  if (passages.length === 0) {
    return recalled === 0
      ? 'Nothing was recalled: the answer comes from the model alone.'
      : 'Nothing that was recalled fitted into the prompt: the answer comes from the model alone.';
  }
  const read = `The model read ${counted(passages.length, 'passage')} of this thread`;
  const left = recalled - passages.length;
  const more = left > 0 ? ` ${formatCount(left)} more did not fit.` : '';
  if (cited.length === 0) return `${read} and named none of them as its source.${more}`;
  return `${read} and cites ${formatCount(cited.length)}.${more}`;
}

function fact(name: string, value: string): [string, string] {
  return [name, value];
}
