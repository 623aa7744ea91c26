import { SkeinError } from '../../../src/core/errors.ts';
import { ExtensionGoneError, type ExtensionPort } from '../../../src/extension/content/extension-port.ts';
import type {
  Answers,
  CapturedTurn,
  CaptureState,
  OfferedEpisode,
  PageEvent,
  PageRequest,
} from '../../../src/extension/messages.ts';
import type { SiteDescription } from '../../../src/extension/sites/site.ts';

/** The extension as a page meets it, in memory: it keeps what it is sent, each key once. */
export class FakePort implements ExtensionPort {
  capture: CaptureState = 'on';
  episodes: OfferedEpisode[] = [];
  taught: SiteDescription | null = null;
  /** Capture requests that fail before one succeeds. */
  failures = 0;
  /** The extension was updated meanwhile. */
  gone = false;
  readonly requests: PageRequest[] = [];
  readonly #kept = new Map<string, CapturedTurn[]>();
  #listener: ((event: PageEvent) => Promise<unknown>) | undefined;

  /** What was kept is deleted. */
  forget(): void {
    this.#kept.clear();
  }

  /** Turns kept of a conversation, in the order in which they came. */
  kept(conversation: string): CapturedTurn[] {
    return this.#kept.get(conversation) ?? [];
  }

  /** Every conversation that something was kept of. */
  get conversations(): string[] {
    return [...this.#kept.keys()];
  }

  of<K extends PageRequest['kind']>(kind: K): Extract<PageRequest, { kind: K }>[] {
    return this.requests.filter((request) => request.kind === kind) as Extract<PageRequest, { kind: K }>[];
  }

  async request<K extends PageRequest['kind']>(request: Extract<PageRequest, { kind: K }>) {
    await Promise.resolve();
    if (this.gone) throw new ExtensionGoneError();
    // As messages do, so that nothing that cannot cross is sent.
    const copy = structuredClone(request) as PageRequest;
    this.requests.push(copy);
    return this.#answer(copy) as Answers[K];
  }

  listen(listener: (event: PageEvent) => Promise<unknown>): () => void {
    this.#listener = listener;
    return () => {
      this.#listener = undefined;
    };
  }

  /** Tells the page something. */
  async emit(event: PageEvent): Promise<unknown> {
    return this.#listener?.(event);
  }

  async setCapture(capture: CaptureState): Promise<void> {
    this.capture = capture;
    await this.emit({ kind: 'capture-changed', state: { capture, kept: 0 } });
  }

  #answer(request: PageRequest): Answers[PageRequest['kind']] {
    switch (request.kind) {
      case 'taught-site':
        return this.taught;
      case 'page-state':
        return { capture: this.capture, kept: this.kept(request.conversation).length };
      case 'set-capture':
        this.capture = request.capture;
        return { capture: this.capture, kept: 0 };
      case 'capture':
        return this.#keep(request.batch.conversation, request.batch.turns);
      case 'hint':
        return { episodes: this.episodes.length };
      case 'recall':
        return { episodes: this.episodes };
      default:
        return null;
    }
  }

  #keep(conversation: string, turns: readonly CapturedTurn[]): Answers['capture'] {
    if (this.failures > 0) {
      this.failures--;
      throw new SkeinError('quota', 'The storage is full.', 'Delete something.');
    }
    const kept = this.kept(conversation);
    const added = turns.filter(({ key }) => !kept.some((turn) => turn.key === key));
    this.#kept.set(conversation, [...kept, ...added]);
    return { added: added.length, known: turns.length - added.length };
  }
}

/** An episode as it is offered, of one exchange. */
export function episode(question: string, answer: string, from = 0): OfferedEpisode {
  const turns = [
    { turn: from, role: 'user' as const, text: question },
    { turn: from + 1, role: 'model' as const, text: answer },
  ];
  return { at: Date.UTC(2026, 2, 3, 12), turns };
}
