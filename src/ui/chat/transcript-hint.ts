import type { NewTurn } from '../../core/turn.ts';

/** Above this many characters a pasted text is one long turn; a conversation that long comes as a file. */
const LONGEST = 5_000_000;

/** The turns of a pasted conversation, or undefined when the text is none. The reader is loaded when needed. */
export async function recogniseTranscript(text: string): Promise<readonly NewTurn[] | undefined> {
  if (text.length > LONGEST) return undefined;
  const { detectTranscript } = await import('../../import/transcript.ts');
  return detectTranscript(text)?.turns;
}
