import { SkeinError } from '../../core/errors.ts';
import { readDistractors } from '../distractors.ts';
import { type FileSource, filesSource, urlSource, zipSource } from '../file-source.ts';
import { groupBy } from '../group-by.ts';
import { readPool } from '../package-reader.ts';
import { tokensOf } from '../packing.ts';
import { countProblems, type Dialogue, type Pool, questionsOf } from '../pool.ts';
import { stratumOf } from '../select.ts';
import type { PackageRequest, PackageSource, PoolSummary } from './contract.ts';
import { type Fetcher, fetchFile, reach } from './fetch-file.ts';

/** Problems that cross to the page; all of them are counted. */
const PROBLEMS_TOLD = 200;

/** Reads packages, and keeps the one read last: building, running and building again read once. */
export class Pools {
  private last: { readonly key: string; readonly pool: Promise<Pool> } | undefined;

  /** `base` is the address that bundled pools stand below. */
  constructor(
    private readonly base: string,
    private readonly fetcher?: Fetcher,
  ) {}

  read(request: PackageRequest): Promise<Pool> {
    const key = keyOf(request);
    if (this.last?.key === key) return this.last.pool;
    const pool = this.readAnew(request);
    this.last = { key, pool };
    pool.catch(() => {
      if (this.last?.pool === pool) this.last = undefined;
    });
    return pool;
  }

  private async readAnew({ source, bundledNoise, noiseFiles }: PackageRequest): Promise<Pool> {
    const pool = await readPool(await this.open(source));
    const bundled = await Promise.all(bundledNoise.map((name) => this.bundled(name)));
    const noise = await readDistractors([...bundled, ...noiseFiles]);
    return {
      ...pool,
      name: pool.name.replace(/\.jsonl?$/, ''),
      noise: [...pool.noise, ...noise.dialogues],
      problems: [...pool.problems, ...noise.problems],
    };
  }

  private async open(source: PackageSource): Promise<FileSource> {
    switch (source.kind) {
      case 'bundled': {
        const file = await this.bundled(source.pool);
        return filesSource(source.pool, [{ path: file.name, file }]);
      }
      case 'url':
        return this.openUrl(source.url);
      case 'files': {
        const [first] = source.files;
        const isZip = source.files.length === 1 && /\.zip$/i.test(first!.path);
        return isZip ? zipSource(first!.file) : filesSource(source.name, source.files);
      }
    }
  }

  /** A file by its own address, or a package's folder. */
  private async openUrl(url: string): Promise<FileSource> {
    if (!URL.canParse(url)) {
      throw new SkeinError('bad-argument', `"${url}" is no address.`, 'Give one that begins with https://.');
    }
    const name = new URL(url).pathname.split('/').at(-1) ?? '';
    if (!/\.(?:zip|jsonl?|ndjson)(?:\.gz)?$/i.test(name))
      return urlSource(url, (input) => reach(input, this.fetcher));
    const file = await fetchFile(url, this.fetcher);
    return /\.zip$/i.test(name) ? zipSource(file) : filesSource(name, [{ path: name, file }]);
  }

  private bundled(name: string): Promise<File> {
    return fetchFile(new URL(`packages/${name}.jsonl`, this.base).href, this.fetcher);
  }
}

/** What a pool holds, counted. */
export function summarisePool({ name, cases, noise, problems }: Pool): PoolSummary {
  const questions = questionsOf(cases);
  const truth = cases.flatMap(({ dialogues }) => dialogues);
  const topics = [...groupBy(questions, stratumOf)].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    name,
    questions: questions.length,
    topics: topics.map(([topic, own]) => ({ name: topic, questions: own.length })),
    withOptions: questions.filter(({ options }) => options !== undefined).length,
    ...sizeOf(truth),
    noise: sizeOf(noise),
    problems: problems.slice(0, PROBLEMS_TOLD),
    problemCounts: countProblems(problems),
  };
}

function sizeOf(dialogues: readonly Dialogue[]) {
  return {
    dialogues: dialogues.length,
    turns: dialogues.reduce((sum, { turns }) => sum + turns.length, 0),
    tokens: dialogues.reduce((sum, { turns }) => sum + tokensOf(turns), 0),
  };
}

function keyOf({ source, bundledNoise, noiseFiles }: PackageRequest): string {
  const file = ({ name, size, lastModified }: File) => [name, size, lastModified];
  const own =
    source.kind === 'files' ? source.files.map(({ path, file: one }) => [path, ...file(one)]) : source;
  return JSON.stringify([own, bundledNoise, noiseFiles.map(file)]);
}
