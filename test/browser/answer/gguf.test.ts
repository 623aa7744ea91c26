import { afterAll, expect, test } from 'vitest';
import { AnswerClient } from '../../../src/answer/client.ts';
import { browserModelFiles } from '../../../src/answer/files/open-model-files.ts';
import { ggufModel } from '../../../src/answer/gguf/models.ts';
import { GGUF_PATH } from '../../gguf-path.ts';

// Needs a file that nobody ships: SKEIN_GGUF=path npx vitest ... (docs/local-models.md). Skipped without.
const offered = await fetch(GGUF_PATH, { method: 'HEAD' });

const MESSAGES = [
  { role: 'user', content: 'What is the capital of France? Answer in one sentence.' },
] as const;

let client: AnswerClient | undefined;
afterAll(() => client?.dispose());

test.skipIf(!offered.ok)(
  'a GGUF file (SKEIN_GGUF) answers, stops and chooses in the answer worker',
  async () => {
    const name = offered.headers.get('x-file-name')!;
    const file = await (await fetch(GGUF_PATH)).blob();
    const model = await ggufModel(name, file);
    const files = browserModelFiles();
    await files.put(model.id, [{ path: name, blob: file }]);
    client = new AnswerClient();
    try {
      const started = performance.now();
      const loaded = await client.load(model);
      const loadMs = performance.now() - started;
      expect(loaded.contextWindow).toBe(model.contextWindow);

      // Counted by the refusal of a padded prompt, and by llama.cpp when it answers: the same.
      const counted = await client.countTokens(MESSAGES);
      const pieces: string[] = [];
      const answer = await client.generate(MESSAGES, {
        maxTokens: 12,
        onText: (piece) => pieces.push(piece),
      });
      expect(answer).toMatchObject({ text: pieces.join(''), promptTokens: counted });
      expect(pieces.length).toBeGreaterThan(2);
      expect(answer.text).toMatch(/\p{L}{2}/u);
      if (/smollm2/i.test(name)) expect(answer.text).toBe('The capital of France is Paris.');

      const stop = new AbortController();
      const stopped = await client.generate(MESSAGES, {
        maxTokens: 200,
        signal: stop.signal,
        onText: () => stop.abort(),
      });
      expect(stopped).toMatchObject({ finish: 'interrupted', text: pieces[0] });

      const choice = await client.choose(MESSAGES, ['A', 'B', 'C', 'D']);
      expect(choice.how).toBe('probabilities');
      expect(Object.values(choice.probabilities!).reduce((a, b) => a + b)).toBeCloseTo(1);

      await expect(
        client.generate([{ role: 'user', content: 'word '.repeat(loaded.contextWindow) }], { maxTokens: 1 }),
      ).rejects.toMatchObject({ code: 'prompt-too-long' });
      console.log(
        `GGUF on ${loaded.backend}: loaded in ${Math.round(loadMs)} ms; prompt of ${counted} tokens, first token after ${Math.round(answer.firstTokenMs!)} ms, ${answer.tokens} tokens in ${Math.round(answer.milliseconds)} ms`,
      );
    } finally {
      await files.remove(model.id);
    }
  },
  180_000,
);
