import type { Embedder, EmbedOptions } from '../embed/embedder.ts';

/** `embedder`, which tells how many texts it has embedded in all. */
export function observed(embedder: Embedder, onTexts: (done: number) => void): Embedder {
  let done = 0;
  const embed = async (texts: readonly string[], options: EmbedOptions) => {
    const before = done;
    const onProgress = (now: number) => {
      onTexts(before + now);
      options.onProgress?.(now);
    };
    const vectors = await embedder.embed(texts, { ...options, onProgress });
    done = before + texts.length;
    return vectors;
  };
  const { embedTokens } = embedder;
  return { stamp: embedder.stamp, embed, ...(embedTokens && { embedTokens: embedTokens.bind(embedder) }) };
}
