import type { AsOfChoice } from './records.ts';

// Not made where only `localDay` is used.
const DAY = /* @__PURE__ */ new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});

/** Up to when, in words: "14 March 2026", "turn 1,490". */
export function asOfLabel(choice: AsOfChoice): string {
  return choice.kind === 'turn' ? `turn ${choice.turns.toLocaleString('en')}` : dayLabel(choice.day);
}

/** A day as it is written, "2026-03-14", in words. */
export function dayLabel(day: string): string {
  const [year, month, date] = day.split('-').map(Number);
  return DAY.format(new Date(year!, month! - 1, date!));
}

/** The day of a time where this program runs, "2026-03-14". */
export function localDay(time: number): string {
  const at = new Date(time);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** The whole of a day, where this program runs. */
export function asOfDay(day: string): AsOfChoice {
  const [year, month, date] = day.split('-').map(Number);
  // The next midnight, which is not always 24 hours later.
  return { kind: 'day', day, before: new Date(year!, month! - 1, date! + 1).getTime() };
}

/**
 * A question as it stands in a thread and in a prompt: with the time that it was asked as of, since its answer may not
 * hold any more. One that says so already stays as it is.
 */
export function questionAsOf(question: string, choice: AsOfChoice | undefined): string {
  if (!choice || question.startsWith(prefixOf(choice))) return question;
  return `${prefixOf(choice)}${question}`;
}

/** The question alone. */
export function withoutAsOf(question: string, choice: AsOfChoice | undefined): string {
  return choice && question.startsWith(prefixOf(choice)) ? question.slice(prefixOf(choice).length) : question;
}

function prefixOf(choice: AsOfChoice): string {
  return `As of ${asOfLabel(choice)}: `;
}
