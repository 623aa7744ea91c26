import type { HostPlace } from '../host/host-place.ts';
import { someoneLeads } from '../host/leader.ts';

const PAGE = 'offscreen.html';

/** Chromium: an offscreen page holds the engine while no other page of the extension does. */
export function offscreenPlace(): HostPlace {
  let creating: Promise<void> | undefined;
  return {
    async ensure() {
      if (await someoneLeads()) return;
      creating ??= create().finally(() => {
        creating = undefined;
      });
      await creating;
    },
    async yield() {
      await creating?.catch(() => {});
      // Rejects where there is none.
      await chrome.offscreen.closeDocument().catch(() => {});
    },
  };
}

async function create(): Promise<void> {
  if (await chrome.offscreen.hasDocument()) return;
  await chrome.offscreen.createDocument({
    url: PAGE,
    reasons: ['WORKERS'],
    justification:
      'Runs the embedding model and the search over kept turns in workers, while no page of Skein is open.',
  });
}
