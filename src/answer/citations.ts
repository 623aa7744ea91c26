/** A citation in an answer's text: characters `start` to `end - 1`. */
export interface Citation<Passage> {
  readonly start: number;
  readonly end: number;
  readonly passages: readonly Passage[];
}

/** `[1]`, `[1, 3]`, `[episode 2]`; not the text of a link. */
const MARK = /\[(?:episodes?\s+)?(\d{1,3}(?:\s*[,;]\s*\d{1,3})*)\](?!\()/gi;
/** Markdown code, where `[1]` is an index: a fenced block, open or closed, or a span. */
const CODE = /```[\s\S]*?(?:```|$)|`[^`\n]*`/g;

/** The citations in an answer, in its order. Numbers that no passage has are left out. */
export function citations<Passage extends { readonly number: number }>(
  text: string,
  passages: readonly Passage[],
): Citation<Passage>[] {
  const readable = text.replace(CODE, (code) => ' '.repeat(code.length));
  return [...readable.matchAll(MARK)].flatMap(({ 0: mark, 1: numbers, index: start }) => {
    const named = numbers!.split(/[,;]/).map(Number);
    const cited = passages.filter(({ number }) => named.includes(number));
    return cited.length > 0 ? [{ start, end: start + mark.length, passages: cited }] : [];
  });
}
