/**
 * Makes the bundled demo thread (public/demo) out of the pools in public/packages: one person's conversations over
 * months, from one world, a sample of SCALE-QA dialogues and general chats, with example questions and ready-made
 * vectors. `--check` makes everything again and compares it with what is there.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { seededRandom, shuffled } from '../src/core/random.ts';
import type { NewTurn, Role } from '../src/core/turn.ts';
import { dot } from '../src/core/vectors.ts';
import { createNodeEmbedder } from '../src/embed/node/node-embedder.ts';
import type { DemoThread } from '../src/engine/demo.ts';

const SEED = 10;
const WORLD = 'world-10';
const TURNS = 1500;
const START = Date.UTC(2026, 0, 5);
const DAYS = 150;
const DAY_MS = 24 * 3600 * 1000;

/** Chosen for being understood without the thread, before anything was measured. */
const QUESTION_IDS = [
  'Daily-Life-002',
  'Social-Personal-005',
  'Biz-Ops-001',
  'Legal-024',
  'Game-Novel-021',
  'CS-Software-029',
  'Finance-001',
  'Engineering-018',
];
const WORLD_QUESTION_KINDS = ['exception', 'near_miss'];

type Dialogue = [Role, string][];
interface Dated {
  readonly day: number;
  readonly dialogue: Dialogue;
}
interface PoolRecord {
  readonly id: string;
  readonly dialogue: Dialogue;
  readonly query: string;
}
interface World {
  readonly id: string;
  readonly episodes: readonly Dated[];
  readonly questions: readonly { readonly kind: string; readonly query: string }[];
}

async function readPool<T>(name: string): Promise<T[]> {
  const text = await readFile(new URL(`../public/packages/${name}.jsonl`, import.meta.url), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);
}

async function makeThread(): Promise<Omit<DemoThread, 'stamp'>> {
  const records = await readPool<PoolRecord>('scaleqa-dev');
  const chats = await readPool<{ dialogue: Dialogue }>('noise-chats');
  const world = (await readPool<World>('worlds-dev')).find(({ id }) => id === WORLD)!;
  const random = seededRandom(SEED);
  const asked = QUESTION_IDS.map((id) => records.find((record) => record.id === id)!);
  const others = shuffled(
    records.filter((record) => !asked.includes(record)),
    random,
  );
  const dialogues: Dated[] = [...world.episodes];
  let turns = dialogues.reduce((sum, { dialogue }) => sum + dialogue.length, 0);
  const add = ({ dialogue }: { dialogue: Dialogue }) => {
    if (turns + dialogue.length > TURNS) return;
    turns += dialogue.length;
    dialogues.push({ day: Math.floor(random() * DAYS), dialogue });
  };
  asked.forEach(add);
  // Two task dialogues for one general chat, as far as there is room.
  shuffled(chats, random).forEach((chat, i) => {
    for (const record of others.slice(2 * i, 2 * i + 2)) add(record);
    add(chat);
  });
  const questions = [
    ...asked.map((record) => record.query),
    ...WORLD_QUESTION_KINDS.map((kind) => world.questions.find((q) => q.kind === kind)!.query),
  ];
  return { name: 'Demo: half a year of one thread', questions, turns: dated(dialogues, random) };
}

/** All turns in order of time: dialogues of one day follow each other at waking hours. */
function dated(dialogues: readonly Dated[], random: () => number): NewTurn[] {
  const placed = dialogues.map(({ day, dialogue }) => ({
    at: START + day * DAY_MS + Math.floor((8 + 13 * random()) * 3600) * 1000,
    dialogue,
  }));
  placed.sort((a, b) => a.at - b.at);
  let clock = 0;
  return placed.flatMap(({ at, dialogue }) => {
    clock = Math.max(clock + 60_000, at);
    return dialogue.map(([role, text]): NewTurn => {
      clock += 10_000 + Math.floor(random() * 80_000);
      return { role, text, time: clock };
    });
  });
}

async function main(): Promise<void> {
  const thread = await makeThread();
  const embedder = await createNodeEmbedder();
  const vectors = await embedder.embed(
    thread.turns.map((turn) => turn.text),
    { kind: 'passage' },
  );
  const json = `${JSON.stringify({ ...thread, stamp: embedder.stamp } satisfies DemoThread)}\n`;
  const folder = new URL('../public/demo/', import.meta.url);
  if (process.argv.includes('--check')) return check(folder, json, vectors);
  await mkdir(folder, { recursive: true });
  await writeFile(new URL('thread.json', folder), json);
  await writeFile(
    new URL('vectors.f32', folder),
    Buffer.concat(vectors.map((v) => new Uint8Array(v.buffer, v.byteOffset, v.byteLength))),
  );
  console.log(`${thread.turns.length} turns, ${thread.questions.length} questions`);
}

async function check(folder: URL, json: string, vectors: readonly Float32Array[]): Promise<void> {
  if ((await readFile(new URL('thread.json', folder), 'utf8')) !== json)
    throw new Error('thread.json differs.');
  const bytes = await readFile(new URL('vectors.f32', folder));
  const stored = new Float32Array(new Uint8Array(bytes).buffer);
  const cosines = vectors.map((v, i) => dot(v, stored.subarray(i * v.length, (i + 1) * v.length)));
  const least = Math.min(...cosines);
  console.log(`${vectors.length} vectors, least cosine ${least.toFixed(6)}`);
  if (least < 0.9999) throw new Error('The stored vectors are not those of the shipped model.');
}

await main();
