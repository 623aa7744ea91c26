import { validatePool } from '../src/bench/validate.ts';
import { validationMarkdown } from '../src/bench/validation-tables.ts';
import { SkeinError } from '../src/core/errors.ts';
import { loadPool } from './bundled-pools.ts';
import { runCommand } from './command.ts';

const USAGE = `npm run validate-pool -- PLACE [DISTRACTORS...]
  PLACE is a bundled pool (scaleqa-dev, worlds-dev), a package's folder or ZIP, or a pool in JSON Lines.`;

runCommand(async () => {
  const [place, ...noise] = process.argv.slice(2);
  if (!place) throw new SkeinError('bad-argument', 'Which pool?', USAGE);
  const report = validatePool(await loadPool(place, noise.length > 0 ? noise : undefined));
  process.stdout.write(`${validationMarkdown(report)}\n`);
  if (report.checks.some(({ failures }) => failures.length > 0)) process.exitCode = 1;
});
