import type { SiteDescription } from './site.ts';

/** The parts that a person points at on a site Skein does not know. */
export const TAUGHT_PARTS = ['userTurn', 'assistantTurn', 'composer', 'sendButton'] as const;
export type TaughtPart = (typeof TAUGHT_PARTS)[number];

/**
 * A site described by the selectors a person taught. A path that ends with something that has a digit names the
 * conversation (`/chat/7f3a`); elsewhere chats may share one address, or get theirs later, and the first exchange
 * does. An answer is complete once it no longer changes, since nothing says which marker means that one is being
 * written.
 *
 * @param origin such as `https://chat.example`
 */
export function taughtSite(
  origin: string,
  selectors: Readonly<Record<string, readonly string[]>>,
): SiteDescription {
  const of = (part: TaughtPart) => selectors[part] ?? [];
  const { host } = new URL(origin);
  return {
    id: `taught:${host}`,
    name: host,
    matches: [`${origin}/*`],
    conversation: '^(/(?:[^/]+/)*[^/]*\\d[^/]*)/?$',
    namedByContent: true,
    selectors: {
      userTurn: of('userTurn'),
      assistantTurn: of('assistantTurn'),
      composer: of('composer'),
      sendButton: of('sendButton'),
      busy: [],
    },
    messageId: ['data-message-id'],
    leaveOut: ['.sr-only', '.visually-hidden'],
  };
}
