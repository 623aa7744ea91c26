import { Gunzip } from 'fflate';
import { expect, test } from 'vitest';
import { packLines, readLines } from '../../../src/store/backup-stream.ts';

test.each([0.1, 0.5, 0.9, 0.999])(
  'a packed file that is cut off after %f gives every line before the cut',
  async (part) => {
    const packed = await packLines(
      (async function* () {
        for (let i = 0; i < 20_000; i++) yield `${i} ${Math.sin(i).toString(36)}`;
      })(),
    );
    const cut = packed.slice(0, Math.floor(packed.size * part));
    let expected = '';
    const decoder = new TextDecoder();
    new Gunzip((chunk) => {
      expected += decoder.decode(chunk, { stream: true });
    }).push(new Uint8Array(await cut.arrayBuffer()));
    const whole = expected.split('\n').slice(0, -1);
    expect(whole.length).toBeGreaterThan(1_000);

    const lines: string[] = [];
    const reading = async () => {
      for await (const line of readLines(cut)) {
        lines.push(line);
        if (lines.length % 500 === 0) await new Promise((resolve) => setTimeout(resolve));
      }
    };
    await expect(reading()).rejects.toThrow();
    expect(lines.length).toBe(whole.length);
    expect(lines).toEqual(whole);
  },
);
