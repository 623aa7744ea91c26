import { afterEach, describe, expect, test } from 'vitest';
import { EndpointEngine } from '../../../../src/answer/endpoint/endpoint-engine.ts';
import { endpointModel, listEndpointModels } from '../../../../src/answer/endpoint/models.ts';
import { type Answer, ChatServer, delta, MODELS, sendJson, sendStream } from './chat-server.ts';

const MESSAGES = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Where is the spare key?' },
] as const;

let server: ChatServer | undefined;

afterEach(async () => {
  await server?.stop();
  server = undefined;
});

async function connect(
  routes: Readonly<Record<string, Answer>>,
  { contextWindow = 4096, key }: { contextWindow?: number; key?: string } = {},
): Promise<EndpointEngine> {
  server = await ChatServer.start({ '/v1/models': MODELS, ...routes });
  const engine = new EndpointEngine(key === undefined ? {} : { key: () => key });
  await engine.load(endpointModel({ url: server.url, model: 'tiny', contextWindow }));
  return engine;
}

const chat = (answer: Answer) => ({ '/v1/chat/completions': answer });

describe('a streamed answer', () => {
  test('comes in pieces, with the usage that the server states and nothing but the prompt sent', async () => {
    const usage = `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 31, completion_tokens: 5 } })}\n\n`;
    const engine = await connect(
      chat((_, response) =>
        sendStream(response, [
          ': keep-alive\n\n',
          delta('Under the '),
          delta('pot.', 'stop'),
          usage,
          'data: [DONE]\n\n',
        ]),
      ),
      { key: 'secret' },
    );
    expect(engine.loaded).toMatchObject({ backend: 'remote', contextWindow: 4096 });
    const pieces: string[] = [];
    const answer = await engine.generate(MESSAGES, {
      maxTokens: 20,
      seed: 3,
      onText: (piece) => pieces.push(piece),
    });
    expect(answer).toMatchObject({ text: 'Under the pot.', finish: 'stop', promptTokens: 31, tokens: 5 });
    expect(answer.firstTokenMs).toBeLessThanOrEqual(answer.milliseconds);
    expect(pieces).toEqual(['Under the ', 'pot.']);
    expect(server!.chats()).toHaveLength(1);
    expect(server!.chats()[0]!.headers.authorization).toBe('Bearer secret');
    expect(server!.chats()[0]!.body).toEqual({
      model: 'tiny',
      messages: MESSAGES,
      max_tokens: 20,
      temperature: 0,
      seed: 3,
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  test('is cut anywhere, also within a character and between CR and LF', async () => {
    const bytes = new TextEncoder().encode(
      `${(delta('Größe 👋 ') + delta('ok', 'length')).replaceAll('\n', '\r\n')}data: [DONE]\r\n\r\n`,
    );
    const chunks = [...bytes].map((byte) => Uint8Array.of(byte));
    const engine = await connect(chat((_, response) => sendStream(response, chunks)));
    const answer = await engine.generate(MESSAGES, { maxTokens: 9 });
    expect(answer).toMatchObject({ text: 'Größe 👋 ok', finish: 'length', tokens: 2 });
  });

  test('stops with what came, and the next question works', async () => {
    let closed: Promise<unknown> | undefined;
    let first = true;
    const engine = await connect(
      chat(async (_, response) => {
        if (!first) return sendStream(response, [delta('again', 'stop')]);
        first = false;
        closed = new Promise((resolve) => response.on('close', resolve));
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(delta('Under'));
      }),
    );
    const stop = new AbortController();
    const stopped = await engine.generate(MESSAGES, {
      maxTokens: 9,
      signal: stop.signal,
      onText: () => stop.abort(),
    });
    expect(stopped).toMatchObject({ text: 'Under', finish: 'interrupted', tokens: 1 });
    await closed;
    expect((await engine.generate(MESSAGES, { maxTokens: 9 })).text).toBe('again');
    const before = await engine.generate(MESSAGES, { maxTokens: 9, signal: AbortSignal.abort() });
    expect(before).toMatchObject({ text: '', finish: 'interrupted' });
    expect(server!.chats()).toHaveLength(2);
  });

  test('falls back to a whole answer, sent unasked or after a refusal to stream', async () => {
    const whole = { choices: [{ message: { content: 'Under the pot, at last.' }, finish_reason: 'stop' }] };
    const engine = await connect(
      chat(({ body }, response) =>
        body.stream && server!.chats().length > 1
          ? sendJson(response, { error: { message: 'stream is not supported' } }, 400)
          : sendJson(response, whole),
      ),
    );
    const unasked = await engine.generate(MESSAGES, { maxTokens: 9 });
    expect(unasked).toMatchObject({ text: 'Under the pot, at last.', tokens: 7 });
    expect((await engine.generate(MESSAGES, { maxTokens: 9 })).text).toBe(unasked.text);
    expect(server!.chats().map(({ body }) => body.stream)).toEqual([true, true, false]);
  });
});

describe('a choice', () => {
  const top = [
    { token: ' B', logprob: Math.log(0.3) },
    { token: 'The', logprob: Math.log(0.3) },
    { token: 'A', logprob: Math.log(0.2) },
    { token: 'B', logprob: Math.log(0.1) },
  ];

  test('is the likeliest letter where the server gives probabilities', async () => {
    const engine = await connect(
      chat((_, response) =>
        sendJson(response, {
          choices: [{ message: { content: 'The' }, logprobs: { content: [{ top_logprobs: top }] } }],
        }),
      ),
    );
    const choice = await engine.choose(MESSAGES, ['A', 'B', 'C', 'D']);
    expect(choice).toMatchObject({ letter: 'B', how: 'probabilities' });
    expect(choice.probabilities!.B).toBeCloseTo(4 / 6);
    expect(choice.probabilities!.D).toBe(0);
    expect(server!.chats()[0]!.body).toMatchObject({ max_tokens: 1, logprobs: true, top_logprobs: 20 });
  });

  test.each([
    ['ignores logprobs', 200],
    ['refuses logprobs', 400],
  ])('is read out of a free answer where the server %s', async (_, status) => {
    const engine = await connect(
      chat(({ body }, response) =>
        body.logprobs && status !== 200
          ? sendJson(response, { error: { message: 'logprobs are not supported' } }, status)
          : sendJson(response, { choices: [{ message: { content: 'A good guess is (C).' } }] }),
      ),
    );
    expect(await engine.choose(MESSAGES, ['A', 'B', 'C', 'D'])).toEqual({ letter: 'C', how: 'parsed' });
  });
});

describe('tokens', () => {
  test("are counted by llama.cpp's server, and estimated for any other", async () => {
    const llama = await connect({
      '/v1/models': (_, response) => sendJson(response, { data: [{ id: 'tiny', owned_by: 'llamacpp' }] }),
      '/apply-template': (_, response) => sendJson(response, { prompt: 'laid out' }),
      '/tokenize': ({ body }, response) =>
        sendJson(response, { tokens: body.content === 'laid out' ? [1, 2, 3] : [] }),
    });
    expect(await llama.countTokens(MESSAGES)).toBe(3);
    await server!.stop();
    const other = await connect({});
    expect(await other.countTokens(MESSAGES)).toBeGreaterThanOrEqual(20);
    expect(server!.seen.map(({ path }) => path)).toEqual(['/v1/models']);
  });

  test('can be stopped while a hung server counts them', async () => {
    const engine = await connect({
      '/v1/models': (_, response) => sendJson(response, { data: [{ id: 'tiny', owned_by: 'llamacpp' }] }),
      '/apply-template': () => {},
    });
    const counted = engine.countTokens(MESSAGES, { signal: AbortSignal.timeout(30) });
    await expect(counted).rejects.toMatchObject({ code: 'aborted' });
  });

  test('that pass the window are refused before anything is sent', async () => {
    const engine = await connect({}, { contextWindow: 40 });
    await expect(engine.generate(MESSAGES, { maxTokens: 30 })).rejects.toMatchObject({
      code: 'prompt-too-long',
    });
    expect(server!.chats()).toEqual([]);
  });
});

describe('what goes wrong has a code and a way out', () => {
  const failed = (status: number, error: unknown) =>
    chat((_, response) => sendJson(response, { error }, status));
  test.each([
    ['a wrong key', failed(401, { message: 'Invalid API Key' }), 'unauthorised'],
    ['a model that is gone', failed(404, { message: 'model "tiny" not found' }), 'model-missing'],
    ['too many requests', failed(429, 'slow down'), 'rate-limited'],
    ['a server that still loads', failed(503, { message: 'Loading model' }), 'rate-limited'],
    [
      "a prompt past OpenAI's window",
      failed(400, { message: 'too long', code: 'context_length_exceeded' }),
      'prompt-too-long',
    ],
    [
      "a prompt past llama.cpp's window",
      failed(400, {
        message: 'the request exceeds the available context size',
        type: 'exceed_context_size_error',
      }),
      'prompt-too-long',
    ],
    ['an error object with status 200', failed(200, { message: 'out of memory' }), 'download-failed'],
    [
      'an error within the stream',
      chat((_, response) => sendStream(response, [delta('Un'), 'data: {"error":{"message":"boom"}}\n\n'])),
      'download-failed',
    ],
    ['a stream that just ends', chat((_, response) => sendStream(response, [delta('Un')])), 'unreachable'],
    [
      'a connection that breaks',
      chat((_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(delta('Un'));
        setTimeout(() => response.destroy(), 20);
      }),
      'unreachable',
    ],
    [
      'a redirect elsewhere',
      chat((_, response) => void response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end()),
      'unreachable',
    ],
    ['a web page', chat((_, response) => void response.writeHead(200).end('<html>')), 'download-failed'],
  ] as const)('%s', async (_, routes, code) => {
    const engine = await connect(routes);
    const error = await engine.generate(MESSAGES, { maxTokens: 9 }).catch((reason) => reason);
    expect(error).toMatchObject({ code, message: expect.stringContaining('127.0.0.1') });
    expect(error.remedy).not.toBe('');
  });

  test('a server that is not there, a model it does not offer, no server chosen', async () => {
    const engine = await connect({});
    await expect(
      engine.load(endpointModel({ url: server!.url, model: 'large', contextWindow: 4096 })),
    ).rejects.toMatchObject({ code: 'model-missing', remedy: 'It offers: tiny.' });
    await expect(engine.countTokens(MESSAGES)).rejects.toMatchObject({ code: 'model-missing' });
    const model = endpointModel({ url: server!.url, model: 'tiny', contextWindow: 4096 });
    await server!.stop();
    await expect(engine.load(model)).rejects.toMatchObject({ code: 'unreachable' });
    await expect(engine.load(model, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'aborted',
    });
  });
});

test('the list of models can be read before one is chosen', async () => {
  await connect({});
  expect(await listEndpointModels(`${server!.url}/v1/`)).toEqual(['tiny']);
});
