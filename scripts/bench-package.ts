import { type BenchPackage, type BuildOptions, buildPackage } from '../src/bench/builder.ts';
import { countProblems, type Pool, type PoolProblem } from '../src/bench/pool.ts';

const SHOWN_PROBLEMS = 20;

/** Builds a package and tells on standard error what it holds. */
export async function buildAndTell(pool: Pool, options: BuildOptions): Promise<BenchPackage> {
  const pkg = await buildPackage(pool, options);
  for (const { name, stats } of pkg.batches) {
    process.stderr.write(
      `${name}: ${stats.turns} turns, ${stats.tokens.toFixed(0)} tokens, ${stats.truthDialogues} dialogues of truth ` +
        `(${stats.evidenceDialogues} with evidence), ${stats.noiseDialogues} of noise, ${stats.questions} questions\n`,
    );
  }
  if (pkg.shortBy > 0) {
    process.stderr.write(
      `The distractors run out: ${pkg.shortBy.toFixed(0)} tokens short. Give more with --noise.\n`,
    );
  }
  process.stderr.write(`package ${pkg.hash} (${pkg.manifest.regime}, ${pkg.manifest.arrangement})\n`);
  return pkg;
}

/** Tells on standard error what of a pool could not be read. */
export function tellProblems(problems: readonly PoolProblem[]): void {
  if (problems.length === 0) return;
  for (const { place, message } of problems.slice(0, SHOWN_PROBLEMS))
    process.stderr.write(`${place}: ${message}\n`);
  const counts = Object.entries(countProblems(problems)).map(([kind, count]) => `${count} ${kind}`);
  process.stderr.write(`${problems.length} problems: ${counts.join(', ')}\n`);
}
