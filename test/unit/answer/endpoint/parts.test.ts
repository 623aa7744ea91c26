import { describe, expect, test } from 'vitest';
import { endpointAddress } from '../../../../src/answer/endpoint/address.ts';
import { estimatePromptTokens } from '../../../../src/answer/endpoint/estimate.ts';
import { readServerSentEvents } from '../../../../src/answer/endpoint/server-sent-events.ts';
import { chooseByParsing, chooseByProbability } from '../../../../src/answer/letters.ts';

describe('the address of a server', () => {
  test.each([
    'http://localhost:8080',
    ' http://localhost:8080/ ',
    'http://localhost:8080/v1',
    'http://localhost:8080/v1/',
  ])('"%s"', (text) =>
    expect(endpointAddress(text)).toEqual({ root: 'http://localhost:8080', api: 'http://localhost:8080/v1' }),
  );

  test.each([
    'localhost:8080',
    'ftp://localhost',
    '',
    'https://api.openai.com/v1',
    'http://192.168.1.5:8080',
    'http://localhost.evil.example',
    'http://127.0.0.1.evil.example',
    'http://[::1]:8080',
    'http://user:word@localhost:8080',
    'http://localhost:8080/v1?key=x',
  ])('"%s" is refused', (text) => {
    expect(() => endpointAddress(text)).toThrow(expect.objectContaining({ code: 'bad-argument' }));
  });

  test('any host will do for a command', () => {
    expect(endpointAddress('https://gpu.example/llm/v1', 'any').root).toBe('https://gpu.example/llm');
  });
});

describe('server-sent events', () => {
  async function read(text: string, cut: number): Promise<string[]> {
    const bytes = new TextEncoder().encode(text);
    const chunks: Uint8Array[] = [];
    for (let i = 0; i < bytes.length; i += cut) chunks.push(bytes.slice(i, i + cut));
    const events: string[] = [];
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk);
        controller.close();
      },
    });
    for await (const event of readServerSentEvents(body)) events.push(event);
    return events;
  }

  test.each([1, 2, 3, 7, 1000])('are read in chunks of %i bytes', async (cut) => {
    const text =
      '\ufeffdata: é\r\n\r\n: comment\n\nevent: x\rid: 1\rdata:{"a":1}\r\rdata: one\ndata:  two\n\ndata\n\nretry: 5\n\ndata: last';
    expect(await read(text, cut)).toEqual(['é', '{"a":1}', 'one\n two', '', 'last']);
  });
});

describe('the letter of an answer', () => {
  const letters = ['A', 'B', 'C', 'D'];
  test.each([
    ['B', 'B'],
    ['(C) because of that', 'C'],
    ['**D.**', 'D'],
    ['A new key is mentioned, so the answer is: B', 'B'],
    ['Answer: C\nA is wrong.', 'C'],
    ['B because A and C are wrong', 'B'],
    ["A's and B's are none", null],
    ['BAD CAB', null],
    ['I cannot tell', null],
    ['', null],
  ])('"%s" is %s', (answer, letter) => {
    expect(chooseByParsing(answer, letters)).toEqual({ letter, how: 'parsed' });
  });

  test('is undefined when no letter is among the likeliest tokens', () => {
    expect(chooseByProbability([{ token: 'The', logprob: -0.1 }], letters)).toBeUndefined();
  });

  test('counts every way to write the token', () => {
    const tokens = [' A', '▁A', 'B'].map((token) => ({ token, logprob: Math.log(0.25) }));
    expect(chooseByProbability(tokens, letters)!.probabilities).toMatchObject({ A: 2 / 3, B: 1 / 3 });
  });
});

// What SmolLM2's tokenizer says of the same texts, and what it adds for the template, is at most this.
test.each([
  ['The quick brown fox jumps over the lazy dog.', 10],
  ['def f(x):\n    return x ** 2', 12],
  ['你好，今天天气怎么样？我想去公园散步。', 38],
  ['Доброе утро, как дела? Сегодня хорошая погода.', 38],
  ['👋🎉 wow 👩‍👩‍👧', 21],
])('the estimate of "%s" is on the safe side', (content, tokens) => {
  expect(estimatePromptTokens([{ role: 'user', content }])).toBeGreaterThanOrEqual(tokens + 9);
});
