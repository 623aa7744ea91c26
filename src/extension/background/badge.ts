import type { PageState } from '../messages.ts';

/** The colours of woad and of undyed yarn (src/ui/design/tokens.css). */
const ON = '#15566a';
const PAUSED = '#75827c';

/** Shows on the icon how many turns of the tab's conversation are kept, or that capture is paused. */
export async function showBadge(tabId: number, state: PageState): Promise<void> {
  const { text, colour, title } = badgeOf(state);
  await Promise.all([
    chrome.action.setBadgeText({ tabId, text }),
    chrome.action.setBadgeBackgroundColor({ tabId, color: colour }),
    chrome.action.setBadgeTextColor({ tabId, color: '#ffffff' }),
    chrome.action.setTitle({ tabId, title }),
    // The tab may have been closed meanwhile.
  ]).catch(() => {});
}

export function badgeOf({ capture, kept }: PageState): { text: string; colour: string; title: string } {
  const turns = `${kept} ${kept === 1 ? 'turn' : 'turns'} of this conversation kept`;
  if (capture === 'paused') return { text: 'II', colour: PAUSED, title: `Skein: paused, ${turns}` };
  if (capture === 'off') return { text: '', colour: PAUSED, title: 'Skein: nothing is captured here' };
  return { text: shortCount(kept), colour: ON, title: `Skein: ${turns}` };
}

/** A badge has room for four characters. */
function shortCount(count: number): string {
  if (count === 0) return '';
  return count < 1_000 ? `${count}` : `${Math.floor(count / 1_000)}k`;
}
