import { comparable } from '../bench/evidence.ts';
import { establishedAt, type History, type Matter, type Probe } from './corpus.ts';
import { referenceAt } from './reference.ts';
import { namesValue } from './value.ts';

/** Every way in which a history breaks the protocol's rules, with its place. */
export function corpusProblems(history: History): string[] {
  return [
    ...orderProblems(history),
    ...history.matters.flatMap((matter) => matterProblems(history, matter)),
    ...history.probes.flatMap((probe) => probeProblems(history, probe)),
    ...repeated(history.id, 'probe', history.probes),
    ...repeated(history.id, 'matter', history.matters),
  ];
}

function orderProblems({ id, turns, checkpoints }: History): string[] {
  const problems: string[] = [];
  if (checkpoints.length === 0) problems.push(`${id}: it has no checkpoint`);
  turns.forEach((turn, i) => {
    if (i > 0 && turn.day < turns[i - 1]!.day)
      problems.push(`${id}, turn ${i}: its day comes before the last`);
  });
  checkpoints.forEach(({ name, turns: count, day }, i) => {
    const place = `${id}, checkpoint ${name}`;
    if (count > turns.length || count === 0) problems.push(`${place}: there are ${turns.length} turns`);
    if (i > 0 && count <= checkpoints[i - 1]!.turns) problems.push(`${place}: it takes no new turns`);
    if (day < (turns[count - 1]?.day ?? 0)) problems.push(`${place}: its day comes before its last turn's`);
    if (day > (turns[count]?.day ?? day)) problems.push(`${place}: its day comes after the next turn's`);
  });
  return problems;
}

/** Evidence stands where it is said to; versions come one after the other; the value is in its own evidence. */
function matterProblems({ id, turns }: History, matter: Matter): string[] {
  const problems: string[] = [];
  matter.versions.forEach((version, i) => {
    const place = `${id}, matter ${matter.id}, version ${i}`;
    if (version.evidence.length === 0 || version.accept.length === 0) {
      problems.push(`${place}: it has no evidence or no value`);
      return;
    }
    for (const { turn, text } of version.evidence) {
      if (!turns[turn] || !comparable(turns[turn].text).includes(comparable(text))) {
        problems.push(`${place}: "${text}" does not stand in turn ${turn}`);
      }
    }
    if (matter.checkable && !version.evidence.some(({ text }) => namesValue(text, version))) {
      problems.push(`${place}: its evidence does not name "${version.accept[0]}"`);
    }
    for (const other of matter.versions) {
      if (other !== version && version.accept.some((value) => namesValue(value, other))) {
        problems.push(`${place}: its value holds that of another version`);
      }
    }
    if (i > 0 && establishedAt(version) <= establishedAt(matter.versions[i - 1]!)) {
      problems.push(`${place}: it does not come after the version before`);
    }
  });
  return problems;
}

function probeProblems(history: History, probe: Probe): string[] {
  const place = `${history.id}, probe ${probe.id}`;
  const matter = history.matters.find(({ id }) => id === probe.matter);
  if (!matter) return [`${place}: there is no matter "${probe.matter}"`];
  const origin = history.checkpoints.find(({ name }) => name === probe.origin);
  if (!origin) return [`${place}: there is no checkpoint "${probe.origin}"`];
  const problems: string[] = [];
  try {
    referenceAt(history, probe, origin);
  } catch (error) {
    problems.push(`${place}: ${(error as Error).message}`);
  }
  if (matter.checkable && matter.versions.some((version) => namesValue(probe.question, version))) {
    problems.push(`${place}: its question holds an answer`);
  }
  return problems;
}

function repeated(id: string, kind: string, items: readonly { readonly id: string }[]): string[] {
  const seen = new Set<string>();
  return items
    .filter((item) => seen.size === seen.add(item.id).size)
    .map((item) => `${id}: two of its ${kind}s are called "${item.id}"`);
}
