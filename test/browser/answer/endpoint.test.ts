import { afterAll, expect, test } from 'vitest';
import { AnswerClient } from '../../../src/answer/client.ts';
import { endpointModel, listEndpointModels } from '../../../src/answer/endpoint/models.ts';

const MESSAGES = [{ role: 'user', content: 'Where is the spare key?' }] as const;

const client = new AnswerClient();
afterAll(() => client.dispose());

test('a server on this machine is asked only once it is chosen, and streams its answer into the worker', async () => {
  const url = await (await fetch('/chat-server')).text();
  const seen = async (): Promise<string[]> => (await fetch(`${url}/seen`)).json();
  await seen();

  const model = endpointModel({ url, model: 'tiny', contextWindow: 4096 });
  client.setKey('secret');
  expect(await seen()).toEqual([]);
  expect(await listEndpointModels(url)).toEqual(['tiny']);
  expect(await client.load(model)).toMatchObject({ backend: 'remote', contextWindow: 4096 });
  expect(await client.countTokens(MESSAGES)).toBeGreaterThan(10);
  expect(await seen()).toEqual(['GET /v1/models', 'GET /v1/models Bearer secret']);

  // The rest of the answer is sent only when its beginning has arrived.
  const answer = await client.generate(MESSAGES, {
    maxTokens: 20,
    onText: (piece) => piece === 'Under the ' && void fetch(`${url}/go-on`),
  });
  expect(answer).toMatchObject({ text: 'Under the pot.', finish: 'stop', tokens: 2 });
  expect(await seen()).toEqual(['POST /v1/chat/completions Bearer secret', 'GET /go-on', 'finished']);

  const stop = new AbortController();
  const stopped = await client.generate(MESSAGES, {
    maxTokens: 20,
    signal: stop.signal,
    onText: () => stop.abort(),
  });
  expect(stopped).toMatchObject({ text: 'Under the ', finish: 'interrupted' });
  await expect.poll(seen).toContain('broken off');

  // Nothing listens there; whether it is that or CORS, a browser does not say.
  await expect(
    client.load(endpointModel({ url: 'http://127.0.0.1:17', model: 'tiny', contextWindow: 4096 })),
  ).rejects.toMatchObject({ code: 'unreachable', remedy: expect.stringMatching(/OLLAMA_ORIGINS=http/) });
});
