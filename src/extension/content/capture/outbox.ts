import { type SkeinError, toSkeinError } from '../../../core/errors.ts';
import type { CaptureBatch, CapturedTurn } from '../../messages.ts';
import { ExtensionGoneError, type ExtensionPort } from '../extension-port.ts';

/** Turns one message carries at most. */
const BATCH = 50;
/** Milliseconds before the first repetition; each further one waits twice as long, up to `LONGEST_WAIT`. */
const FIRST_WAIT = 2_000;
const LONGEST_WAIT = 60_000;

/** What a batch says of its conversation. */
export type Conversation = Omit<CaptureBatch, 'turns'>;

export interface OutboxEvents {
  /** Turns became durable; `added` of them were new. */
  kept(conversation: string, added: number): void;
  failed(error: SkeinError): void;
  gone(): void;
}

/** Turns on their way: each stays until the extension says that it is durable, and is sent again until then. */
export class Outbox {
  readonly #waiting = new Map<string, { of: Conversation; turns: Map<string, CapturedTurn> }>();
  #sending = false;
  #wait = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly port: ExtensionPort,
    private readonly events: OutboxEvents,
    private readonly firstWait = FIRST_WAIT,
  ) {}

  add(of: Conversation, turns: readonly CapturedTurn[]): void {
    const waiting = this.#waiting.get(of.conversation) ?? { of, turns: new Map<string, CapturedTurn>() };
    waiting.of = of;
    for (const turn of turns) waiting.turns.set(turn.key, turn);
    this.#waiting.set(of.conversation, waiting);
    if (this.#timer === undefined) void this.#send();
  }

  /** Sends what waits now, whenever it was to be sent again. */
  hurry(): void {
    clearTimeout(this.#timer);
    void this.#send();
  }

  /** Forgets everything, sent or not. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting.clear();
  }

  async #send(): Promise<void> {
    if (this.#sending) return;
    this.#sending = true;
    this.#timer = undefined;
    try {
      for (let batch = this.#next(); batch; batch = this.#next()) {
        const { added } = await this.port.request({ kind: 'capture', batch });
        this.#acknowledge(batch);
        this.#wait = 0;
        this.events.kept(batch.conversation, added);
      }
    } catch (error) {
      this.#retryAfter(error);
    } finally {
      this.#sending = false;
    }
  }

  #next(): CaptureBatch | undefined {
    const waiting = this.#waiting.values().next().value;
    return waiting && { ...waiting.of, turns: [...waiting.turns.values()].slice(0, BATCH) };
  }

  /** A turn that was changed while its batch was on the way stays. */
  #acknowledge({ conversation, turns }: CaptureBatch): void {
    const waiting = this.#waiting.get(conversation);
    if (!waiting) return;
    for (const turn of turns) if (waiting.turns.get(turn.key) === turn) waiting.turns.delete(turn.key);
    if (waiting.turns.size === 0) this.#waiting.delete(conversation);
  }

  #retryAfter(error: unknown): void {
    if (error instanceof ExtensionGoneError) {
      this.clear();
      this.events.gone();
      return;
    }
    this.events.failed(toSkeinError(error));
    this.#wait = Math.min(Math.max(this.firstWait, this.#wait * 2), LONGEST_WAIT);
    this.#timer = setTimeout(() => void this.#send(), this.#wait);
  }
}
