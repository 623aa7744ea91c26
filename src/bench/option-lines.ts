import { LETTERS, type Letter } from './exchange.ts';

export interface AskedQuestion {
  readonly query: string;
  readonly options: Readonly<Record<Letter, string>>;
}

/** How a letter is set off from its option: "A. ", "A) ", "A: ", "A - ", "(A) ", "[A] ". */
const MARKS = [
  String.raw`\(([A-D])\)[.:]?`,
  String.raw`\[([A-D])\][.:]?`,
  String.raw`([A-D])\)`,
  String.raw`([A-D])\.`,
  '([A-D]):',
  String.raw`([A-D])[ \t]+[-–—](?=\s)`,
  String.raw`\(([a-d])\)[.:]?`,
  String.raw`([a-d])\)`,
  String.raw`([a-d])\.`,
];

const LINE_START = String.raw`(?:^|\n)[ \t]*(?:[-*•][ \t]+)?(?:option[ \t]+)?\**`;
const INLINE_START = String.raw`(?<=^|[\s;,.?!:|/])(?:[Oo]ption[ \t]+)?\**`;

interface Mark {
  readonly start: number;
  readonly end: number;
}

/**
 * Parts a question from the four options that stand in the same text, each on its line or all in a row. Undefined
 * when no four marks A to D of one kind are found in order.
 */
export function splitOptions(text: string): AskedQuestion | undefined {
  for (const onLines of [true, false]) {
    for (const mark of MARKS) {
      const marks = findMarks(text, mark, onLines);
      const split = marks && cut(text, marks, onLines);
      if (split) return split;
    }
  }
  return undefined;
}

/** The last four marks A to D in order, sought from the end: a question may hold an "A." of its own. */
function findMarks(text: string, mark: string, onLines: boolean): Mark[] | undefined {
  const pattern = new RegExp(
    `${onLines ? LINE_START : INLINE_START}${mark}\\**(?=\\s|\\S)`,
    onLines ? 'gi' : 'g',
  );
  const lower = /\[a-d\]/.test(mark);
  const all = [...text.matchAll(pattern)].map((match) => ({
    letter: match[1]!,
    start: match.index,
    end: match.index + match[0].length,
  }));
  const found: Mark[] = [];
  for (const letter of [...LETTERS].reverse()) {
    const wanted = lower ? letter.toLowerCase() : letter;
    const limit = found[0]?.start ?? Number.POSITIVE_INFINITY;
    const last = all.findLast((one) => one.letter === wanted && one.start < limit);
    if (!last) return undefined;
    found.unshift(last);
  }
  return found;
}

function cut(text: string, marks: readonly Mark[], onLines: boolean): AskedQuestion | undefined {
  const query = text
    .slice(0, marks[0]!.start)
    .replace(/(?:^|\n)[ \t]*\**(?:options|choices|answer options)\**[ \t]*:?\**\s*$/i, '')
    .trim();
  const parts = marks.map(({ end }, i) => text.slice(end, marks[i + 1]?.start).trim());
  const oneLine = parts.slice(0, 3).every((part) => !part.includes('\n'));
  const [last = '', ...after] = onLines && oneLine ? parts[3]!.split(/\n/) : [parts[3]!];
  parts[3] = last.trim();
  if (query === '' || parts.some((part) => part === '')) return undefined;
  const rest = after.join('\n').trim();
  const [A, B, C, D] = parts.map((part) => part.replace(/[;|]$/, '').trim()) as [
    string,
    string,
    string,
    string,
  ];
  return { query: rest === '' ? query : `${query}\n${rest}`, options: { A, B, C, D } };
}
