import { afterEach, expect, test } from 'vitest';
import { cdp } from 'vitest/browser';
import { type OpenPage, openSite } from './open.ts';

let open: OpenPage | undefined;
afterEach(() => open?.close());

const QUESTION = 'Where did we put the spare key of the shed, and who has the other one?';
const ANSWER = Array.from(
  { length: 6 },
  (_, at) =>
    `Paragraph ${at}: the key lies under the blue pot beside the door, and a neighbour has the other.`,
).join('\n\n');

/** Bytes of the page's heap that are in use. */
async function heapUsed(): Promise<number> {
  await cdp().send('HeapProfiler.collectGarbage');
  return (await cdp().send('Runtime.getHeapUsage')).usedSize;
}

test('streaming answers in a long conversation cost the page little, and texts are not kept', async () => {
  open = await openSite('chatgpt');
  const { replica, port, page } = open;
  replica.open('long');
  replica.load(Array.from({ length: 1_000 }, (_, at) => `${at % 2 === 0 ? QUESTION : ANSWER} ${at}`));
  await expect.poll(() => port.kept('long').length).toBe(1_000);
  const { spent } = page.session!.capture;
  const loaded = { ...spent };
  replica.streaming = { pieces: 60, delay: 2 };
  for (let at = 0; at < 5; at++) await replica.say(`${QUESTION} again ${at}`, `${ANSWER} again ${at}`);
  await expect.poll(() => port.kept('long').length).toBe(1_010);
  const perLoaded = loaded.milliseconds / loaded.turns;
  const perStreamed = (spent.milliseconds - loaded.milliseconds) / (spent.turns - loaded.turns);
  console.log(
    `capture: ${perLoaded.toFixed(2)} ms a loaded turn, ${perStreamed.toFixed(2)} ms a streamed turn`,
  );
  // No time is asserted, but how the work grows: each turn was read once or twice, and not at each piece.
  expect(spent.turns).toBe(1_010);
  expect(spent.read).toBeLessThan(1_010 + 60);

  const whileAtWork = await heapUsed();
  page.stop();
  page.session = undefined;
  const bytes = whileAtWork - (await heapUsed());
  console.log(`the content script's own memory after 1,010 turns: ${(bytes / 1e6).toFixed(1)} MB`);
  expect(bytes).toBeLessThan(10_000_000);
});
