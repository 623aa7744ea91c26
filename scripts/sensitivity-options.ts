import { parseArgs } from 'node:util';
import { parseLength } from '../src/bench/packing.ts';
import { SkeinError } from '../src/core/errors.ts';
import { findSystem } from '../src/systems/registry.ts';
import type { SystemDescription } from '../src/systems/system.ts';
import { count, spreadNoise } from './scaleqa-options.ts';

export const USAGE = `npm run sensitivity -- threshold --length 128k --noise NOISE... --out TABLE.md --svg PLOT.svg
npm run sensitivity -- length --noise NOISE... --out TABLE.md --svg PLOT.svg
npm run sensitivity -- embedder --length 128k --noise NOISE... --values A,B --out TABLE.md --svg PLOT.svg

what is varied
  threshold            theta_s of tsim, all else the paper's: --values 0.1,0.2,...
  length               tokens of the thread: --values 16k,32k,...; systems: --systems
  embedder             what embeds: --values MODEL,MODEL+dims=128,...; systems: --systems
                       a MODEL is a model's folder, or the name of one beside the shipped one; behind it may stand
                       +dtype=fp32 (which weights), +cut (long texts cut in place of embedded in parts),
                       +dims=128 (only so many dimensions), +no-prefix (questions without the model's prefix)

  --package PLACE      scaleqa-dev (default), worlds-dev, or what npm run scaleqa takes
  --noise FILE...      distractors, as for npm run scaleqa
  --length N           tokens of the thread (128k); not for "length"
  --seed N             places dialogues and chooses distractors (1)
  --threads N          threads of the embedder; left out: one a core. One takes half the processor time
  --out FILE           the table in Markdown; --svg FILE the plot
  --results FOLDER     every run's whole result`;

export const VARIED = ['threshold', 'length', 'embedder'] as const;
export type Varied = (typeof VARIED)[number];

export interface SensitivityOptions {
  readonly varied: Varied;
  readonly values: readonly string[];
  readonly systems: readonly SystemDescription[];
  readonly place: string;
  readonly noise?: readonly string[];
  readonly length: number;
  readonly seed: number;
  readonly threads?: number;
  readonly out?: string;
  readonly svg?: string;
  readonly results?: string;
}

const VALUES: Readonly<Record<Varied, string>> = {
  threshold: '0.10,0.15,0.20,0.25,0.30,0.35,0.60,0.65,0.70,0.75,0.80',
  length: '16k,32k,64k,128k,512k,1M',
  embedder: 'all-MiniLM-L6-v2,all-MiniLM-L6-v2+cut,all-MiniLM-L6-v2+dims=192,all-MiniLM-L6-v2+dims=96',
};

const SYSTEMS_RUN: Readonly<Record<Varied, string>> = {
  threshold: '',
  length: 'standard-rag,bm25-256,hybrid-rrf,tsim,tsim-fitted,skein,control-c',
  embedder: 'standard-rag,fixed-256,tsim,tsim-fitted,skein,control-c',
};

const text = { type: 'string' } as const;

/** Reads the command line. Throws `bad-argument` with the usage. */
export function readSensitivityOptions(args: readonly string[]): SensitivityOptions {
  const { values, positionals } = parse(args);
  const [varied, ...rest] = positionals;
  if (!isVaried(varied) || rest.length > 0) throw usage(`What shall be varied: ${VARIED.join(', ')}?`);
  const systems = values.systems ?? SYSTEMS_RUN[varied];
  return {
    varied,
    values: (values.values ?? VALUES[varied]).split(','),
    systems: systems === '' ? [] : systems.split(',').map((name) => findSystem(name.trim())),
    place: values.package ?? 'scaleqa-dev',
    noise: values.noise,
    length: parseLength(values.length ?? '128k'),
    seed: count('seed', values.seed, 0) ?? 1,
    threads: count('threads', values.threads),
    out: values.out,
    svg: values.svg,
    results: values.results,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: spreadNoise(args),
      allowPositionals: true,
      options: {
        package: text,
        noise: { type: 'string', multiple: true },
        length: text,
        seed: text,
        threads: text,
        values: text,
        systems: text,
        out: text,
        svg: text,
        results: text,
      },
    });
  } catch (error) {
    throw usage((error as Error).message);
  }
}

function isVaried(name: string | undefined): name is Varied {
  return (VARIED as readonly (string | undefined)[]).includes(name);
}

function usage(message: string): SkeinError {
  return new SkeinError('bad-argument', message, USAGE);
}
