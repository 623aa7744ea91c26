import { SkeinError } from '../../core/errors.ts';

const LOSS_IS_TOLD_MS = 100;

/**
 * The GPU device under a model. web-llm's own promises may never settle once it is lost, so every wait on the GPU
 * runs in a race with the loss.
 */
export class WatchedDevice {
  private device: GPUDevice | undefined;
  private readonly loss = Promise.withResolvers<never>();
  private state: 'starting' | 'ready' | 'lost' | 'closed' = 'starting';

  /** `onLost` is called when the device is taken away from a model that was ready. */
  constructor(private readonly onLost: (error: SkeinError) => void) {
    this.loss.promise.catch(() => {});
  }

  watch(device: GPUDevice): void {
    this.device = device;
    void device.lost.then(({ message }) => this.lose(message));
  }

  setReady(): void {
    if (this.state === 'starting') this.state = 'ready';
  }

  /** `work`, or a rejection with `device-lost` (or `out-of-memory` while the model starts) when the GPU goes. */
  async race<T>(work: Promise<T>): Promise<T> {
    try {
      return await Promise.race([this.loss.promise, work]);
    } catch (error) {
      // A loss breaks what is under way first, and is told afterwards.
      await Promise.race([this.loss.promise, sleep(LOSS_IS_TOLD_MS)]);
      throw error;
    }
  }

  /** From here on a loss is our own doing. */
  close(): void {
    if (this.state !== 'lost') this.state = 'closed';
  }

  /** Gives the GPU's memory back whatever web-llm holds of it. */
  destroy(): void {
    this.close();
    this.device?.destroy();
  }

  private lose(message: string): void {
    const { state } = this;
    if (state === 'closed' || state === 'lost') return;
    this.state = 'lost';
    const error = lossError(state, message);
    this.loss.reject(error);
    if (state === 'ready') this.onLost(error);
  }
}

/** TVM's runtime destroys its device when a buffer can't be had, which is how a lack of memory shows. */
function lossError(state: 'starting' | 'ready', message: string): SkeinError {
  return state === 'starting'
    ? new SkeinError(
        'out-of-memory',
        `The GPU went away while the model was put on it, most likely for lack of memory. ${message}`,
        'Close other tabs that use the GPU, or choose a smaller model.',
      )
    : new SkeinError(
        'device-lost',
        `The browser took the GPU away from the model. ${message}`,
        'Ask again: the model is loaded anew. If it goes on, choose a smaller model.',
      );
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
