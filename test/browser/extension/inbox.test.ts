import { afterEach, beforeEach, expect, test } from 'vitest';
import { CAPTURED_NAME, Drain, type DrainEngine } from '../../../src/extension/inbox/drain.ts';
import { eraseSite } from '../../../src/extension/inbox/erase.ts';
import { Inbox } from '../../../src/extension/inbox/inbox.ts';
import type { CaptureBatch, CapturedTurn } from '../../../src/extension/messages.ts';
import { SkeinDatabase } from '../../../src/store/idb/database.ts';

let count = 0;
let inbox: Inbox;
let database: SkeinDatabase;
let engine: DrainEngine;

beforeEach(async () => {
  const name = `inbox-test-${Date.now()}-${count++}`;
  inbox = new Inbox(name);
  database = await SkeinDatabase.open({ name: `${name}-threads` });
  engine = {
    listThreads: async () =>
      (await database.listThreads()).map((thread) => ({ ...thread, ingesting: false })),
    createThread: async (title) => ({ ...(await database.createThread(title)), ingesting: false }),
    readTurns: (id, from, to) => database.getThreadStore(id).readTurns(from, to),
    append: async (id, turns) => {
      const from = await database.getThreadStore(id).append(turns);
      return { from, to: from + turns.length };
    },
  };
});

afterEach(async () => {
  await inbox.close();
  database.close();
});

/** A conversation in which each text follows the one before, user and model in turn. */
function batch(conversation: string, texts: readonly string[], site = 'chatgpt'): CaptureBatch {
  const turns = texts.map(
    (text, i): CapturedTurn => ({
      key: text,
      role: i % 2 === 0 ? 'user' : 'model',
      text,
      after: texts[i - 1],
      at: 1_000 + i,
    }),
  );
  return { site, conversation, title: conversation, turns };
}

async function capturedTurns() {
  const [thread] = await database.listThreads();
  expect(thread!.name).toBe(CAPTURED_NAME);
  return database.getThreadStore(thread!.id).readTurns(0, thread!.turns);
}

const texts = async () => (await capturedTurns()).map(({ text }) => text);

