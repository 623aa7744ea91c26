import { beforeEach, expect, test } from 'vitest';
import { type ChatStep, type ChatThread, runTurn, type TurnRequest } from '../../../src/chat/turn-loop.ts';
import { EpisodicMemory } from '../../../src/memory/episodic-memory.ts';
import { MemoryThreadStore } from '../../../src/store/memory-store.ts';
import type { AskRecord, NewAnswer } from '../../../src/store/records.ts';
import { HashEmbedder, topicThread } from '../memory/support.ts';
import { FakeEngine } from './fakes.ts';

let store: MemoryThreadStore;
let memory: EpisodicMemory;
let engine: FakeEngine;
let thread: ChatThread;
let steps: ChatStep[];
let stop: AbortController;

beforeEach(async () => {
  store = new MemoryThreadStore();
  memory = await EpisodicMemory.open({ store, embedder: new HashEmbedder() });
  await memory.append([
    { role: 'user', text: 'The spare key is under the blue flowerpot.' },
    { role: 'model', text: 'Noted: under the blue flowerpot.' },
    ...topicThread(60),
  ]);
  await memory.catchUp();
  engine = new FakeEngine();
  steps = [];
  stop = new AbortController();
  thread = {
    ask: async (text) =>
      store.addAsk({
        text,
        askedAt: 1,
        position: memory.turns,
        ingested: memory.ingested,
        configuration: 'skein',
        episodes: await memory.recall(text),
        milliseconds: 1,
      }),
    readTurns: (from, to) => store.readTurns(from, to),
    listEpisodes: async () => memory.episodes,
    keepAnswer: async (askId, { text, ...version }: NewAnswer) => {
      const ask = (await store.readAsk(askId))!;
      const turns = [
        { role: 'user', text: ask.text },
        { role: 'model', text },
      ] as const;
      if (!ask.answer) await memory.append(turns, { askId, version });
      return { ...(await store.readAsk(askId))!, kept: text } as AskRecord;
    },
  };
});

function run(question: string | AskRecord, changes: Partial<TurnRequest> = {}): Promise<AskRecord> {
  return runTurn({
    thread,
    question,
    engine: async () => engine,
    maxTokens: 50,
    signal: stop.signal,
    onStep: (step) => steps.push(step),
    ...changes,
  });
}

const QUESTION = 'Where is the spare key under the blue flowerpot?';
const kinds = () => [...new Set(steps.map(({ kind }) => kind))];
const promptText = () =>
  engine.asked
    .at(-1)!
    .messages.map(({ content }) => content)
    .join('\n');

test('a question is recalled, answered from the episode, and both become turns', async () => {
  const before = memory.turns;
  const { answer, position } = await run(QUESTION);
  expect(kinds()).toEqual(['recalling', 'loading', 'reading', 'writing', 'keeping']);
  expect(steps.at(-1)).toMatchObject({ text: 'It is under the flowerpot [1].' });
  expect(promptText()).toContain('The spare key is under the blue flowerpot.');
  expect(promptText()).toContain(`Question: ${QUESTION}`);
  expect([answer!.question, answer!.turn, position]).toEqual([before, before + 1, before + 2]);
  const turns = await store.readTurns(before, before + 9);
  expect(turns.map(({ role, text }) => [role, text])).toEqual([
    ['user', QUESTION],
    ['model', 'It is under the flowerpot [1].'],
  ]);
  const [version] = answer!.versions;
  expect(version).toMatchObject({ model: 'fake', title: 'A fake model', backend: 'wasm', finish: 'stop' });
  expect(version!.passages[0]).toMatchObject({ episode: 0, start: 0 });
  expect(version!.cited).toEqual([0]);
  expect(version!.recent!.at(-1)).toBe(before - 1);
  expect(version!.recalledTokens).toBeGreaterThan(10);
  expect(version!.recalledTokens).toBeLessThan(version!.promptTokens);
  expect(version!.promptTokens).toBeLessThanOrEqual(1_950);
});

test('an answer that is drawn again reads the same prompt, with a little chance', async () => {
  const asked = await run(QUESTION);
  await memory.append(topicThread(2));
  const first = engine.asked[0]!;
  await run(asked);
  const second = engine.asked[1]!;
  expect(second.messages).toEqual(first.messages);
  expect(first.options.temperature).toBeUndefined();
  expect(second.options).toMatchObject({ seed: 1, temperature: expect.any(Number) });
  expect(promptText()).not.toContain('It is under the flowerpot');
});

