import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { SkeinError } from '../src/core/errors.ts';
import { seededRandom } from '../src/core/random.ts';
import type { Checkpoint, History, Probe } from '../src/replay/corpus.ts';
import { CORPUS_FORMAT, readCorpus } from '../src/replay/corpus-reader.ts';
import { referenceAt } from '../src/replay/reference.ts';
import { runCommand } from './command.ts';
import { PASTE_KINDS, paste } from './lsrep-example/pastes.ts';

/** Writes the example corpus from the texts beside this script; the distractor dialogues fill the days between. */

const OUT = new URL('../public/packages/lsrep-example/', import.meta.url);
const NOISE = new URL('../public/packages/noise-chats.jsonl', import.meta.url);
/** Each history is filled up to about so many turns. */
const TURNS = 400;
const SEED = 7;
/** Words of a paste, drawn between these, and of one of the last ones, whose single turns pass 8,000 tokens. */
const PASTE_WORDS = [1400, 4200] as const;
const HUGE_WORDS = [6400, 7600] as const;
const HUGE_PASTES = 3;
/** The day from which on object numbers have their second prefix. */
const RENUMBERED = 30;

interface Turn {
  readonly role: 'user' | 'model';
  readonly text: string;
  readonly day: number;
  readonly conversation: string;
}

interface Episode {
  readonly day: number;
  readonly conversation: string;
  readonly turns: { role: 'user' | 'model'; text: string; paste?: string }[];
}

type Item = { readonly episode: Episode } | { readonly checkpoint: { name: string; day: number } };

interface Material {
  readonly head: { id: string; title: string; start: string };
  readonly matters: { id: string; terms: string[]; versions: string[][] }[];
  readonly probes: { type: string; matter: string; origin: string; version?: number; question: string }[];
  readonly items: Item[];
}

type Dialogue = readonly (readonly ['user' | 'model', string])[];

