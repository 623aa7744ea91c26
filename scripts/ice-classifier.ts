import { readFile } from 'node:fs/promises';
import { markdown } from '../src/bench/tables.ts';
import { seededRandom, shuffled } from '../src/core/random.ts';
import { dot } from '../src/core/vectors.ts';
import { createCachedEmbedder } from '../src/embed/node/cached-embedder.ts';
import { INTENTS, intentOf, SOURCES, sourceOf } from '../src/systems/ice/classifier.ts';
import { runCommand } from './command.ts';

/**
 * Compares ICE's rule classifier with a small head (multinomial logistic regression on the embedder's vectors) on
 * labelled prompts, the head by repeated five-fold cross-validation. The rules see no training data; they were
 * written before the prompts.
 */

const PROMPTS = new URL('ice-prompts.txt', import.meta.url);
const FOLDS = 5;
const REPEATS = 2;
const STEPS = 250;
const RATE = 4;
const RIDGE = 1e-3;

interface Prompt {
  readonly intent: string;
  readonly source: string;
  readonly text: string;
  readonly vector: Float32Array;
}

/** Weights of a head: a row a class, and its bias. */
interface Head {
  readonly rows: readonly Float32Array[];
  readonly biases: Float64Array;
}

function train(prompts: readonly Prompt[], labels: readonly number[], classes: number): Head {
  const dimension = prompts[0]!.vector.length;
  const rows = Array.from({ length: classes }, () => new Float32Array(dimension));
  const biases = new Float64Array(classes);
  for (let step = 0; step < STEPS; step++) {
    const gradients = rows.map((row) => Float32Array.from(row, (weight) => RIDGE * weight));
    const biasGradients = new Float64Array(classes);
    prompts.forEach(({ vector }, i) => {
      const shares = softmax(scores({ rows, biases }, vector));
      for (let c = 0; c < classes; c++) {
        const error = (shares[c]! - (labels[i] === c ? 1 : 0)) / prompts.length;
        biasGradients[c]! += error;
        for (let d = 0; d < dimension; d++) gradients[c]![d]! += error * vector[d]!;
      }
    });
    for (let c = 0; c < classes; c++) {
      biases[c]! -= RATE * biasGradients[c]!;
      for (let d = 0; d < dimension; d++) rows[c]![d]! -= RATE * gradients[c]![d]!;
    }
  }
  return { rows, biases };
}

function scores({ rows, biases }: Head, vector: Float32Array): number[] {
  return rows.map((row, c) => dot(row, vector) + biases[c]!);
}

function softmax(values: readonly number[]): number[] {
  const top = Math.max(...values);
  const powers = values.map((value) => Math.exp(value - top));
  const sum = powers.reduce((a, b) => a + b);
  return powers.map((power) => power / sum);
}

/** Share of held-out prompts that the head labels right, over all folds and repeats. */
function crossValidate(
  prompts: readonly Prompt[],
  names: readonly string[],
  of: (prompt: Prompt) => string,
): number {
  let right = 0;
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const order = shuffled(prompts, seededRandom(repeat + 1));
    for (let fold = 0; fold < FOLDS; fold++) {
      const held = order.filter((_, i) => i % FOLDS === fold);
      const rest = order.filter((_, i) => i % FOLDS !== fold);
      const head = train(
        rest,
        rest.map((prompt) => names.indexOf(of(prompt))),
        names.length,
      );
      for (const prompt of held) {
        const given = scores(head, prompt.vector);
        if (given.indexOf(Math.max(...given)) === names.indexOf(of(prompt))) right++;
      }
    }
  }
  return right / (REPEATS * prompts.length);
}

async function main(): Promise<void> {
  const lines = (await readFile(PROMPTS, 'utf8')).trim().split('\n');
  const embedder = await createCachedEmbedder({ cache: true });
  const fields = lines.map((line) => line.split(' | '));
  const vectors = await embedder.embed(
    fields.map(([, , text]) => text!),
    { kind: 'query' },
  );
  const prompts = fields.map(
    ([intent, source, text], i): Prompt => ({
      intent: intent!,
      source: source!,
      text: text!,
      vector: vectors[i]!,
    }),
  );
  const rulesRight = (test: (prompt: Prompt) => boolean) => prompts.filter(test).length / prompts.length;
  const rows = [
    [
      'intent',
      rulesRight(({ text, intent }) => intentOf(text) === intent).toFixed(3),
      crossValidate(prompts, INTENTS, ({ intent }) => intent).toFixed(3),
    ],
    [
      'source',
      rulesRight(({ text, source }) => sourceOf(text).source === source).toFixed(3),
      crossValidate(prompts, SOURCES, ({ source }) => source).toFixed(3),
    ],
  ];
  process.stdout.write(
    `${prompts.length} prompts\n${markdown({ head: ['label', 'rules', 'head'], rows })}\n`,
  );
  for (const { text, intent, source } of prompts) {
    const [ownIntent, own] = [intentOf(text), sourceOf(text).source];
    if (ownIntent !== intent || own !== source)
      process.stderr.write(`${text}: ${ownIntent} (${intent}), ${own} (${source})\n`);
  }
}

runCommand(main);
