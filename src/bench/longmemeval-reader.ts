import type {
  History,
  HistorySet,
  LabelProblem,
  LabelProblemKind,
  Session,
  SessionTurn,
} from './histories.ts';
import { jsonItems } from './json-items.ts';

/**
 * Reads LongMemEval as it was released (`longmemeval_s_cleaned.json`, `longmemeval_oracle.json`): a list of questions,
 * each with a haystack of sessions of its own. What is known to be wrong with the labels is reported, and a record that
 * can't be read costs only itself. Throws `bad-file` when the file is no list.
 */
export function readLongMemEval(text: string, file: string): HistorySet {
  const histories: History[] = [];
  const problems: LabelProblem[] = [];
  for (const { text: item, line } of jsonItems(text, file)) {
    const place = `${file}:${line}`;
    try {
      const record = JSON.parse(item) as Record;
      histories.push(readRecord(record, `${place}, ${record.question_id}`, problems));
    } catch (error) {
      problems.push({ kind: 'unreadable', place, message: (error as Error).message });
    }
  }
  return { name: file, histories, problems };
}

interface Message {
  readonly role: string;
  readonly content: string;
  readonly has_answer?: boolean;
}

interface Record {
  readonly question_id: string;
  readonly question_type: string;
  readonly question: string;
  readonly answer: unknown;
  readonly question_date?: string;
  readonly haystack_session_ids: readonly string[];
  readonly haystack_dates?: readonly string[];
  readonly haystack_sessions: readonly (readonly Message[])[];
  readonly answer_session_ids: readonly string[];
}

function readRecord(record: Record, place: string, problems: LabelProblem[]): History {
  const tell = (kind: LabelProblemKind, message: string) => problems.push({ kind, place, message });
  const { question_id: id, haystack_session_ids: ids, haystack_sessions: given } = record;
  if (typeof id !== 'string' || typeof record.question !== 'string')
    throw new Error('it has no id or no question');
  if (!Array.isArray(given) || !Array.isArray(ids)) throw new Error('it has no haystack');
  const labelled = new Set(record.answer_session_ids ?? []);
  // An id says which sessions are evidence; where it stands twice, every session of that id counts.
  const evidenceSessions: string[] = [];
  const evidenceTurns: number[] = [];
  let turnsBefore = 0;
  const sessions = chronological(record).map(({ at, date }): Session => {
    const own = ids[at] ?? `session ${at}`;
    const before = ids.slice(0, at).filter((other) => other === own).length;
    if (before > 0) tell('duplicate session id', `session ${own} stands ${before + 1} times`);
    const unique = before > 0 ? `${own}#${before + 1}` : own;
    const turns = readTurns(given[at]!, (message) => tell('empty turn', `session ${own}: ${message}`));
    if (turns.length === 0) tell('empty session', `session ${own} has no turns`);
    if (labelled.has(own)) evidenceSessions.push(unique);
    turns.forEach(({ evidence }, turn) => {
      if (evidence) evidenceTurns.push(turnsBefore + turn);
    });
    turnsBefore += turns.length;
    return { id: unique, date, turns };
  });
  const abstention = id.endsWith('_abs');
  if (abstention) tell('abstention', 'nothing in the haystack answers it');
  for (const missing of [...labelled].filter((one) => !ids.includes(one))) {
    tell('evidence session missing', `session ${missing} is not in the haystack`);
  }
  if (!abstention && evidenceTurns.length === 0) tell('no evidence labelled', 'no turn is marked has_answer');
  return {
    id,
    sessions,
    questions: [
      {
        id,
        type: record.question_type,
        question: record.question,
        answer: String(record.answer),
        date: record.question_date,
        abstention,
        evidenceSessions,
        evidenceTurns,
      },
    ],
  };
}

/** Sessions by date; the oracle file has them in no order. Equal and missing dates keep the file's order. */
function chronological({ haystack_sessions: sessions, haystack_dates: dates }: Record) {
  const timed = sessions.map((_, at) => {
    const date = dates?.[at] ?? '';
    const parsed = Date.parse(date.replace(/\s*\(\w+\)\s*/, ' '));
    return { at, date, time: Number.isNaN(parsed) ? undefined : parsed };
  });
  if (timed.some(({ time }) => time === undefined)) return timed;
  return timed.sort((a, b) => a.time! - b.time! || a.at - b.at);
}

function readTurns(messages: readonly Message[], emptyTurn: (message: string) => void): SessionTurn[] {
  return messages.flatMap(({ role, content, has_answer }, i): SessionTurn[] => {
    if (typeof content !== 'string') throw new Error(`message ${i} has no content`);
    if (content.trim() === '') {
      emptyTurn(`message ${i} is empty`);
      return [];
    }
    return [{ role: role === 'user' ? 'user' : 'model', text: content, evidence: has_answer === true }];
  });
}
