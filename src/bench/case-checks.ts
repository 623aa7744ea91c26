import { TurnFinder } from './evidence.ts';
import type { BenchCase, BenchQuestion, CaseDialogue } from './pool.ts';
import type { ProblemList } from './problem-list.ts';

/** The evidence texts of `question` that no single turn of the dialogue they name holds. */
export function missingEvidence(question: BenchQuestion, dialogues: readonly CaseDialogue[]): string[] {
  return question.evidence
    .filter(({ dialogue, text }) => {
      const held = dialogues.find((one) => one.id === dialogue);
      return !held || new TurnFinder(held.turns).holding(text).length === 0;
    })
    .map(({ text }) => text);
}

/** Cases as they came, less the questions that can't be scored; the problems name each that is left out. */
export function checkCases(cases: readonly BenchCase[], problems: ProblemList): BenchCase[] {
  const caseIds = new Set<string>();
  const questionIds = new Set<string>();
  const distinct = cases.filter(({ id }) => {
    if (!caseIds.has(id)) return caseIds.add(id);
    problems.add('duplicate-id', `record ${id}`, 'the id stands a second time; the later record is left out');
    return false;
  });
  return distinct.map((one) => ({
    ...one,
    questions: one.questions.filter((question) => isSound(question, one, questionIds, problems)),
  }));
}

function isSound(
  question: BenchQuestion,
  { dialogues }: BenchCase,
  seen: Set<string>,
  problems: ProblemList,
): boolean {
  const place = `question ${question.id}`;
  if (seen.has(question.id)) {
    problems.add('duplicate-id', place, 'the id stands a second time; the later question is left out');
    return false;
  }
  seen.add(question.id);
  if (question.evidence.length === 0) {
    problems.add('evidence-not-found', place, 'it names no evidence; it is left out');
    return false;
  }
  const missing = missingEvidence(question, dialogues);
  if (missing.length > 0) {
    const excerpt = missing[0]!.slice(0, 60);
    problems.add('evidence-not-found', place, `no turn holds the evidence "${excerpt}"; it is left out`);
    return false;
  }
  return true;
}
