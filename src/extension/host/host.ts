import { toSkeinError } from '../../core/errors.ts';
import { unreachable } from '../../core/unreachable.ts';
import type { EngineApi, EngineEvent, TabRole } from '../../engine/contract.ts';
import { Drain } from '../inbox/drain.ts';
import { eraseSite } from '../inbox/erase.ts';
import type { Inbox } from '../inbox/inbox.ts';
import { withInboxLock } from '../inbox/lock.ts';
import { nextMove } from '../inbox/movable.ts';
import { type HostAnswers, type HostCall, type HostReply, isHostEnvelope, isOwnSender } from './contract.ts';
import { countFitting } from './offered.ts';
import { offer, recallFrom } from './recall.ts';

/** Longer than the page that leads takes for any answer: whoever answers first is heard. */
const LEAD_PATIENCE_MS = 60_000;

/**
 * Answers for the memory on behalf of the extension, in a page that holds an engine: the side panel, a tab with the
 * app, or the offscreen page. Of several such pages the one whose engine leads answers, and the others keep silent.
 */
export class Host {
  private readonly drain: Drain;
  private readonly ready: Promise<void>;
  private role: TabRole = 'reader';
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Calls that are being answered. */
  busy = 0;
  /** When the last call ended, in milliseconds since the page began. */
  idleSince = performance.now();

  /** `subscribe` tells the listener the role first, as the engine does. */
  constructor(
    private readonly engine: EngineApi,
    private readonly inbox: Inbox,
    subscribe: EngineApi['subscribe'] = (listener) => engine.subscribe(listener),
  ) {
    this.drain = new Drain(inbox, engine);
    this.ready = subscribe((event) => this.hear(event));
    this.ready.catch(() => {});
  }

  get leads(): boolean {
    return this.role === 'leader';
  }

  /** Answers calls from the extension's other parts until the returned function is called. */
  listen(): () => void {
    const onMessage = (
      message: unknown,
      sender: chrome.runtime.MessageSender,
      respond: (reply: unknown) => void,
    ): boolean => {
      if (!isHostEnvelope(message) || !isOwnSender(sender)) return false;
      void this.replyWhenLeading(message.call, respond);
      return true;
    };
    chrome.runtime.onMessage.addListener(onMessage);
    return () => chrome.runtime.onMessage.removeListener(onMessage);
  }

  /** The answer to a call, errors included. */
  async reply<K extends HostCall['kind']>(call: Extract<HostCall, { kind: K }>): Promise<HostReply<K>> {
    this.busy++;
    try {
      return { ok: true, value: (await this.answer(call)) as HostAnswers[K] };
    } catch (error) {
      const { code, message, remedy } = toSkeinError(error);
      return { ok: false, code, message, remedy };
    } finally {
      this.busy--;
      this.idleSince = performance.now();
    }
  }

  /**
   * A page that does not lead leaves the answer to the one that does, and takes it over with the lead: the one that
   * led may just have gone. Without either the caller hears so in the end.
   */
  private async replyWhenLeading(call: HostCall, respond: (reply: unknown) => void): Promise<void> {
    await this.ready.catch(() => {});
    const end = performance.now() + LEAD_PATIENCE_MS;
    while (!this.leads && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 250));
    respond(this.leads ? await this.reply(call) : undefined);
  }

  private async answer(call: HostCall): Promise<HostAnswers[HostCall['kind']]> {
    switch (call.kind) {
      case 'recall':
        return { episodes: await offer(this.engine, await this.recall(call.text)) };
      case 'hint':
        return { episodes: countFitting((await this.recall(call.text)).map(({ episode }) => episode)) };
      case 'drain':
        await this.move();
        return null;
      case 'erase-site':
        return { turns: await withInboxLock(() => eraseSite(this.inbox, this.engine, call.site)) };
      default:
        return unreachable(call);
    }
  }

  private async recall(text: string) {
    const threads = [await this.inbox.thread(), await this.inbox.recalledThread()];
    return recallFrom(this.engine, [...new Set(threads.filter((id) => id !== undefined))], text);
  }

  private hear(event: EngineEvent): void {
    if (event.kind === 'tab') {
      this.role = event.role;
      if (this.leads) void this.move().catch(() => {});
    }
    if (event.kind === 'threads' && this.leads) void this.forgetDeletedThread().catch(() => {});
  }

  /** Moves what waits in the inbox, and again when a question has waited long enough for its answer. */
  private async move(): Promise<void> {
    clearTimeout(this.timer);
    await this.drain.run();
    const wait = nextMove(await this.inbox.pending(), Date.now());
    if (wait === undefined) return;
    this.timer = setTimeout(() => void (this.leads && this.move().catch(() => {})), wait);
  }

  /** With the thread of captured turns goes everything that was captured, and what was about to come into it. */
  private async forgetDeletedThread(): Promise<void> {
    await withInboxLock(async () => {
      const threadId = await this.inbox.thread();
      if (threadId === undefined) return;
      const threads = await this.engine.listThreads();
      if (!threads.some(({ id }) => id === threadId)) await this.inbox.clear();
    });
  }
}
