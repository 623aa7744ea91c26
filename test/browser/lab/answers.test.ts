import { afterAll, beforeAll, expect, test } from 'vitest';
import { EMBEDDED_MODEL } from '../../../src/answer/transformers/models.ts';
import { connectLab } from '../../../src/bench/lab/client.ts';
import type { LabEvent, PackageRequest } from '../../../src/bench/lab/contract.ts';
import { eraseLab } from '../../../src/bench/lab/lab-database.ts';
import { SHIPPED_MODEL } from '../../../src/embed/registry.ts';

const QUESTIONS = 20;

beforeAll(() => eraseLab());
afterAll(() => eraseLab());

test('The embedded model answers 20 questions of the demo pool in the lab, with write-back', async () => {
  const lab = connectLab();
  const events: LabEvent[] = [];
  await lab.subscribe((event) => events.push(event));
  const request: PackageRequest = {
    source: { kind: 'bundled', pool: 'scaleqa-dev' },
    bundledNoise: [],
    noiseFiles: [],
  };
  const id = await lab.startRun(
    request,
    {
      target: undefined,
      arrangement: 'blocks',
      masked: false,
      seed: 1,
      // Drawn so that the questions are short: each token of a prompt takes a browser some milliseconds.
      selection: { count: QUESTIONS, seed: 1321 },
    },
    {
      systems: ['tsim'],
      modes: ['query'],
      writeBack: true,
      model: SHIPPED_MODEL,
      answer: {
        model: EMBEDDED_MODEL,
        way: 'forced',
        contextTokens: 160,
        answerTokens: 4,
        buildsSystems: false,
      },
    },
  );
  const state = async () => (await lab.listRuns()).find((run) => run.id === id)?.state;
  await expect.poll(state, { timeout: 540_000, interval: 500 }).toEqual({ kind: 'done' });

  const { settings, systems, questions } = await lab.readResult(id);
  expect(settings).toMatchObject({
    writeBack: true,
    answerer: `${EMBEDDED_MODEL.id}, transformers on wasm, choice-1, forced, prompts up to 160 tokens`,
  });
  expect(questions).toHaveLength(QUESTIONS);
  const [{ questions: lines, summary }] = systems as [(typeof systems)[0]];
  for (const { answer } of lines) {
    expect(answer).toMatchObject({ letter: expect.stringMatching(/^[A-D]$/), rationale: expect.any(String) });
    expect(answer!.text.startsWith(`${answer!.letter}. `)).toBe(true);
    expect(answer!.dropped).toBeUndefined();
    expect(Math.abs(answer!.rationaleSimilarity)).toBeGreaterThan(0);
  }
  // Not one letter for everything, which a broken first token would give.
  expect(new Set(lines.map(({ answer }) => answer!.letter)).size).toBeGreaterThan(1);
  const { answers } = summary.modes[0]!.overall;
  const { hitRight, hitWrong, missRight, missWrong } = answers!.hitByAnswer;
  expect(hitRight + hitWrong + missRight + missWrong).toBe(QUESTIONS);
  expect(answers!.accuracy.value).toBe((hitRight + missRight) / QUESTIONS);
  expect(answers).toMatchObject({ unparseable: 0, dropped: 0, contextCut: expect.any(Number) });
  expect(answers!.contextCut).toBeGreaterThan(0);
  // What was asked and answered is part of the thread: later questions recall it.
  const spoken = questions.length * 2;
  const threadEnd = (await lab.readThread((await lab.listRuns())[0]!.package.hash, 'all')).turns.length;
  const recalled = lines.flatMap(({ units }) => units.flatMap(({ ranges }) => ranges ?? []));
  expect(recalled.some(([, end]) => end > threadEnd)).toBe(true);
  expect(Math.max(...recalled.map(([, end]) => end))).toBeLessThanOrEqual(threadEnd + spoken);
  const loading = events.flatMap((event) => (event.kind === 'answer-model' ? [event.progress] : []));
  expect(loading.length).toBeGreaterThan(1);
  expect(loading.at(-1)).toBeUndefined();
}, 600_000);