/** The inbox as a page has it that is killed at a call. */
function killedAt(call: 'begin' | 'settle'): Inbox {
  return new Proxy(inbox, {
    get(target, name) {
      if (name === call) return () => Promise.reject(new Error('killed'));
      const value = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

test('turns are kept once, whatever is sent again, and moved once', async () => {
  expect(await inbox.add(batch('bees', ['q1', 'a1']), 'ChatGPT')).toEqual({ added: 2, known: 0 });
  expect(await inbox.add(batch('bees', ['q1', 'a1', 'q2', 'a2']), 'ChatGPT')).toEqual({ added: 2, known: 2 });
  expect(await new Drain(inbox, engine).run()).toBe(4);
  expect(await inbox.add(batch('bees', ['q1', 'a1', 'q2', 'a2']), 'ChatGPT')).toEqual({ added: 0, known: 4 });
  expect(await new Drain(inbox, engine).run()).toBe(0);
  expect(await texts()).toEqual(['q1', 'a1', 'q2', 'a2']);
  expect(await inbox.kept('chatgpt', 'bees')).toBe(4);
  const [first] = await capturedTurns();
  expect(first).toMatchObject({ role: 'user', source: 'ChatGPT: bees', time: 1_000 });
});

test('two pages that drain at once move each turn once', async () => {
  await inbox.add(batch('bees', ['q1', 'a1', 'q2', 'a2']), 'ChatGPT');
  const other = new Drain(inbox, engine);
  await Promise.all([new Drain(inbox, engine).run(), other.run(), other.run()]);
  expect(await texts()).toEqual(['q1', 'a1', 'q2', 'a2']);
});

test('killed after it appended: the next drain finds the turns in the thread', async () => {
  await inbox.add(batch('bees', ['q1', 'a1']), 'ChatGPT');
  await expect(new Drain(killedAt('settle'), engine).run()).rejects.toThrow('killed');
  const [thread] = await database.listThreads();
  // A person goes on in the thread, and more comes in, before the next start.
  await database.getThreadStore(thread!.id).append([{ role: 'user', text: 'by hand' }]);
  await inbox.add(batch('bees', ['q1', 'a1', 'q2', 'a2']), 'ChatGPT');
  await new Drain(inbox, engine).run();
  expect(await texts()).toEqual(['q1', 'a1', 'by hand', 'q2', 'a2']);
  expect(await inbox.turnsOfSite('chatgpt')).toEqual([0, 1, 3, 4]);
});

test('killed before it appended: the next drain appends', async () => {
  await inbox.add(batch('bees', ['q1', 'a1']), 'ChatGPT');
  const dying = { ...engine, append: () => Promise.reject(new Error('killed')) };
  await expect(new Drain(inbox, dying).run()).rejects.toThrow('killed');
  await expect(new Drain(killedAt('begin'), engine).run()).rejects.toThrow('killed');
  await new Drain(inbox, engine).run();
  expect(await texts()).toEqual(['q1', 'a1']);
  expect(await database.listThreads()).toHaveLength(1);
});

test('killed after it appended, then a site is deleted: its turns go, those of others come once', async () => {
  await inbox.add(batch('bees', ['q1', 'a1']), 'ChatGPT');
  await inbox.add(batch('ants', ['q2', 'a2'], 'claude'), 'Claude');
  await expect(new Drain(killedAt('settle'), engine).run()).rejects.toThrow('killed');
  const erased: [number, number][] = [];
  const eraser = { eraseTurns: async (_: string, from: number, to: number) => void erased.push([from, to]) };
  expect(await new Drain(inbox, engine).erase(eraser, 'chatgpt')).toBe(2);
  expect(erased).toEqual([[0, 2]]);
  await new Drain(inbox, engine).run();
  expect(await texts()).toEqual(['q1', 'a1', 'q2', 'a2']);
});

test('a thread that is deleted takes along what was captured, and what waits comes into no new one', async () => {
  await inbox.add(batch('bees', ['q1', 'a1']), 'ChatGPT');
  await new Drain(inbox, engine).run();
  await inbox.chooseRecalledThread('another');
  await inbox.add(batch('bees', ['q1', 'a1', 'q2', 'a2']), 'ChatGPT');
  await database.deleteThread((await inbox.thread())!);
  // The next page that leads: nobody told it that the thread was deleted.
  const drain = new Drain(inbox, engine);
  expect(await drain.run()).toBe(0);
  expect(await database.listThreads()).toEqual([]);
  // Capture is still on, and a last batch is on its way.
  const endCapture = async () => void (await inbox.add(batch('ants', ['late', 'batch']), 'ChatGPT'));
  expect(await drain.forgetDeleted(endCapture)).toBe(true);
  expect(await inbox.keptOfSite('chatgpt')).toBe(0);
  expect(await drain.forgetDeleted(endCapture)).toBe(false);
  expect(await drain.run()).toBe(0);
  expect(await database.listThreads()).toEqual([]);
  expect(await inbox.recalledThread()).toBe('another');
});

test('branches stand apart: an edited message never replaces the one before', async () => {
  await inbox.add(batch('bees', ['q1', 'a1', 'q2', 'a2']), 'ChatGPT');
  await inbox.add(batch('bees', ['q1', 'a1', 'q2 edited', 'a2 edited']), 'ChatGPT');
  await new Drain(inbox, engine).run();
  expect((await capturedTurns()).map(({ text, source }) => [text, source])).toEqual([
    ['q1', 'ChatGPT: bees'],
    ['a1', 'ChatGPT: bees'],
    ['q2', 'ChatGPT: bees'],
    ['a2', 'ChatGPT: bees'],
    ['q2 edited', 'ChatGPT: bees (edited at turn 3)'],
    ['a2 edited', 'ChatGPT: bees (edited at turn 3)'],
  ]);
});

test('a page that shows a part of a conversation begins no branch', async () => {
  await inbox.add(batch('bees', ['q1', 'a1', 'q2', 'a2']), 'ChatGPT');
  const [early, ...known] = batch('bees', ['q0', 'q1', 'a1']).turns;
  await inbox.add({ ...batch('bees', []), turns: [early!, ...known] }, 'ChatGPT');
  await new Drain(inbox, engine).run();
  const found = (await capturedTurns()).find(({ text }) => text === 'q0');
  // It waits for an answer, as a last question does.
  expect(found).toBeUndefined();
  expect((await inbox.pending()).map(({ branch }) => branch)).toEqual(['']);
});

test('what a site gave is erased from thread and inbox, and nothing else', async () => {
  await inbox.add(batch('bees', ['q1', 'a1']), 'ChatGPT');
  await inbox.add(batch('boats', ['q3', 'a3'], 'claude'), 'Claude');
  await new Drain(inbox, engine).run();
  await inbox.add(batch('bees', ['q1', 'a1', 'q2']), 'ChatGPT');
  const erased: [number, number][] = [];
  const eraser = { eraseTurns: async (_: string, from: number, to: number) => void erased.push([from, to]) };
  expect(await eraseSite(inbox, eraser, 'chatgpt')).toBe(2);
  expect(erased).toEqual([[0, 2]]);
  expect(await inbox.keptOfSite('chatgpt')).toBe(0);
  expect(await inbox.pending()).toEqual([]);
  expect(await inbox.keptOfSite('claude')).toBe(2);
});
