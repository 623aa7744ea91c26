import type { Generation } from '../answer-engine.ts';
import type { LanguageModel } from './language-model.ts';

/** U+FFFD at the end: bytes of a character whose others are still to come. */
const UNFINISHED = /\ufffd$/;

/** An answer as it comes, token by token: its text, passed on in pieces that stay as they are. */
export class TextPieces {
  private readonly tokens: number[] = [];
  private text = '';
  private firstTokenMs: number | undefined;

  constructor(
    private readonly language: Pick<LanguageModel, 'decode'>,
    private readonly started: number,
    private readonly onText: (piece: string) => void = () => {},
  ) {}

  add(token: number): void {
    this.tokens.push(token);
    const text = this.language.decode(this.tokens);
    if (!UNFINISHED.test(text)) this.show(text);
  }

  end(): Pick<Generation, 'text' | 'tokens' | 'firstTokenMs'> {
    this.show(this.language.decode(this.tokens));
    const { text, tokens, firstTokenMs } = this;
    return { text, tokens: tokens.length, ...(firstTokenMs !== undefined && { firstTokenMs }) };
  }

  private show(text: string): void {
    const piece = text.slice(this.text.length);
    if (piece === '') return;
    this.firstTokenMs ??= performance.now() - this.started;
    this.text += piece;
    this.onText(piece);
  }
}
