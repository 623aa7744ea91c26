import type { Thread } from '../thread.ts';
import { ICE } from './constants.ts';

/** A piece of a document that was put into the conversation. */
export interface Chunk {
  readonly turn: number;
  readonly text: string;
}

/** A fenced block with fewer words is no document. */
const DOCUMENT_WORDS = 30;

/** Files and long pastes of a thread, cut into chunks of whole lines. */
export class DocumentStore {
  readonly chunks: Chunk[] = [];
  private seen = 0;

  extend(thread: Thread): void {
    for (; this.seen < thread.size; this.seen++) {
      const { role, text } = thread.at(this.seen);
      if (role === 'user') for (const document of documentsIn(text)) this.add(document, this.seen);
    }
  }

  private add(text: string, turn: number): void {
    let open: string[] = [];
    let words = 0;
    const close = () => {
      if (open.length > 0) this.chunks.push({ turn, text: open.join('\n') });
      open = [];
      words = 0;
    };
    for (const line of text.split('\n')) {
      if (line.trim() === '') continue;
      const own = countWords(line);
      if (words > 0 && words + own > ICE.chunkWords) close();
      open.push(line);
      words += own;
    }
    close();
  }
}

/** The texts of the fenced blocks that are long enough. */
function documentsIn(text: string): string[] {
  const blocks = [...text.matchAll(/```[^\n]*\n([\s\S]*?)(?:```|$)/g)].map(([, block]) => block!.trim());
  return blocks.filter((block) => countWords(block) >= DOCUMENT_WORDS);
}

function countWords(text: string): number {
  return text.split(/\s+/).length;
}
