import { fileURLToPath } from 'node:url';
import { readDistractors } from '../src/bench/distractors.ts';
import { localFile, openSource } from '../src/bench/node/local-source.ts';
import { readPool } from '../src/bench/package-reader.ts';
import type { Pool } from '../src/bench/pool.ts';

const PACKAGES = new URL('../public/packages/', import.meta.url);
const BUNDLED = ['scaleqa-dev', 'worlds-dev', 'noise-chats'];
/** The distractors of a bundled pool when none are named. */
const OWN_NOISE = 'noise-chats';

/** The pool at `place`, a path or the name of a bundled one, with the distractors of `noise`. */
export async function loadPool(
  place: string,
  noise: readonly string[] | undefined,
  mode?: string,
): Promise<Pool> {
  const pool = await readPool(await openSource(pathOf(place)), mode);
  const named = noise ?? (BUNDLED.includes(place) ? [OWN_NOISE] : []);
  const files = await Promise.all(named.map((one) => localFile(pathOf(one))));
  const { dialogues, problems } = await readDistractors(files);
  return {
    ...pool,
    name: pool.name.replace(/\.jsonl?$/, ''),
    noise: [...pool.noise, ...dialogues],
    problems: [...pool.problems, ...problems],
  };
}

function pathOf(place: string): string {
  return BUNDLED.includes(place) ? fileURLToPath(new URL(`${place}.jsonl`, PACKAGES)) : place;
}
