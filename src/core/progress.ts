/** How far a long piece of work has come. `done` and `total` count `unit`s. */
export interface Progress {
  readonly done: number;
  readonly total: number;
  /** Units a second over the last few seconds; 0 until known. */
  readonly rate: number;
  /** Seconds left at that rate; undefined until known. */
  readonly secondsLeft?: number;
}

/** Turns counts into `Progress`, with a rate taken over a sliding window. */
export class ProgressMeter {
  private readonly samples: { at: number; done: number }[] = [];
  constructor(
    private readonly total: number,
    private readonly windowMs = 10_000,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** The progress once `done` units are finished. */
  at(done: number): Progress {
    const now = this.now();
    this.samples.push({ at: now, done });
    while (this.samples.length > 2 && now - this.samples[0]!.at > this.windowMs) this.samples.shift();
    const first = this.samples[0]!;
    const seconds = (now - first.at) / 1000;
    const rate = seconds > 0 ? (done - first.done) / seconds : 0;
    return rate > 0
      ? { done, total: this.total, rate, secondsLeft: (this.total - done) / rate }
      : { done, total: this.total, rate: 0 };
  }
}
