import { connectEngine } from '../../engine/client.ts';
import type { BackgroundNotice } from '../host/contract.ts';
import { Host } from '../host/host.ts';
import type { HostPlace } from '../host/host-place.ts';
import { someoneLeads } from '../host/leader.ts';
import { Inbox } from '../inbox/inbox.ts';
import { startBackground } from './background.ts';

/** What of Firefox's own API is used here. */
declare const browser: { readonly sidebarAction: { open(): Promise<void> } };

startBackground({ place: backgroundPage, openPanel: () => browser.sidebarAction.open() });

/** Firefox: the background is a page of its own, which holds the engine itself while no other page does. */
function backgroundPage(tell: (notice: BackgroundNotice) => Promise<void>): HostPlace {
  let running: { readonly host: Host; stop(): void } | undefined;
  return {
    async ensure() {
      if (running || (await someoneLeads())) return;
      const { api, stop } = connectEngine();
      running = { host: new Host(api, new Inbox(), { tell }), stop };
    },
    async yield() {
      running?.host.stop();
      running?.stop();
      running = undefined;
    },
    async answer(call) {
      return running?.host.leads ? running.host.reply(call) : undefined;
    },
  };
}
