/** The sentences of `text` in order, as they are written, without the white space around them. */
export function sentences(text: string): string[] {
  splitter ??= new Intl.Segmenter('und', { granularity: 'sentence' });
  const found: string[] = [];
  for (const { segment } of splitter.segment(text)) {
    const sentence = segment.trim();
    if (sentence !== '') found.push(sentence);
  }
  return found;
}

let splitter: Intl.Segmenter | undefined;
