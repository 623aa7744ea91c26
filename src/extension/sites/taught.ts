import type { SiteDescription } from './site.ts';

/** The parts that a person points at on a site Skein does not know. */
export const TAUGHT_PARTS = ['userTurn', 'assistantTurn', 'composer', 'sendButton'] as const;
export type TaughtPart = (typeof TAUGHT_PARTS)[number];

/**
 * A site described by the selectors a person taught. Its whole path names the conversation, and an answer is
 * complete once it no longer changes, since nothing says which marker means that one is being written.
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
    conversation: '^(/.*)$',
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
