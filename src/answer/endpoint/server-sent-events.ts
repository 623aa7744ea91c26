import { SkeinError } from '../../core/errors.ts';

/** Most characters of one event; a chat server sends a few hundred. */
const MAX_EVENT = 4_000_000;

/**
 * The `data` of each server-sent event of `body`, in order (HTML standard, section 9.2). Lines may end in LF, CR or
 * CRLF and be cut anywhere, also inside a character; comments and other fields are skipped. An event that the end of
 * the stream leaves without its empty line counts, too: some servers forget it.
 */
export async function* readServerSentEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let data: string[] = [];
  for await (const line of readLines(body)) {
    if (line === '') {
      if (data.length > 0) yield data.join('\n');
      data = [];
      continue;
    }
    const [, name, value] = /^([^:]*):? ?(.*)$/s.exec(line)!;
    if (name === 'data') data.push(value!);
  }
  if (data.length > 0) yield data.join('\n');
}

/** Cancels `body` when the reader stops early. */
async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      // A CR at the end may be the first half of a CRLF.
      const whole = done || !rest.endsWith('\r') ? rest : rest.slice(0, -1);
      const lines = whole.split(/\r\n|\r|\n/);
      rest = lines.pop()! + rest.slice(whole.length);
      yield* lines;
      if (rest.length > MAX_EVENT) throw tooLong();
      if (!done) continue;
      if (rest !== '') yield rest;
      return;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function tooLong(): SkeinError {
  return new SkeinError(
    'download-failed',
    `The server sent a line of more than ${MAX_EVENT.toLocaleString('en')} characters.`,
    'Check that the address is that of a chat server.',
  );
}
