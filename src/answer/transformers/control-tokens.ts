/**
 * `text` in which no control token of a model is left: a tokenizer reads one as such wherever it stands, also in what a
 * person wrote. A space behind its first character makes it ordinary text.
 */
export function withoutControlTokens(text: string, controlTokens: readonly string[]): string {
  return controlTokens.reduce(
    (safe, token) => safe.replaceAll(token, () => `${token.slice(0, 1)} ${token.slice(1)}`),
    text,
  );
}
