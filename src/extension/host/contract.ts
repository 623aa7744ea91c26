import type { OfferedEpisode } from '../messages.ts';

/** The conversation that the person has before their eyes: its last turns are not offered. */
export interface Conversation {
  readonly site: string;
  readonly conversation: string;
}

/** What the extension's other parts ask of the page that leads: it alone has the engine and the models. */
export type HostCall =
  | { readonly kind: 'recall'; readonly text: string; readonly beside?: Conversation }
  | { readonly kind: 'hint'; readonly text: string; readonly beside?: Conversation }
  /** Turns wait in the inbox. */
  | { readonly kind: 'drain' }
  /** Erases what was captured from a site. */
  | { readonly kind: 'erase-site'; readonly site: string };

export interface HostAnswers {
  recall: { episodes: readonly OfferedEpisode[] };
  hint: { episodes: number };
  drain: null;
  'erase-site': { turns: number };
}

/** A call as it crosses between the extension's own pages and workers. */
export interface HostEnvelope {
  readonly to: 'host';
  readonly call: HostCall;
}

/** What the extension's pages tell the background. */
export type BackgroundNotice =
  /** A page with the app opens and wants the lead. */
  | { readonly to: 'background'; readonly kind: 'app-opened' }
  /** The offscreen page has had nothing to do for a while. */
  | { readonly to: 'background'; readonly kind: 'idle' }
  /** The thread of captured turns was deleted: nothing more is to be captured. */
  | { readonly to: 'background'; readonly kind: 'thread-deleted' }
  /** Captured turns were erased: fewer are kept of what tabs show. */
  | { readonly to: 'background'; readonly kind: 'erased' };

export function isHostEnvelope(message: unknown): message is HostEnvelope {
  return addresseeOf(message) === 'host';
}

export function isBackgroundNotice(message: unknown): message is BackgroundNotice {
  return addresseeOf(message) === 'background';
}

/** Whether a message comes from the extension itself, not from a content script in a page. */
export function isOwnSender({ id, tab, url }: chrome.runtime.MessageSender): boolean {
  if (id !== chrome.runtime.id) return false;
  return tab === undefined || (url?.startsWith(chrome.runtime.getURL('')) ?? false);
}

function addresseeOf(message: unknown): unknown {
  return typeof message === 'object' && message !== null && 'to' in message ? message.to : undefined;
}
