/**
 * The one test command: types and style, unit tests, tests in the browser, and the built site end to end. Each part
 * runs whatever the others said. The last line sums up: `N passed, M failed`.
 */
import { execFile, spawn } from 'node:child_process';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { findChrome } from '../test/chromium.ts';

const REPORTS = '.cache/test-reports';

interface Tally {
  readonly passed: number;
  readonly failed: number;
}

/** Part of vitest's JSON report. */
interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numFailedTestSuites: number;
}

/** Part of Playwright's JSON report. */
interface PlaywrightReport {
  readonly errors: readonly unknown[];
  readonly stats: { readonly expected: number; readonly flaky: number; readonly unexpected: number };
}

/** Runs a command with its output on the terminal, and resolves with whether it ended well. */
function run(command: string, args: readonly string[], env: Record<string, string> = {}): Promise<boolean> {
  console.log(`\n> ${command} ${args.join(' ')}`);
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, ...env } });
    child.on('error', (error) => {
      console.error(error.message);
      resolve(false);
    });
    child.on('close', (code) => resolve(code === 0));
  });
}

/** Runs a command as `run` does, but shows its output once it has ended: another one is on the terminal meanwhile. */
function runAside(command: string, args: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(command, args, { maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      const said = [stdout, stderr, ...(error ? [error.message.split('\n', 1)[0]!] : [])].map((text) =>
        text.trim(),
      );
      console.log([`\n> ${command} ${args.join(' ')}`, ...said].filter((text) => text !== '').join('\n'));
      resolve(!error);
    });
  });
}

/** Checks of which each is one test: it passes or fails as a whole. */
async function checks(...commands: readonly (readonly [string, ...string[]])[]): Promise<Tally> {
  let passed = 0;
  for (const [command, ...args] of commands) if (await runAside(command, args)) passed++;
  return { passed, failed: commands.length - passed };
}

/** The counts of a runner; one that broke off, or failed without naming a test, counts as a failure of its own. */
async function counted(good: boolean, file: string, read: (json: string) => Tally): Promise<Tally> {
  const tally = await readFile(file, 'utf8').then(read, () => ({ passed: 0, failed: 0 }));
  return good || tally.failed > 0 ? tally : { ...tally, failed: 1 };
}

async function vitest(project: string): Promise<Tally> {
  const report = `${REPORTS}/vitest-${project}.json`;
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const good = await run('npx', ['vitest', 'run', '--project', project, ...reporters]);
  return counted(good, report, (json) => {
    const { numPassedTests, numFailedTests, numFailedTestSuites }: VitestReport = JSON.parse(json);
    return { passed: numPassedTests, failed: Math.max(numFailedTests, Math.min(1, numFailedTestSuites)) };
  });
}

async function playwright(): Promise<Tally> {
  const report = `${REPORTS}/playwright.json`;
  const good = await run('npx', ['playwright', 'test', '--reporter=list,json'], {
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
  });
  return counted(good, report, (json) => {
    const { errors, stats }: PlaywrightReport = JSON.parse(json);
    return { passed: stats.expected + stats.flaky, failed: stats.unexpected + Math.min(1, errors.length) };
  });
}

/** Where there is no Chrome or Chromium and this is Debian with the right to install, installs one. */
async function ensureChrome(): Promise<boolean> {
  if (findChrome()) return true;
  if (process.platform === 'linux' && process.getuid?.() === 0) {
    await run('apt-get', ['update', '-q']);
    await run('apt-get', ['install', '-qy', '--no-install-recommends', 'chromium']);
  }
  if (findChrome()) return true;
  console.error('No Chrome or Chromium was found. Install one, or name its path in SKEIN_CHROME.');
  return false;
}

const hasChrome = await ensureChrome();
// A report of an earlier run must not speak for this one.
await rm(REPORTS, { recursive: true, force: true });
await mkdir(REPORTS, { recursive: true });
const noBrowser: Tally = { passed: 0, failed: 1 };
const tallies = [
  // Side by side, since no unit test minds to wait.
  ...(await Promise.all([checks(['npx', 'tsc', '-p', '.'], ['npx', 'biome', 'check', '.']), vitest('unit')])),
  // Side by side: either keeps about one core busy, and waits now and then.
  ...(hasChrome ? await Promise.all([vitest('browser'), playwright()]) : [noBrowser, noBrowser]),
];
const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0);
const failed = tallies.reduce((sum, tally) => sum + tally.failed, 0);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
