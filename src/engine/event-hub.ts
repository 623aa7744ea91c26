import type { EngineEvent } from './contract.ts';

type Listener = (event: EngineEvent) => void;

/** Kinds of events that tell of a change in the database, and so concern the other tabs too. */
const SHARED: ReadonlySet<EngineEvent['kind']> = new Set(['threads', 'turns', 'episodes', 'asks']);

/** Tells the page, and by a BroadcastChannel the engines of other tabs, what has changed. */
export class EventHub {
  private readonly listeners = new Set<Listener>();
  private readonly channel: BroadcastChannel | undefined;

  /** `onForeign` hears what another tab has changed, before this tab's page does. */
  constructor(onForeign: Listener, channelName = 'skein-events') {
    this.channel = typeof BroadcastChannel === 'function' ? new BroadcastChannel(channelName) : undefined;
    if (!this.channel) return;
    this.channel.onmessage = ({ data }: MessageEvent<EngineEvent>) => {
      onForeign(data);
      this.tellPage(data);
    };
  }

  listen(listener: Listener): void {
    this.listeners.add(listener);
  }

  emit(event: EngineEvent): void {
    this.tellPage(event);
    if (SHARED.has(event.kind)) this.channel?.postMessage(event);
  }

  private tellPage(event: EngineEvent): void {
    for (const listener of this.listeners) listener(event);
  }
}
