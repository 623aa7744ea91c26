import { sha256 } from '../bench/canonical.ts';
import { comparable } from '../bench/evidence.ts';
import { SkeinError } from '../core/errors.ts';
import {
  type Checkpoint,
  type Corpus,
  type History,
  type Matter,
  PROBE_TYPES,
  type Probe,
  type ReplayTurn,
} from './corpus.ts';
import { corpusProblems } from './corpus-checks.ts';

/** The first line's `format`. */
export const CORPUS_FORMAT = 'skein-lsrep';

const DAY = 86_400_000;
/** Turns of one day stand two minutes apart, from nine o'clock on. */
const MORNING = 9 * 3_600_000;
const TURN_APART = 120_000;

interface OpenHistory {
  readonly id: string;
  readonly title: string;
  readonly start: string;
  readonly turns: ReplayTurn[];
  readonly checkpoints: Checkpoint[];
  readonly matters: Matter[];
  readonly probes: Probe[];
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads a corpus: JSON Lines whose first line is `{"kind":"corpus","format":"skein-lsrep","name":...}`, then for each
 * history a line `history` and below it its lines `turn`, `checkpoint`, `matter` and `probe` (see docs/lsrep.md).
 * Throws `bad-file` that names the line, or, when the corpus breaks a rule of the protocol, every place that does.
 */
export async function readCorpus(text: string, file: string): Promise<Corpus> {
  let name: string | undefined;
  const histories: OpenHistory[] = [];
  for (const [i, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const at = new Line(`${file}:${i + 1}`, parse(line, `${file}:${i + 1}`));
    const kind = at.text('kind');
    if (name === undefined) {
      if (kind !== 'corpus' || at.text('format') !== CORPUS_FORMAT) at.fail('it is no LSREP corpus');
      name = at.text('name');
    } else if (kind === 'history') {
      const head = { id: at.text('id'), title: at.text('title'), start: at.text('start') };
      if (!/^\d{4}-\d\d-\d\d$/.test(head.start)) at.fail(`its start "${head.start}" is not YYYY-MM-DD`);
      histories.push({ ...head, turns: [], checkpoints: [], matters: [], probes: [] });
    } else {
      readLine(at, kind, histories.at(-1) ?? at.fail('no history stands before it'));
    }
  }
  if (name === undefined) throw new SkeinError('bad-file', `${file} is empty.`, 'Give a corpus of LSREP.');
  const problems = histories.flatMap(corpusProblems);
  if (problems.length > 0) {
    throw new SkeinError('bad-file', `${file}: ${problems.join('; ')}.`, 'Correct the corpus.');
  }
  return { name, histories: histories as readonly History[], hash: await sha256(text) };
}

function readLine(at: Line, kind: string, history: OpenHistory): void {
  switch (kind) {
    case 'turn':
      history.turns.push(readTurn(at, history));
      return;
    case 'checkpoint':
      history.checkpoints.push({ name: at.text('name'), turns: at.count('turns'), day: at.count('day') });
      return;
    case 'matter':
      history.matters.push(readMatter(at, history));
      return;
    case 'probe':
      history.probes.push(readProbe(at));
      return;
    default:
      at.fail(`its kind "${kind}" is unknown`);
  }
}

function readTurn(at: Line, history: OpenHistory): ReplayTurn {
  const role = at.text('role');
  if (role !== 'user' && role !== 'model') return at.fail(`its role "${role}" is neither user nor model`);
  const day = at.count('day');
  const conversation = at.text('conversation');
  let sameDay = 0;
  for (let i = history.turns.length - 1; i >= 0 && history.turns[i]!.day === day; i--) sameDay++;
  const time = Date.parse(history.start) + day * DAY + MORNING + sameDay * TURN_APART;
  return { role, text: at.text('text'), day, conversation, source: conversation, time };
}

/** Evidence may leave its turn out: it is then the first turn that holds it word for word. */
function readMatter(at: Line, history: OpenHistory): Matter {
  const versions = at.list('versions').map((version) => {
    const own = at.within(version);
    const evidence = own.list('evidence').map((one) => {
      const { turn, text } = typeof one === 'string' ? { turn: undefined, text: one } : (one as Fields);
      if (typeof text !== 'string') return own.fail('evidence has no text');
      const wanted = comparable(text);
      const found =
        typeof turn === 'number'
          ? turn
          : history.turns.findIndex((candidate) => comparable(candidate.text).includes(wanted));
      return { turn: found, text };
    });
    return { accept: own.texts('accept'), evidence };
  });
  return {
    id: at.text('id'),
    terms: at.texts('terms'),
    versions,
    checkable: at.value('checkable') !== false,
  };
}

function readProbe(at: Line): Probe {
  const type = PROBE_TYPES.find((known) => known === at.value('type'));
  if (!type) return at.fail(`its type is none of ${PROBE_TYPES.join(', ')}`);
  return {
    id: at.text('id'),
    type,
    matter: at.text('matter'),
    origin: at.text('origin'),
    question: at.text('question'),
    ...(type === 'historical' && { version: at.count('version') }),
  };
}

function parse(line: string, place: string): Fields {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null) return value as Fields;
  } catch {
    // Told below, with its place.
  }
  throw new SkeinError('bad-file', `${place}: it is no JSON object.`, 'Give one object a line.');
}

/** Fields of one line; what is missing is told with the line's place. */
class Line {
  constructor(
    private readonly place: string,
    private readonly fields: Fields,
  ) {}

  value(name: string): unknown {
    return this.fields[name];
  }

  text(name: string): string {
    const value = this.fields[name];
    return typeof value === 'string' && value !== '' ? value : this.fail(`"${name}" is not a text`);
  }

  count(name: string): number {
    const value = this.fields[name];
    return typeof value === 'number' && Number.isInteger(value) && value >= 0
      ? value
      : this.fail(`"${name}" is not a number from 0`);
  }

  list(name: string): readonly unknown[] {
    const value = this.fields[name];
    return Array.isArray(value) ? value : this.fail(`"${name}" is not a list`);
  }

  texts(name: string): string[] {
    return this.list(name).map((one) =>
      typeof one === 'string' ? one : this.fail(`"${name}" holds no texts`),
    );
  }

  within(value: unknown): Line {
    return new Line(this.place, typeof value === 'object' && value !== null ? (value as Fields) : {});
  }

  fail(problem: string): never {
    throw new SkeinError('bad-file', `${this.place}: ${problem}.`, 'Correct the line.');
  }
}