test('an answer as of a time reads nothing that was said later, and says up to when', async () => {
  await memory.append([
    { role: 'user', text: 'The spare key has moved to the shed, away from the blue flowerpot.' },
    { role: 'model', text: 'Noted: in the shed.' },
  ]);
  await memory.catchUp();
  const reach = await memory.reach({ turns: 30 });
  const episodes = await memory.recall(QUESTION, { until: reach });
  const asked = await store.addAsk({
    text: QUESTION,
    askedAt: 1,
    position: memory.turns,
    ingested: memory.ingested,
    configuration: 'skein',
    episodes,
    asOf: { kind: 'turn', turns: 30, runs: reach.runs, placed: 0 },
    milliseconds: 1,
  });
  const { answer } = await run(asked);
  expect(promptText()).toContain('under the blue flowerpot');
  expect(promptText()).not.toContain('shed');
  expect(promptText()).toContain('said up to turn 30: answer as it stood then');
  expect(promptText()).toContain(`Question: As of turn 30: ${QUESTION}`);
  expect(promptText()).toMatch(/turns \d+ to \d+ of 30/);
  const [version] = answer!.versions;
  const read = [...version!.passages.map(({ end }) => end - 1), ...version!.recent!];
  expect(Math.max(...read)).toBe(29);
  // The last turns within reach, also where these are no single run.
  const gaps = {
    ...asked,
    asOf: {
      ...asked.asOf!,
      runs: [
        { start: 0, end: 3 },
        { start: 20, end: 24 },
      ],
    },
  };
  await run({ ...gaps, episodes: [], answer: undefined });
  for (const { text, index } of await store.readTurns(0, 26)) {
    expect(promptText().includes(text)).toBe([1, 2, 20, 21, 22, 23].includes(index));
  }
});

test('stopped in mid-answer, what came is kept and says so', async () => {
  engine.beforeWord = (count) => {
    if (count === 3) stop.abort();
  };
  const { answer } = await run(QUESTION);
  expect(answer!.versions[0]).toMatchObject({ finish: 'interrupted', tokens: 3, cited: [] });
  expect((await store.readTurns(answer!.turn, answer!.turn + 1))[0]!.text).toBe('It is under');
});

test.each(['the engine comes', 'the first word'])(
  'stopped before %s, only the question stays',
  async (when) => {
    const before = memory.turns;
    engine.beforeWord = () => stop.abort();
    const waiting = async () => {
      if (when === 'the engine comes') stop.abort();
      return engine;
    };
    await expect(run(QUESTION, { engine: waiting })).rejects.toMatchObject({ code: 'aborted' });
    expect(memory.turns).toBe(before);
    const [ask] = await store.listAsks();
    expect(ask).toMatchObject({ text: QUESTION, position: before });
    stop = new AbortController();
    engine.beforeWord = () => {};
    expect((await run(ask!)).id).toBe(ask!.id);
    expect(memory.turns).toBe(before + 2);
  },
);

test('a model that says nothing is an error, and keeps nothing', async () => {
  engine.answers = [' '];
  await expect(run(QUESTION)).rejects.toMatchObject({ code: 'model-broken' });
  expect((await store.listAsks()).map(({ answer }) => answer)).toEqual([undefined]);
});

test('the answer takes at most half of a small window, and the prompt the rest', async () => {
  const model = { ...engine.model, contextWindow: 240 };
  engine = new FakeEngine(model);
  await run(QUESTION, { maxTokens: 1_000 });
  const { messages, options } = engine.asked[0]!;
  expect(options.maxTokens).toBe(120);
  expect(await engine.countTokens(messages)).toBeLessThanOrEqual(120);
});

test('a question to an empty thread is answered without episodes', async () => {
  store = new MemoryThreadStore();
  memory = await EpisodicMemory.open({ store, embedder: new HashEmbedder() });
  engine.answers = ['Hello [1].'];
  const { answer } = await run('Good morning');
  expect(answer).toMatchObject({ question: 0, turn: 1 });
  expect(answer!.versions[0]).toMatchObject({ passages: [], cited: [], recalledTokens: 0 });
});

test('erased turns of an episode do not reach the prompt', async () => {
  const ask = await thread.ask(QUESTION, stop.signal);
  await memory.erase(0, 1);
  await store.addAsk({ ...ask, text: QUESTION });
  await run((await store.listAsks()).at(-1)!);
  expect(promptText()).not.toContain('The spare key is under');
  expect(promptText()).toContain('Noted: under the blue flowerpot.');
});

test('an episode that was forgotten since does not reach the prompt again', async () => {
  const asked = await run(QUESTION);
  const { episode } = asked.answer!.versions[0]!.passages[0]!;
  await memory.setForgotten(episode, true);
  await run(asked);
  expect(promptText()).not.toContain('under the blue flowerpot.');
});
