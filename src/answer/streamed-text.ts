import { SkeinError } from '../core/errors.ts';
import type { Generation } from './answer-engine.ts';

/**
 * The text of one answer as it crosses from the worker. A second try goes on where the first one broke off, if it says
 * the same so far: what was shown can't be taken back.
 */
export class StreamedText {
  private readonly started = performance.now();
  private shown = '';
  private tokens = 0;
  private firstTokenMs: number | undefined;
  private tries = 0;

  constructor(private readonly onText: (piece: string) => void = () => {}) {}

  /** Begins a try and gives what takes its pieces. */
  begin(): (piece: string) => void {
    const own = ++this.tries;
    let text = '';
    return (piece) => {
      text += piece;
      // Messages of an earlier try, or of one that has ended, may still be on their way.
      if (own === this.tries && text.startsWith(this.shown)) this.show(text.slice(this.shown.length));
    };
  }

  /** Shows what of the finished answer is still on its way. Throws `device-lost` where it differs from what was shown. */
  finish(done: Generation): Generation {
    this.tries++;
    if (!done.text.startsWith(this.shown)) {
      throw new SkeinError(
        'device-lost',
        'The GPU device was lost in the middle of the answer, and the second try went another way.',
        'Ask again.',
      );
    }
    this.show(done.text.slice(this.shown.length));
    return done;
  }

  /** The answer so far, after a stop that the engine did not confirm: its prompt's tokens are not known then. */
  interrupted(): Generation {
    this.tries++;
    return {
      text: this.shown,
      finish: 'interrupted',
      promptTokens: 0,
      tokens: this.tokens,
      ...(this.firstTokenMs !== undefined && { firstTokenMs: this.firstTokenMs }),
      milliseconds: performance.now() - this.started,
    };
  }

  private show(piece: string): void {
    if (piece === '') return;
    this.firstTokenMs ??= performance.now() - this.started;
    this.shown += piece;
    this.tokens++;
    this.onText(piece);
  }
}
