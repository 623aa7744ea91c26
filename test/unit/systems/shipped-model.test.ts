import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import type { NewTurn, Role } from '../../../src/core/turn.ts';
import type { Embedder } from '../../../src/embed/embedder.ts';
import { createNodeEmbedder } from '../../../src/embed/node/node-embedder.ts';
import { SYSTEMS } from '../../../src/systems/registry.ts';
import type { ContextPart, RetrievedUnit } from '../../../src/systems/system.ts';

/** Records of the demo pool in this test: about 2,500 tokens. */
const RECORDS = 16;
const POOL = fileURLToPath(new URL('../../../public/packages/scaleqa-dev.jsonl', import.meta.url));

const thread: NewTurn[] = readFileSync(POOL, 'utf8')
  .split('\n')
  .slice(0, RECORDS)
  .flatMap((line) => (JSON.parse(line) as { dialogue: [Role, string][] }).dialogue)
  .map(([role, text]) => ({ role, text }));

// Each asks for one turn in words close to its own.
const OBVIOUS = [
  {
    question: 'Does the date on a lid mean the day the thing gets thrown out?',
    evidence: 'The date on a lid is the day',
  },
  {
    question: 'Are the cold rooms orange = K2, green = K5 and white = K7?',
    evidence: 'The K numbers are cold rooms.',
  },
];

let embedder: Embedder;
beforeAll(async () => {
  // Vectors are shared by the systems, as in a run.
  // One thread: a second one spins while it waits, which other tests pay for.
  const model = await createNodeEmbedder(undefined, { threads: 1 });
  const kept = new Map<string, Float32Array>();
  embedder = {
    stamp: model.stamp,
    async embed(texts, options) {
      const missing = [...new Set(texts)].filter((text) => !kept.has(text));
      const made = await model.embed(missing, options);
      for (const [i, text] of missing.entries()) kept.set(text, made[i]!);
      return texts.map((text) => kept.get(text)!);
    },
    embedTokens: (texts, options) => model.embedTokens(texts, options),
  };
}, 60_000);

test.each(SYSTEMS.map((system) => [system.name, system] as const))(
  '%s finds obvious evidence with the shipped model',
  async (_, system) => {
    const memory = await system.create({ embedder });
    await memory.append(thread);
    for (const { question, evidence } of OBVIOUS) {
      const { units, context } = await memory.retrieve(question);
      expect(units.slice(0, 5).map(unitText).join('\n'), question).toContain(evidence);
      expect(context.map(partText).join('\n'), question).toContain(evidence);
    }
  },
  120_000,
);

function unitText({ ranges, text }: RetrievedUnit): string {
  return text ?? ranges.map(([start, end]) => textOf(start, end)).join('\n');
}

function partText(part: ContextPart): string {
  return part.kind === 'text' ? part.text : textOf(part.start, part.end);
}

function textOf(start: number, end: number): string {
  return thread
    .slice(start, end)
    .map(({ text }) => text)
    .join('\n');
}
