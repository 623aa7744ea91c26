// Asks the embedded language model eight easy questions, each with the passage that tells and another one: what a
// change of the prompt's words does to a very small model. usage: npx tsx scripts/models/easy-questions.ts
import { citations } from '../../src/answer/citations.ts';
import { buildPrompt } from '../../src/answer/prompt.ts';
import { createNodeAnswerEngine } from '../../src/answer/transformers/node/node-engine.ts';
import type { Turn } from '../../src/core/turn.ts';
import { runCommand } from '../command.ts';

const CASES: readonly { readonly said: string; readonly asked: string; readonly wanted: RegExp }[] = [
  {
    said: 'I moved the spare key. It is now under the blue flowerpot.',
    asked: 'Where is the spare key?',
    wanted: /flowerpot/,
  },
  {
    said: 'My sister Mara visits on the 4th of May and is allergic to peanuts.',
    asked: 'What is Mara allergic to?',
    wanted: /peanut/,
  },
  {
    said: 'We booked the dentist for Tuesday at 9:40.',
    asked: 'When is the dentist appointment?',
    wanted: /Tuesday|9:40/,
  },
  {
    said: 'The router password is maple-tree-77.',
    asked: 'What is the router password?',
    wanted: /maple-tree-77/,
  },
  {
    said: 'Our landlord is called Mr. Okafor.',
    asked: 'What is the name of our landlord?',
    wanted: /Okafor/,
  },
  {
    said: 'I parked the car on level 3 of the garage.',
    asked: 'Which level did I park the car on?',
    wanted: /3/,
  },
  {
    said: 'The cake needs 250 grams of butter.',
    asked: 'How much butter does the cake need?',
    wanted: /250/,
  },
  { said: 'Grandma was born in Trieste.', asked: 'Where was grandma born?', wanted: /Trieste/ },
];

async function main(): Promise<void> {
  const engine = await createNodeAnswerEngine();
  let right = 0;
  let cited = 0;
  for (const [i, { said, asked, wanted }] of CASES.entries()) {
    const other = CASES[(i + 3) % CASES.length]!;
    const prompt = await buildPrompt({
      passages: [
        { score: 0.9, turns: [turn(12, said), turn(13, 'Noted.')] },
        { score: 0.5, turns: [turn(80, other.said), turn(81, 'I will remember that.')] },
      ],
      recent: [],
      question: asked,
      threadLength: 400,
      now: 0,
      budget: 2_000,
      countTokens: (messages) => engine.countTokens(messages),
    });
    const { text } = await engine.generate(prompt.messages, { maxTokens: 24 });
    if (wanted.test(text)) right++;
    if (citations(text, prompt.passages).length > 0) cited++;
    process.stdout.write(`${wanted.test(text) ? 'right' : 'wrong'}: ${asked} ${text}\n`);
  }
  process.stdout.write(`${right} of ${CASES.length} right, ${cited} with a citation\n`);
}

function turn(index: number, text: string): Turn {
  return { index, role: index % 2 === 0 ? 'user' : 'model', text };
}

runCommand(main);
