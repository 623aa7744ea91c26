import { unreachable } from '../../core/unreachable.ts';
import type { EngineApi, EngineEvent, TabRole } from '../../engine/contract.ts';
import { Drain } from '../inbox/drain.ts';
import type { Inbox } from '../inbox/inbox.ts';
import { nextMove } from '../inbox/movable.ts';
import { type Reply, replyWith, unwrapReply } from '../reply.ts';
import {
  type BackgroundNotice,
  type HostAnswers,
  type HostCall,
  isHostEnvelope,
  isOwnSender,
} from './contract.ts';
import { countFitting } from './offered.ts';
import { type Found, offer, recallFrom } from './recall.ts';

/** When a move that failed is tried again. */
const AGAIN_MS = 60_000;
/** So many of the last turns of a conversation stand before the person's eyes anyway. */
const IN_SIGHT = 40;

/** What a host needs of the page or worker it lives in. */
export interface HostPorts {
  /** Tells the listener the role first, as the engine does. */
  readonly subscribe: EngineApi['subscribe'];
  /** Tells the background; resolves once it has done what follows from it. */
  readonly tell: (notice: BackgroundNotice) => Promise<void>;
}

/**
 * Answers for the memory on behalf of the extension, in a page that holds an engine: the side panel, a tab with the
 * app, or the offscreen page. Of several such pages the one whose engine leads answers, and the others keep silent.
 */
export class Host {
  private readonly drain: Drain;
  private readonly tell: HostPorts['tell'];
  private role: TabRole = 'reader';
  private timer: ReturnType<typeof setTimeout> | undefined;
  private stopped = false;
  /** Calls that are being answered. */
  busy = 0;
  /** When the last call ended, in milliseconds since the page began. */
  idleSince = performance.now();

  constructor(
    private readonly engine: EngineApi,
    private readonly inbox: Inbox,
    { subscribe = (listener) => engine.subscribe(listener), tell = tellBackground }: Partial<HostPorts> = {},
  ) {
    this.drain = new Drain(inbox, engine);
    this.tell = tell;
    subscribe((event) => this.hear(event)).catch(() => {});
  }

  get leads(): boolean {
    return this.role === 'leader';
  }

  /** Neither leads nor moves anything any more: called before its engine is stopped, which a move would start again. */
  stop(): void {
    this.role = 'reader';
    this.stopped = true;
    clearTimeout(this.timer);
  }

  /** Answers calls from the extension's other parts until the returned function is called. */
  listen(): () => void {
    const onMessage = (
      message: unknown,
      sender: chrome.runtime.MessageSender,
      respond: (reply: unknown) => void,
    ): boolean => {
      // A page that does not lead leaves the answer to the one that does; where none does, the caller asks again.
      if (!isHostEnvelope(message) || !isOwnSender(sender) || !this.leads) return false;
      void this.reply(message.call).then(respond);
      return true;
    };
    chrome.runtime.onMessage.addListener(onMessage);
    return () => chrome.runtime.onMessage.removeListener(onMessage);
  }

  /** The answer to a call, errors included. */
  async reply(call: HostCall): Promise<Reply<HostAnswers[HostCall['kind']]>> {
    this.busy++;
    const reply = await replyWith(() => this.answer(call));
    this.busy--;
    this.idleSince = performance.now();
    return reply;
  }

  private async answer(call: HostCall): Promise<HostAnswers[HostCall['kind']]> {
    switch (call.kind) {
      case 'recall':
        return { episodes: await offer(this.engine, await this.recall(call)) };
      case 'hint':
        return { episodes: countFitting((await this.recall(call)).map(({ episode }) => episode)) };
      case 'drain':
        await this.move();
        return null;
      case 'erase-site': {
        const turns = await this.drain.erase(this.engine, call.site);
        await this.tell({ to: 'background', kind: 'erased' }).catch(() => {});
        return { turns };
      }
      default:
        return unreachable(call);
    }
  }

  private async recall({ text, beside }: Extract<HostCall, { text: string }>): Promise<readonly Found[]> {
    const captured = await this.inbox.thread();
    const threads = [captured, await this.inbox.recalledThread()];
    const found = await recallFrom(this.engine, [...new Set(threads.filter((id) => id !== undefined))], text);
    if (!beside) return found;
    const inSight = new Set(await this.inbox.latestTurns(beside.site, beside.conversation, IN_SIGHT));
    const isInSight = ({ threadId, episode }: Found) =>
      threadId === captured &&
      episode.decisive.length > 0 &&
      episode.decisive.every((turn) => inSight.has(turn));
    return found.filter((one) => !isInSight(one));
  }

  private hear(event: EngineEvent): void {
    if (event.kind === 'tab') {
      this.role = event.role;
      if (this.leads) void this.move().catch(() => {});
    }
    if (event.kind === 'threads' && this.leads) void this.forgetDeleted().catch(() => this.moveIn(AGAIN_MS));
  }

  /** Moves what waits in the inbox, and again when a question has waited long enough for its answer. */
  private async move(): Promise<void> {
    try {
      await this.forgetDeleted();
      await this.drain.run();
      this.moveIn(nextMove(await this.inbox.pending(), Date.now()));
    } catch (error) {
      this.moveIn(AGAIN_MS);
      throw error;
    }
  }

  private moveIn(milliseconds: number | undefined): void {
    if (this.stopped) return;
    clearTimeout(this.timer);
    if (milliseconds === undefined) return;
    this.timer = setTimeout(() => void (this.leads && this.move().catch(() => {})), milliseconds);
  }

  /** Who deletes the thread of captured turns does not want the next ones either: the background turns capture off. */
  private async forgetDeleted(): Promise<void> {
    const { tell } = this;
    if (await this.drain.forgetDeleted(() => tell({ to: 'background', kind: 'thread-deleted' })))
      await tell({ to: 'background', kind: 'erased' });
  }
}

async function tellBackground(notice: BackgroundNotice): Promise<void> {
  unwrapReply<void>(await chrome.runtime.sendMessage(notice));
}
