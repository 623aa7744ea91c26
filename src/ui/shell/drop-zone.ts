import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { type DroppedFile, droppedFiles } from './dropped-files.ts';

/** Takes files and folders dropped anywhere on the page; `over` is true while some hang above it. */
export class DropZone implements ReactiveController {
  over = false;
  private depth = 0;

  constructor(
    private readonly host: ReactiveControllerHost,
    private readonly onFiles: (files: DroppedFile[]) => void,
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    for (const [kind, listener] of this.listeners) window.addEventListener(kind, listener);
  }

  hostDisconnected(): void {
    for (const [kind, listener] of this.listeners) window.removeEventListener(kind, listener);
  }

  private readonly listeners: readonly [string, (event: Event) => void][] = [
    ['dragenter', (event) => this.enter(event as DragEvent, 1)],
    ['dragleave', (event) => this.enter(event as DragEvent, -1)],
    ['dragover', (event) => carriesFiles(event as DragEvent) && event.preventDefault()],
    ['drop', (event) => this.drop(event as DragEvent)],
  ];

  private enter(event: DragEvent, step: number): void {
    if (!carriesFiles(event)) return;
    this.depth = Math.max(0, this.depth + step);
    this.show(this.depth > 0);
  }

  private drop(event: DragEvent): void {
    this.depth = 0;
    this.show(false);
    if (!carriesFiles(event)) return;
    event.preventDefault();
    void droppedFiles(event.dataTransfer!).then((files) => {
      if (files.length > 0) this.onFiles(files);
    });
  }

  private show(over: boolean): void {
    if (over === this.over) return;
    this.over = over;
    this.host.requestUpdate();
  }
}

function carriesFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') ?? false;
}
