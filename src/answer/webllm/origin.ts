import { SkeinError } from '../../core/errors.ts';
import type { AnswerModel } from '../models.ts';

/** Where a WebLLM model's files lie. */
export interface Origin {
  /** Absolute URL of the folder of configuration, tokenizer and weights, with a slash at its end. */
  readonly base: string;
  /** Absolute URL of the compiled library. */
  readonly library: string;
  /** The model hub's repository, where it is one. */
  readonly repository?: string;
  /** The person dropped the files: what is not on this device can't be fetched. */
  readonly dropped?: boolean;
}

/** Where dropped files lie: nowhere. No request is sent there. */
const NOWHERE = 'https://skein.invalid/';

const HUB = 'https://huggingface.co/';

/**
 * The origin of `model`; addresses of one's own may be relative to `site`. As web-llm does, a URL without a revision
 * stands for its `resolve/main/`. Throws `bad-argument` where the model names no library or no place.
 */
export function originOf(model: AnswerModel, site: string): Origin {
  const { source } = model;
  if (source.kind === 'files') return { base: NOWHERE, library: NOWHERE, dropped: true };
  if (source.kind !== 'hub' && source.kind !== 'url') {
    throw new SkeinError(
      'bad-argument',
      `${model.title} has no address that WebLLM could load it from.`,
      'Give the address of the model and that of its compiled library (.wasm).',
    );
  }
  if (!source.library) {
    throw new SkeinError(
      'bad-argument',
      `${model.title} names no compiled library.`,
      'WebLLM needs the address of the .wasm file compiled for the model beside that of the model.',
    );
  }
  const repository = source.kind === 'hub' ? source.repository : undefined;
  const url = absolute(repository === undefined ? (source as { url: string }).url : HUB + repository, site);
  return { base: folderOf(url), library: absolute(source.library, site), ...(repository && { repository }) };
}

function absolute(url: string, site: string): string {
  try {
    return new URL(url, site).href;
  } catch (cause) {
    throw new SkeinError('bad-argument', `${url} is no address.`, 'Correct it.', { cause });
  }
}

function folderOf(url: string): string {
  const folder = url.endsWith('/') ? url : `${url}/`;
  return /\/resolve\/[^/]+\//.test(folder) ? folder : `${folder}resolve/main/`;
}
