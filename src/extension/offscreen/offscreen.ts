import { connectEngine } from '../../engine/client.ts';
import type { BackgroundNotice } from '../host/contract.ts';
import { Host } from '../host/host.ts';
import { Inbox } from '../inbox/inbox.ts';

/** After this long without a call the page goes, and the model's memory with it. */
const IDLE_MS = 5 * 60_000;
const LOOK_EVERY_MS = 30_000;

/** Chromium's page without a face: holds the engine while neither the side panel nor a tab with the app is open. */
const { api } = connectEngine();
const host = new Host(api, new Inbox());
host.listen();

setInterval(async () => {
  if (host.busy > 0 || performance.now() - host.idleSince < IDLE_MS) return;
  // Where the threads can't be read, nothing is being done with them.
  const threads = await api.listThreads().catch(() => []);
  const reading = threads.some(({ ingesting }) => ingesting);
  const notice: BackgroundNotice = { to: 'background', kind: 'idle' };
  if (!reading) await chrome.runtime.sendMessage(notice);
}, LOOK_EVERY_MS);
