import type {
  History,
  HistoryQuestion,
  HistorySet,
  LabelProblem,
  LabelProblemKind,
  Session,
} from './histories.ts';
import { jsonItems } from './json-items.ts';

/** What the numbers of `category` mean: not the order of the paper, but that of its evaluation code. */
export const LOCOMO_CATEGORIES: Readonly<Record<number, string>> = {
  1: 'multi-hop',
  2: 'temporal',
  3: 'open-domain',
  4: 'single-hop',
  5: 'adversarial',
};

/**
 * Reads LoCoMo as it was released (`locomo10.json`): a list of conversations of two people in dated sessions, with
 * questions about each. The first speaker is the user, the second one the model; every turn begins with the speaker's
 * name, and a shared picture stands there by its caption. Questions of category 5 have no answer in the conversation
 * and count as abstention. Throws `bad-file` when the file is no list.
 */
export function readLoCoMo(text: string, file: string): HistorySet {
  const histories: History[] = [];
  const problems: LabelProblem[] = [];
  for (const { text: item, line } of jsonItems(text, file)) {
    const place = `${file}:${line}`;
    try {
      const sample = JSON.parse(item) as Sample;
      histories.push(readSample(sample, `${place}, ${sample.sample_id}`, problems));
    } catch (error) {
      problems.push({ kind: 'unreadable', place, message: (error as Error).message });
    }
  }
  return { name: file, histories, problems };
}

interface Utterance {
  readonly speaker: string;
  readonly dia_id: string;
  readonly text: string;
  readonly blip_caption?: string;
}

interface Question {
  readonly question: string;
  readonly answer?: unknown;
  readonly adversarial_answer?: unknown;
  readonly evidence?: readonly string[];
  readonly category: number;
}

interface Sample {
  readonly sample_id: string;
  readonly conversation: Readonly<Record<string, unknown>>;
  readonly qa: readonly Question[];
}

function readSample(sample: Sample, place: string, problems: LabelProblem[]): History {
  const tell = (kind: LabelProblemKind, where: string, message: string) =>
    problems.push({ kind, place: `${place}, ${where}`, message });
  const { conversation, sample_id: id } = sample;
  if (typeof conversation !== 'object' || !Array.isArray(sample.qa))
    throw new Error('it has no conversation');
  const numbers = Object.keys(conversation)
    .flatMap((key) => /^session_(\d+)$/.exec(key)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
  const sessions = numbers.map((number) => readSession(conversation, number));
  for (const { id: own, turns } of sessions) if (turns.length === 0) tell('empty session', own, 'no turns');
  const places = new Map<string, { turn: number; session: string }>();
  let turn = 0;
  for (const session of sessions) {
    for (const { id: diaId } of session.turns) {
      if (diaId && !places.has(diaId)) places.set(diaId, { turn, session: session.id });
      turn++;
    }
  }
  const questions = sample.qa.map((question, i) => readQuestion(question, `${id}-${i}`, places, tell));
  return { id, sessions, questions };
}

function readSession(conversation: Readonly<Record<string, unknown>>, number: number): Session {
  const utterances = (conversation[`session_${number}`] ?? []) as readonly Utterance[];
  return {
    id: `session_${number}`,
    date: String(conversation[`session_${number}_date_time`] ?? ''),
    turns: utterances.map(({ speaker, dia_id, text, blip_caption }) => ({
      id: dia_id,
      role: speaker === conversation.speaker_b ? 'model' : 'user',
      text: `${speaker}: ${text}${blip_caption ? ` [shares a picture: ${blip_caption}]` : ''}`,
      evidence: false,
    })),
  };
}

function readQuestion(
  { question, answer, evidence, category }: Question,
  id: string,
  places: ReadonlyMap<string, { turn: number; session: string }>,
  tell: (kind: LabelProblemKind, where: string, message: string) => void,
): HistoryQuestion {
  const adversarial = category === 5;
  if (adversarial) tell('adversarial (category 5)', id, 'the conversation does not answer it');
  else if (answer === undefined || answer === '') tell('no answer', id, 'it has no answer');
  const found: { turn: number; session: string }[] = [];
  for (const label of (evidence ?? []).flatMap((one) => String(one).split(/[;,\s]+/)).filter(Boolean)) {
    const parts = /^D:?(\d+):0*(\d+)$/.exec(label);
    const own = parts && places.get(`D${parts[1]}:${parts[2]}`);
    if (!parts) tell('evidence id malformed', id, `"${label}" names no turn`);
    else if (!own) tell('evidence turn missing', id, `${label} is not in the conversation`);
    else found.push(own);
  }
  if (!adversarial && found.length === 0) tell('no evidence labelled', id, 'no turn is named');
  return {
    id,
    type: LOCOMO_CATEGORIES[category] ?? `category ${category}`,
    question,
    answer: answer === undefined ? '' : String(answer),
    abstention: adversarial,
    evidenceSessions: [...new Set(found.map(({ session }) => session))],
    evidenceTurns: [...new Set(found.map(({ turn }) => turn))].sort((a, b) => a - b),
  };
}
