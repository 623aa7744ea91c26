/** How long an answer may get, in tokens, as a person chose it on this device. */
export const ANSWER_LENGTHS = [
  { value: '100', label: 'Short' },
  { value: '400', label: 'Medium' },
  { value: '1200', label: 'Long' },
] as const;

const KEY = 'skein-answer-length';
const STANDARD = 400;
let chosenHere: string | undefined;

/** Most tokens of an answer. */
export function answerLength(): number {
  const stored = chosenHere ?? read();
  return ANSWER_LENGTHS.some(({ value }) => value === stored) ? Number(stored) : STANDARD;
}

export function chooseAnswerLength(value: string): void {
  chosenHere = value;
  try {
    localStorage.setItem(KEY, value);
  } catch {
    // Storage is denied: the choice holds until the page is closed.
  }
}

function read(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
