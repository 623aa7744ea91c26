import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { EngineApi } from '../../../src/engine/contract.ts';
import { ChatSession } from '../../../src/ui/chat/chat-session.ts';
import type { Session } from '../../../src/ui/session.ts';

beforeAll(() => void vi.stubGlobal('cancelAnimationFrame', () => {}));
afterAll(() => void vi.unstubAllGlobals());

/** A chat without a model over an engine whose recall waits for `answer`. */
function chatOver({ readOnly = false } = {}) {
  const asked: string[] = [];
  let answer: (error: Error) => void = () => {};
  const engine = {
    ask: (_: string, question: string) => {
      asked.push(question);
      return new Promise<never>((_, reject) => {
        answer = reject;
      });
    },
  } as Partial<EngineApi>;
  const session = { engine, readOnly, listen: () => () => {} } as unknown as Session;
  return { chat: new ChatSession(session, undefined), asked, answer: (error: Error) => answer(error) };
}

test('a tab that reads only asks nothing, and says so', async () => {
  const { chat, asked } = chatOver({ readOnly: true });
  expect(await chat.ask('a', 'Why?')).toBeUndefined();
  expect(asked).toEqual([]);
  expect(chat.failure).toMatchObject({ threadId: 'a', question: 'Why?', problem: { code: 'read-only' } });
});

test('a question during another one is refused and kept to be tried again; the other one goes on', async () => {
  const { chat, asked, answer } = chatOver();
  const first = chat.ask('a', 'Why?');
  expect(await chat.ask('b', 'Who?')).toBeUndefined();
  expect(chat.failure).toMatchObject({
    threadId: 'b',
    question: 'Who?',
    problem: { code: 'busy' },
    text: '',
  });
  expect(chat.run?.question).toBe('Why?');
  await Promise.resolve();
  answer(new Error('no recall'));
  expect(await first).toBeUndefined();
  expect(asked).toEqual(['Why?']);
  expect(chat.failure).toMatchObject({ threadId: 'a', question: 'Why?', problem: { message: 'no recall' } });
});
