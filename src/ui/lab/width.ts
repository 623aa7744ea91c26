import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** The width of the host in pixels, for what is drawn to fit. */
export class Width implements ReactiveController {
  value = 640;
  private readonly observer = new ResizeObserver(([entry]) => {
    const width = Math.round(entry!.contentRect.width);
    if (width === 0 || width === this.value) return;
    this.value = width;
    this.host.requestUpdate();
  });

  constructor(private readonly host: ReactiveControllerHost & Element) {
    host.addController(this);
  }

  hostConnected(): void {
    this.observer.observe(this.host);
  }

  hostDisconnected(): void {
    this.observer.disconnect();
  }
}