function parseMaterial(text: string): Material {
  const head = { id: '', title: '', start: '' };
  const matters: Material['matters'] = [];
  const probes: Material['probes'] = [];
  const items: Item[] = [];
  for (const line of text.split('\n')) {
    const fields = (rest: string) => rest.split('|').map((field) => field.trim());
    const episode = items.flatMap((item) => ('episode' in item ? [item.episode] : [])).at(-1);
    const speech = /^([UA]): (.*)$/.exec(line);
    if (line.startsWith('history ')) {
      const [id, title, start] = fields(line.slice(8));
      Object.assign(head, { id, title, start });
    } else if (line.startsWith('matter ')) {
      const [id, terms] = fields(line.slice(7));
      matters.push({ id: id!, terms: terms!.split(',').map((term) => term.trim()), versions: [] });
    } else if (line.startsWith('  ') && !episode) {
      matters.at(-1)!.versions.push(line.split(';').map((value) => value.trim()));
    } else if (line.startsWith('probe ')) {
      // A task asks for what holds now, too, but as something to be done.
      const [what, question] = fields(line.slice(6));
      const [type, matter, origin, version] = what!.split(' ');
      probes.push({
        type: type!,
        matter: matter!,
        origin: origin!,
        question: question!,
        ...(version && { version: Number(version) }),
      });
    } else if (line.startsWith('@ ')) {
      const [day, conversation] = line.slice(2).split(' ');
      items.push({ episode: { day: Number(day), conversation: conversation!, turns: [] } });
    } else if (line.startsWith('== ')) {
      const [name, day] = line.slice(3).split(' ');
      items.push({ checkpoint: { name: name!, day: Number(day) } });
    } else if (speech) {
      episode!.turns.push({ role: speech[1] === 'U' ? 'user' : 'model', text: speech[2]! });
    } else if (line.startsWith('P: ')) {
      episode!.turns.push({ role: 'user', text: '', paste: line.slice(3) });
    } else if (episode && (line !== '' || (episode.turns.at(-1)?.text.match(/```/g) ?? []).length === 1)) {
      episode.turns.at(-1)!.text += `\n${line}`;
    }
  }
  return { head, matters, probes, items };
}

/** Turns of an episode; a paste comes with what stands above it and a short reply. */
function turnsOf(episode: Episode, start: string, random: () => number): Turn[] {
  const { day, conversation } = episode;
  const between = ([low, high]: readonly [number, number]) => low + Math.floor(random() * (high - low));
  const ground = { random, start, day, prefix: day < RENUMBERED ? 'SR' : 'WC' };
  const pasted = (kind: string, words: number): Turn[] => {
    const { intro, text, reply } = paste(kind, words, ground);
    return [
      { role: 'user', text: `${intro}\n\`\`\`\n${text}\n\`\`\``, day, conversation },
      { role: 'model', text: reply, day, conversation },
    ];
  };
  return episode.turns.flatMap(({ role, text, paste: kind }) => {
    if (kind === undefined) return [{ role, text, day, conversation }];
    if (kind !== 'huge') return pasted(kind, between(PASTE_WORDS));
    return Array.from({ length: HUGE_PASTES }, () =>
      pasted(PASTE_KINDS[Math.floor(random() * PASTE_KINDS.length)]!, between(HUGE_WORDS)),
    ).flat();
  });
}

function build(material: Material, noise: Dialogue[], random: () => number): object[] {
  const { head, matters, probes, items } = material;
  const episodes = items.filter((item) => 'episode' in item).length;
  const own = items.map((item) => ('episode' in item ? turnsOf(item.episode, head.start, random) : []));
  const missing = TURNS - own.flat().length;
  const lines: object[] = [{ kind: 'history', ...head }];
  const evidence = new Map<string, { turn: number; text: string }[]>();
  let turns = 0;
  let filled = 0;
  let seen = 0;
  const push = ({ role, text, day, conversation }: Turn) => {
    const plain = text.replace(/\{\{([\w-]+:\d+)\|(.*?)\}\}/g, (_, version: string, words: string) => {
      evidence.set(version, [...(evidence.get(version) ?? []), { turn: turns, text: words }]);
      return words;
    });
    lines.push({ kind: 'turn', day, conversation, role, text: plain });
    turns++;
  };
  items.forEach((item, i) => {
    if ('checkpoint' in item) {
      lines.push({ kind: 'checkpoint', name: item.checkpoint.name, turns, day: item.checkpoint.day });
      return;
    }
    own[i]!.forEach(push);
    seen++;
    const { day, conversation } = item.episode;
    while (filled < (missing * seen) / episodes && noise.length > 0) {
      for (const [role, text] of noise.shift()!) {
        push({ role, text, day, conversation: `${conversation}-asides` });
        filled++;
      }
    }
  });
  for (const { id, terms, versions } of matters) {
    lines.push({
      kind: 'matter',
      id,
      terms,
      versions: versions.map((accept, v) => ({ accept, evidence: evidence.get(`${id}:${v}`) ?? [] })),
    });
  }
  for (const { type, matter, ...rest } of probes) {
    lines.push({
      kind: 'probe',
      id: `${matter}-${type}`,
      type: type === 'task' ? 'current' : type,
      matter,
      ...rest,
    });
  }
  return lines;
}

/** True when the probe's reference at the last checkpoint differs from that at its origin. */
function changes(history: History, probe: Probe): boolean {
  const origin = history.checkpoints.find(({ name }) => name === probe.origin)!;
  const names = (checkpoint: Checkpoint) =>
    referenceAt(history, probe, checkpoint)
      .wanted.map(({ accept }) => accept[0])
      .join();
  return names(origin) !== names(history.checkpoints.at(-1)!);
}

async function main(): Promise<void> {
  const noise = (await readFile(NOISE, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { dialogue: Dialogue }).dialogue);
  const random = seededRandom(SEED);
  const lines: object[] = [{ kind: 'corpus', format: CORPUS_FORMAT, name: 'lsrep-example' }];
  for (const name of ['tidewater', 'household', 'saltroads']) {
    const text = await readFile(new URL(`lsrep-example/${name}.txt`, import.meta.url), 'utf8');
    lines.push(...build(parseMaterial(text), noise, random));
  }
  const text = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
  const corpus = await readCorpus(text, 'corpus.jsonl');
  if (corpus.histories.length !== 3) throw new SkeinError('internal', 'A history is missing.');
  await mkdir(OUT, { recursive: true });
  await writeFile(new URL('corpus.jsonl', OUT), text);
  for (const history of corpus.histories) {
    const { id, turns, checkpoints, probes, matters } = history;
    const changing = probes.filter((probe) => changes(history, probe)).length;
    const tokens = turns.map(({ text }) => 1.3 * text.split(/\s+/).length);
    process.stderr.write(
      `${id}: ${turns.length} turns, ${tokens.reduce((a, b) => a + b).toFixed(0)} tokens, longest ${Math.max(...tokens).toFixed(0)}, ` +
        `over 2,000: ${tokens.filter((t) => t > 2000).length}, ${checkpoints.length} checkpoints, ${matters.length} matters, ${probes.length} probes, ${changing} of them with a reference that changes\n`,
    );
  }
}

runCommand(main);
