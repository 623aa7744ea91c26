import type { AnswerModel } from '../../answer/models.ts';
import { SkeinError } from '../../core/errors.ts';
import { siteBase } from '../../runtime/site.ts';

/** What a person states of a WebLLM model at an address. */
export interface WebllmAddress {
  readonly url: string;
  readonly library: string;
  readonly title: string;
  readonly shaderF16: boolean;
}

/** Tokens; the model's own configuration has the last word when it is loaded. */
const USUAL_WINDOW = 4096;

/** The catalogue entry of a WebLLM model of one's own. Throws `bad-argument` for what the page can't reach. */
export function webllmModelAt({ url, library, title, shaderF16 }: WebllmAddress): AnswerModel {
  const place = reachable(url);
  const name = title.trim() || place.replace(/\/+$/, '').split('/').at(-1)!;
  return {
    id: `webllm:${place}`,
    engine: 'webllm',
    title: name,
    bytes: 0,
    contextWindow: USUAL_WINDOW,
    licence: 'not stated',
    needs: { webgpu: true, shaderF16, memoryBytes: 0 },
    source: { kind: 'url', url: place, library: reachable(library) },
    note: 'At an address of your own; nothing is known of it before it is downloaded.',
  };
}

/** An absolute address that the page's policy lets through. */
function reachable(text: string): string {
  const base = siteBase();
  if (!URL.canParse(text.trim(), base) || text.trim() === '') {
    throw new SkeinError(
      'bad-argument',
      `"${text}" is no address.`,
      'Type it like https://huggingface.co/….',
    );
  }
  const url = new URL(text.trim(), base);
  const here = url.origin === new URL(base).origin;
  const local = url.protocol === 'http:' && ['localhost', '127.0.0.1'].includes(url.hostname);
  const hub =
    url.protocol === 'https:' &&
    /(^|\.)(huggingface\.co|hf\.co)$|^raw\.githubusercontent\.com$/.test(url.hostname);
  if (here || local || hub) return url.href;
  throw new SkeinError(
    'bad-argument',
    `The page may not fetch from ${url.origin}.`,
    'Put the files on huggingface.co, beside this site, or on a server of this machine.',
  );
}
