/** Runs pieces of work one after the other, in the order they were asked for. */
export class Mutex {
  private last: Promise<unknown> = Promise.resolve();

  /** Runs `work` once all earlier work has ended, whether well or not. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.last.then(work, work);
    this.last = result.catch(() => {});
    return result;
  }
}
