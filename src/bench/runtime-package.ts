import { TurnFinder } from './evidence.ts';
import { readQuestion } from './json-pool.ts';
import type { BenchCase, BenchQuestion, CaseDialogue, Dialogue, Evidence } from './pool.ts';
import type { ProblemList } from './problem-list.ts';
import { type PythonAssignment, readPythonLiterals } from './python-literal.ts';
import type { PythonValue } from './python-values.ts';
import { type Fields, readTurns, textField, textsField } from './record-fields.ts';

/** The texts of one released runtime folder; `batch` names it where a package has several. */
export interface RuntimeFiles {
  readonly testCases: string;
  readonly noise?: string;
  readonly folder: string;
  readonly batch?: string;
}

/** Reads `GROUND_TRUTH_HISTORY`, `EVALUATION_QUERIES` and `NOISE` of one runtime folder. */
export function readRuntimeFolder(
  files: RuntimeFiles,
  problems: ProblemList,
): { cases: BenchCase[]; noise: Dialogue[] } {
  const prefix = files.folder === '' ? '' : `${files.folder}/`;
  const cases = `${prefix}test_cases.py`;
  const truth = literals(files.testCases, cases, problems);
  const noise = literals(files.noise ?? '', `${prefix}processed_noise.py`, problems);
  const history = named(truth, 'GROUND_TRUTH_HISTORY', cases, problems);
  const queries = named(truth, 'EVALUATION_QUERIES', cases, problems);
  const scattered =
    files.noise === undefined ? undefined : named(noise, 'NOISE', `${prefix}processed_noise.py`, problems);
  const id = files.batch === undefined ? '' : `${files.batch}-`;
  const dialogues = history
    ? readDialogues(history, `${id}truth`, `${cases}, GROUND_TRUTH_HISTORY`, problems)
    : [];
  const questions = queries ? readQueries(queries, dialogues, cases, problems) : [];
  return {
    cases: groupCases(dialogues, questions, files.batch),
    noise: scattered
      ? readDialogues(scattered, `${id}noise`, `${prefix}processed_noise.py, NOISE`, problems)
      : [],
  };
}

function literals(
  source: string,
  file: string,
  problems: ProblemList,
): ReadonlyMap<string, PythonAssignment> {
  const read = readPythonLiterals(source);
  for (const { line, column, message } of read.problems) {
    problems.add('unreadable', `${file}, line ${line}, column ${column}`, message);
  }
  return read.assignments;
}

function named(
  assignments: ReadonlyMap<string, PythonAssignment>,
  name: string,
  file: string,
  problems: ProblemList,
): PythonAssignment | undefined {
  const found = assignments.get(name);
  if (found && Array.isArray(found.value)) return found;
  problems.add('missing-name', file, found ? `${name} is not a list` : `it does not define ${name}`);
  return undefined;
}

/** Dialogues of a list; a list of lists of dialogues (a batch each) is read as one list. */
function readDialogues(
  { value, lines }: PythonAssignment,
  prefix: string,
  place: string,
  problems: ProblemList,
): CaseDialogue[] {
  const found: CaseDialogue[] = [];
  const digits = String((value as PythonValue[]).length).length;
  for (const [i, raw] of (value as PythonValue[]).entries()) {
    const id = `${prefix}-${String(i + 1).padStart(digits, '0')}`;
    const parts = isNested(raw) ? raw : [raw];
    for (const [p, part] of parts.entries()) {
      const turns = readTurns(plain(part), 'text-first');
      if (typeof turns !== 'string') found.push({ id: parts === raw ? `${id}-${p + 1}` : id, turns });
      else {
        const kind = turns === 'holds no text' ? 'empty-dialogue' : 'unreadable';
        problems.add(kind, `${place}, line ${lines[i]}`, `dialogue ${i + 1} ${turns}; it is left out`);
      }
    }
  }
  return found;
}

/** True for a list of dialogues where one dialogue is due. */
function isNested(value: PythonValue): value is PythonValue[] {
  const turn = Array.isArray(value) ? value[0] : undefined;
  return Array.isArray(turn) && Array.isArray(turn[0]);
}

function readQueries(
  { value, lines }: PythonAssignment,
  dialogues: readonly CaseDialogue[],
  file: string,
  problems: ProblemList,
): { question: BenchQuestion; batch?: string }[] {
  const locate = evidenceLocator(dialogues);
  const found: { question: BenchQuestion; batch?: string }[] = [];
  for (const [i, raw] of (value as PythonValue[]).entries()) {
    const place = `${file}, line ${lines[i]}, query ${i + 1}`;
    const fields = plain(raw);
    if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
      problems.add('unreadable', place, 'it is not a dict; it is left out');
      continue;
    }
    const record = fields as Fields;
    const evidence = textsField(record, 'expected_doc', 'expected_docs', 'evidence').map((text) =>
      locate(text, i),
    );
    const question = readQuestion(record, evidence, place, problems);
    if (question) found.push({ question, batch: textField(record, 'batch_id', 'batch', 'batch_index') });
  }
  return found;
}

/**
 * Names the dialogue that holds an evidence text of query `index`. Where several hold it, the one of the query's
 * own number or of the evidence before it is meant: packages list dialogues and queries in the same order.
 */
function evidenceLocator(dialogues: readonly CaseDialogue[]): (text: string, index: number) => Evidence {
  const finders = dialogues.map(({ turns }) => new TurnFinder(turns));
  let last = -1;
  return (text, index) => {
    const holds = (i: number) => finders[i] !== undefined && finders[i].holding(text).length > 0;
    const near = [last, index, last + 1].find(holds);
    last = near ?? finders.findIndex((_, i) => holds(i));
    return { dialogue: dialogues[last]?.id ?? '', text };
  };
}

/** Dialogues that share a question become one case; so do the questions about them. */
function groupCases(
  dialogues: readonly CaseDialogue[],
  queries: readonly { question: BenchQuestion; batch?: string }[],
  batch: string | undefined,
): BenchCase[] {
  const root = new Map(dialogues.map(({ id }) => [id, id]));
  const find = (id: string): string => {
    let at = id;
    while (root.get(at) !== at) at = root.get(at)!;
    return at;
  };
  const homeOf = ({ evidence }: BenchQuestion) =>
    evidence.find(({ dialogue }) => root.has(dialogue))?.dialogue;
  for (const { question } of queries) {
    const home = homeOf(question);
    if (home === undefined) continue;
    for (const { dialogue } of question.evidence)
      if (root.has(dialogue)) root.set(find(dialogue), find(home));
  }
  const cases = new Map<string, { dialogues: CaseDialogue[]; questions: BenchQuestion[]; batch?: string }>();
  const caseOf = (id: string) => {
    const one = cases.get(id) ?? { dialogues: [], questions: [], batch };
    cases.set(id, one);
    return one;
  };
  for (const dialogue of dialogues) caseOf(find(dialogue.id)).dialogues.push(dialogue);
  for (const { question, batch: named } of queries) {
    const home = homeOf(question);
    const one = caseOf(home === undefined ? 'without evidence' : find(home));
    one.questions.push(question);
    one.batch ??= named;
  }
  return [...cases].map(([id, one]) => ({ id, ...one }));
}

/** A Python value in plain JavaScript: dicts as objects. */
function plain(value: PythonValue): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Map) {
    return Object.fromEntries([...value].map(([key, one]) => [String(key), plain(one)]));
  }
  return value;
}
