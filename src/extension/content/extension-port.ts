/// <reference types="chrome" />
import { SkeinError } from '../../core/errors.ts';
import type { Answers, PageEvent, PageRequest } from '../messages.ts';
import { type Reply, unwrapReply } from '../reply.ts';

/** The rest of the extension as a page sees it. */
export interface ExtensionPort {
  /**
   * Asks the extension.
   *
   * @throws SkeinError what the extension answered, or that it could not be reached
   * @throws ExtensionGoneError when this content script has outlived its extension
   */
  request<K extends PageRequest['kind']>(request: Extract<PageRequest, { kind: K }>): Promise<Answers[K]>;
  /** Calls `listener` for every event; what it resolves to is the answer. Returns what ends it. */
  listen(listener: (event: PageEvent) => Promise<unknown>): () => void;
}

/** The extension was updated, switched off or removed while its page stayed open. */
export class ExtensionGoneError extends SkeinError {
  constructor() {
    super('worker-died', 'Skein was updated or switched off.', 'Reload the page to go on.');
  }
}

/** The port over the browser's messages. */
export function chromePort(): ExtensionPort {
  return {
    async request<K extends PageRequest['kind']>(request: Extract<PageRequest, { kind: K }>) {
      const reply = await send<Reply<Answers[K]> | undefined>(request);
      if (!reply) throw new SkeinError('worker-died', 'Skein did not answer.', 'Try again.');
      return unwrapReply(reply);
    },
    listen(listener) {
      const onMessage = (event: PageEvent, _: unknown, answer: (value: unknown) => void): true => {
        void listener(event).then(answer, () => answer(undefined));
        return true;
      };
      chrome.runtime.onMessage.addListener(onMessage);
      return () => chrome.runtime?.onMessage?.removeListener(onMessage);
    },
  };
}

async function send<T>(request: PageRequest): Promise<T> {
  // An orphaned content script has no id any more, and every call throws.
  if (!chrome.runtime?.id) throw new ExtensionGoneError();
  try {
    return await chrome.runtime.sendMessage(request);
  } catch (cause) {
    if (!chrome.runtime?.id || /context invalidated/i.test(String(cause))) throw new ExtensionGoneError();
    throw new SkeinError('worker-died', 'Skein could not be reached.', 'Try again.', { cause });
  }
}
