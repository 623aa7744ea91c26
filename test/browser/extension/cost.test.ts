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

/** Milliseconds that the content script took while `work` ran, with all that it called, by the browser's profiler. */
async function timeOf(work: () => Promise<void>): Promise<number> {
  const session = cdp();
  await session.send('Profiler.enable');
  await session.send('Profiler.setSamplingInterval', { interval: 200 });
  await session.send('Profiler.start');
  await work();
  const { profile } = await session.send('Profiler.stop');
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const ours = new Set<number>();
  const mark = (id: number, within: boolean) => {
    const node = nodes.get(id)!;
    const isOurs = within || node.callFrame.url.includes('/src/extension/');
    if (isOurs) ours.add(id);
    for (const child of node.children ?? []) mark(child, isOurs);
  };
  mark(profile.nodes[0]!.id, false);
  const { samples = [], timeDeltas = [] } = profile;
  const spent = samples.map((id, at) => (ours.has(id) ? timeDeltas[at]! : 0));
  return spent.reduce((sum, one) => sum + one, 0) / 1_000;
}

test('streaming answers in a long conversation cost the page little, and texts are not kept', async () => {
  open = await openSite('chatgpt');
  const { replica, port, page } = open;
  replica.open('long');
  const loading = await timeOf(async () => {
    replica.load(Array.from({ length: 1_000 }, (_, at) => `${at % 2 === 0 ? QUESTION : ANSWER} ${at}`));
    await expect.poll(() => port.kept('long').length).toBe(1_000);
  });
  replica.streaming = { pieces: 60, delay: 2 };
  const streaming = await timeOf(async () => {
    for (let at = 0; at < 5; at++) await replica.say(`${QUESTION} again ${at}`, `${ANSWER} again ${at}`);
    await expect.poll(() => port.kept('long').length).toBe(1_010);
  });
  console.log(
    `the page's time: ${(loading / 1_000).toFixed(2)} ms a loaded turn, ${(streaming / 10).toFixed(2)} ms a streamed turn`,
  );
  // No time is asserted, but how the work grows: each turn was read once or twice, and not at each piece.
  expect(page.session!.capture.reads).toBeLessThan(1_010 + 60);

  const whileAtWork = await heapUsed();
  page.stop();
  page.session = undefined;
  const bytes = whileAtWork - (await heapUsed());
  console.log(`the content script's own memory after 1,010 turns: ${(bytes / 1e6).toFixed(1)} MB`);
  expect(bytes).toBeLessThan(10_000_000);
});
