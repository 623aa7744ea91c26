import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** What tells of its changes; `listen` gives what ends it. */
export interface Source<Event> {
  listen(listener: (event: Event) => void): () => void;
}

/**
 * Keeps an element current: hears a source while the element is on the page. The source is one of the element's
 * properties, so it may come, or be another, after the element was connected.
 */
export class SourceListener<Event> implements ReactiveController {
  private stop: (() => void) | undefined;
  private heard: Source<Event> | undefined;

  /** `onEvent` says whether the element has to be drawn again. */
  constructor(
    private readonly host: ReactiveControllerHost,
    private readonly source: () => Source<Event> | undefined,
    private readonly onEvent: (event: Event) => boolean,
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    this.follow();
    // What changed while the element was away was not heard.
    this.host.requestUpdate();
  }

  hostUpdate(): void {
    this.follow();
  }

  hostDisconnected(): void {
    this.stop?.();
    this.stop = undefined;
    this.heard = undefined;
  }

  private follow(): void {
    const source = this.source();
    if (this.heard === source) return;
    this.hostDisconnected();
    this.heard = source;
    this.stop = source?.listen((event) => {
      if (this.onEvent(event)) this.host.requestUpdate();
    });
  }
}
