import { toSkeinError } from '../src/core/errors.ts';

/** Runs a command; what it throws goes to standard error and makes the exit status 1. */
export function runCommand(main: () => Promise<void>): void {
  main().catch((error: unknown) => {
    const { message, remedy, code, stack } = toSkeinError(error);
    process.stderr.write(`\n${code === 'internal' ? stack : message}\n${remedy ? `${remedy}\n` : ''}`);
    process.exitCode = 1;
  });
}

/** One line of standard error that is written over, or now and then a new line where that is no terminal. */
export class StatusLine {
  private shownAt = 0;

  show(text: string): void {
    const now = performance.now();
    const { isTTY } = process.stderr;
    if (now - this.shownAt < (isTTY ? 200 : 15_000)) return;
    this.shownAt = now;
    process.stderr.write(isTTY ? `\r\x1b[K${text}` : `${text}\n`);
  }

  clear(): void {
    if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  }
}
