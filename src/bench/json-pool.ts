import { SkeinError } from '../core/errors.ts';
import { parseJson } from '../import/json.ts';
import type { BenchCase, BenchQuestion, CaseDialogue, Dialogue, Evidence } from './pool.ts';
import type { ProblemList } from './problem-list.ts';
import { type Fields, goldLetter, readAsked, readTurns, textField, textsField } from './record-fields.ts';

/** What a JSON or JSONL file holds, record by record, in the file's order. */
export interface JsonPool {
  readonly cases: readonly BenchCase[];
  readonly noise: readonly Dialogue[];
}

/** True when the first record of `text` is one of ours: a record, a world or a distractor. */
export function isJsonPool(text: string): boolean {
  const first = text.trimStart();
  if (!first.startsWith('{') && !first.startsWith('[')) return false;
  const head = first.slice(0, 100_000);
  return /"(?:dialogue|episodes)"\s*:/.test(head);
}

/**
 * Reads records (`dialogue` and `query`), worlds (`episodes` and `questions`) and distractors (`dialogue` alone)
 * from JSON Lines or a JSON list. A line that can't be read is named and costs nothing else.
 */
export function readJsonPool(text: string, file: string, problems: ProblemList): JsonPool {
  const cases: BenchCase[] = [];
  const noise: Dialogue[] = [];
  for (const { value, place } of recordsOf(text, file, problems)) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      problems.add('unreadable', place, 'it is not an object');
      continue;
    }
    const fields = value as Fields;
    if (fields.episodes !== undefined) pushIf(cases, readWorld(fields, place, problems));
    else if (fields.query !== undefined) pushIf(cases, readRecord(fields, place, problems));
    else pushIf(noise, readDialogue(fields, place, problems));
  }
  return { cases, noise };
}

interface PlacedRecord {
  readonly value: unknown;
  readonly place: string;
}

function recordsOf(text: string, file: string, problems: ProblemList): PlacedRecord[] {
  if (text.trimStart().startsWith('[')) {
    const list = parse(text, file, problems);
    return (Array.isArray(list) ? list : []).map((value, i) => ({
      value,
      place: `${file}, record ${i + 1}`,
    }));
  }
  const found: PlacedRecord[] = [];
  for (const [i, line] of text.split('\n').entries()) {
    const place = `${file}, line ${i + 1}`;
    if (line.trim() === '') continue;
    const value = parse(line, place, problems);
    if (value !== undefined) found.push({ value, place });
  }
  return found;
}

function parse(json: string, place: string, problems: ProblemList): unknown {
  try {
    return parseJson(json);
  } catch (error) {
    if (!(error instanceof SkeinError)) throw error;
    problems.add('unreadable', place, error.message);
    return undefined;
  }
}

function readDialogue(fields: Fields, place: string, problems: ProblemList): Dialogue | undefined {
  const turns = readTurns(fields.dialogue, 'role-first');
  if (typeof turns !== 'string') return { id: textField(fields, 'id') ?? place, turns };
  const empty = turns === 'holds no text';
  problems.add(empty ? 'empty-dialogue' : 'unreadable', place, `its dialogue ${turns}; it is left out`);
  return undefined;
}

function readRecord(fields: Fields, place: string, problems: ProblemList): BenchCase | undefined {
  const dialogue = readDialogue(fields, place, problems);
  if (!dialogue) return undefined;
  const evidence = textsField(fields, 'expected_doc', 'evidence').map((text) => ({
    dialogue: dialogue.id,
    text,
  }));
  const question = readQuestion({ id: dialogue.id, ...fields }, evidence, place, problems);
  return { id: dialogue.id, dialogues: [dialogue], questions: question ? [question] : [] };
}

function readWorld(fields: Fields, place: string, problems: ProblemList): BenchCase {
  const id = textField(fields, 'id') ?? place;
  const dialogues: CaseDialogue[] = [];
  for (const [i, raw] of listOf(fields.episodes).entries()) {
    const episode = raw as Fields;
    const dialogue = readDialogue(
      episode,
      `${place}, episode ${textField(episode, 'id') ?? i + 1}`,
      problems,
    );
    const day = typeof episode.day === 'number' ? { day: episode.day } : {};
    if (dialogue) dialogues.push({ ...dialogue, id: `${id}/${dialogue.id}`, ...day });
  }
  const questions: BenchQuestion[] = [];
  for (const [i, raw] of listOf(fields.questions).entries()) {
    const question = raw as Fields;
    const evidence = listOf(question.evidence).map((one) => {
      const { episode, text } = one as Fields;
      return { dialogue: `${id}/${episode}`, text: String(text) };
    });
    pushIf(questions, readQuestion(question, evidence, `${place}, question ${i + 1}`, problems));
  }
  return { id, dialogues, questions };
}

/** Reads the fields that every kind of question shares; a gold letter that is none costs the question. */
export function readQuestion(
  fields: Fields,
  evidence: readonly Evidence[],
  place: string,
  problems: ProblemList,
): BenchQuestion | undefined {
  const id = textField(fields, 'global_id', 'id', 'qid');
  if (id === undefined) {
    problems.add('unreadable', place, 'it has no id; it is left out');
    return undefined;
  }
  const named = `${place} (${id})`;
  const asked = readAsked(fields, named, problems);
  const answer = fields.expected_answer_keywords ?? fields.answer;
  const gold = goldLetter(answer);
  if (!asked) return undefined;
  if (!gold) {
    const shown = answer === undefined ? 'missing' : `${JSON.stringify(answer)}, not A to D`;
    problems.add('gold-letter', named, `its gold letter is ${shown}; it is left out`);
    return undefined;
  }
  return {
    id,
    ...asked,
    gold,
    evidence,
    stress: textsField(fields, 'stress', 'stress_cues', 'stress_types'),
    ...optional('topic', textField(fields, 'topic', 'domain')),
    ...optional('creator', textField(fields, 'creator')),
    ...optional('kind', textField(fields, 'kind')),
    ...optional('reasoning', textField(fields, 'reasoning', 'rationale')),
  };
}

function optional<K extends string>(name: K, value: string | undefined): { [key in K]?: string } {
  return value === undefined ? {} : ({ [name]: value } as { [key in K]?: string });
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : [];
}

function pushIf<T>(list: T[], item: T | undefined): void {
  if (item !== undefined) list.push(item);
}
