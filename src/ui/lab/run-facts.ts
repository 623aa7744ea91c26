import type { QueryMode } from '../../bench/exchange.ts';
import type { BuildSummary, RunView } from '../../bench/lab/contract.ts';
import { counted } from '../format.ts';

/** How runs, lengths, systems and conditions are called on the page. */

/** A length in tokens as people say it: "32k tokens", "1M tokens". */
export function lengthName(tokens: number | undefined): string {
  if (tokens === undefined) return 'Everything in one thread';
  return `${shortLength(tokens)} tokens`;
}

export function shortLength(tokens: number): string {
  return tokens >= 1_000_000 ? `${round(tokens / 1_000_000)}M` : `${round(tokens / 1000)}k`;
}

/** The tokens that the threads of a package have: the target, or what there is where it was not reached. */
export function packageTokens({ manifest, batches }: Pick<BuildSummary, 'manifest' | 'batches'>): number {
  const longest = Math.max(0, ...batches.map(({ tokens }) => tokens));
  const { target } = manifest;
  return target !== undefined && longest > 0.9 * target ? target : longest;
}

/** What tells a run from others in a line: length, arrangement, questions, model. */
export function runFacts({ package: built, plan }: Pick<RunView, 'package' | 'plan'>): string {
  const { arrangement, masked, seed } = built.manifest;
  const questions = built.batches.reduce((sum, batch) => sum + batch.questions, 0);
  return [
    shortLength(packageTokens(built)),
    counted(questions, 'question'),
    counted(plan.systems.length, 'system'),
    ...(plan.modes.length > 1 ? ['asked in two ways'] : [modeName(plan.modes[0]!)]),
    arrangement,
    ...(masked ? ['masked'] : []),
    ...(plan.writeBack ? ['write-back'] : []),
    ...(plan.answer ? [`answers: ${plan.answer.model.title}`] : []),
    `seed ${seed}`,
  ].join(' · ');
}

export function modeName(mode: QueryMode): string {
  return mode === 'query' ? 'question alone' : 'with options';
}

export function capital(text: string): string {
  return text[0]!.toUpperCase() + text.slice(1);
}

function round(value: number): string {
  return String(Number(value.toFixed(value < 10 ? 1 : 0)));
}
