import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { EndpointEngine } from '../src/answer/endpoint/endpoint-engine.ts';
import { endpointModel } from '../src/answer/endpoint/models.ts';
import { markdown } from '../src/bench/tables.ts';
import { SkeinError } from '../src/core/errors.ts';
import { createCachedEmbedder } from '../src/embed/node/cached-embedder.ts';
import type { ProbeAnswering } from '../src/replay/answering.ts';
import { DEFAULT_CONDITIONS, findCondition } from '../src/replay/conditions.ts';
import { readCorpus } from '../src/replay/corpus-reader.ts';
import { ledger, reportText, summaryTable, trajectoriesCsv } from '../src/replay/report.ts';
import { QUERY_EFFECTS } from '../src/replay/result.ts';
import { replay } from '../src/replay/runner.ts';
import { trajectories } from '../src/replay/summary.ts';
import { trajectoryPlot } from '../src/replay/trajectory-plot.ts';
import { MECHANISMS } from '../src/systems/ice/switches.ts';
import { modelBuilders } from '../src/systems/model-builders.ts';
import { runCommand, StatusLine } from './command.ts';

const EXAMPLE = new URL('../public/packages/lsrep-example/corpus.jsonl', import.meta.url);

const USAGE = `npm run lsrep -- --corpus example|FILE --systems ${DEFAULT_CONDITIONS.join(',')} --out FOLDER

  --corpus FILE        a corpus in JSON Lines (docs/lsrep.md); example: the bundled one (default)
  --systems NAMES      any system of npm run scaleqa, and ICE without some mechanisms: ice-without:decay+clusters
                       (${MECHANISMS.join(', ')})
  --against NAME       compares every condition with this one (the first)
  --effects NAME       side effects of questions: ${QUERY_EFFECTS.join(' or ')} (apply)
  --window N           tokens that a prompt may have; a longer one is a missing output (32000)
  --embedder NAME      folder of a local model, or the name of one beside the shipped one
  --no-cache           embeds everything anew instead of keeping vectors in .cache/vectors
  --endpoint URL       answers with a model behind the OpenAI chat protocol, --model NAME, --context N (its tokens);
                       left out: contexts alone are scored
  --build              that model also builds the systems that their papers have one build (ICE's codex and summaries)
  --out FOLDER         ledger.jsonl, trajectories.csv and .svg, report.md`;

const text = { type: 'string' } as const;

function readOptions() {
  const { values } = parseArgs({
    options: {
      corpus: { ...text, default: 'example' },
      systems: { ...text, default: DEFAULT_CONDITIONS.join(',') },
      against: text,
      effects: { ...text, default: 'apply' },
      window: { ...text, default: '32000' },
      embedder: text,
      'no-cache': { type: 'boolean', default: false },
      endpoint: text,
      model: text,
      build: { type: 'boolean', default: false },
      context: { ...text, default: '32000' },
      out: text,
    },
  });
  const conditions = values.systems.split(',').map(findCondition);
  const queryEffects = QUERY_EFFECTS.find((known) => known === values.effects);
  const [window, context] = [Number(values.window), Number(values.context)];
  const against = values.against ?? conditions[0]!.name;
  if (!values.out || !queryEffects || !(window > 0) || !(context > 0)) throw usage('Something is missing.');
  if (!conditions.some(({ name }) => name === against))
    throw usage(`--against ${against} is not among --systems.`);
  if ((values.endpoint === undefined) !== (values.model === undefined)) {
    throw usage('--endpoint and --model go together.');
  }
  if (values.build && values.endpoint === undefined) throw usage('--build needs --endpoint.');
  return { ...values, out: values.out, conditions, queryEffects, window, context, against };
}

function usage(message: string): SkeinError {
  return new SkeinError('bad-argument', message, USAGE);
}

async function openAnswering(options: ReturnType<typeof readOptions>): Promise<ProbeAnswering | undefined> {
  const { endpoint: url, model, context: contextWindow } = options;
  if (url === undefined || model === undefined) return undefined;
  const engine = new EndpointEngine({ hosts: 'any' });
  await engine.load(endpointModel({ url, model, contextWindow }, { hosts: 'any' }));
  return { engine, name: `${model} behind an endpoint, temperature 0` };
}

async function main(): Promise<void> {
  const options = readOptions();
  const file = options.corpus === 'example' ? EXAMPLE : options.corpus;
  const corpus = await readCorpus(await readFile(file, 'utf8'), options.corpus);
  const status = new StatusLine();
  const answering = await openAnswering(options);
  const { name, version } = JSON.parse(
    await readFile(new URL('../package.json', import.meta.url), 'utf8'),
  ) as { name: string; version: string };
  const result = await replay(corpus, {
    conditions: options.conditions,
    embedder: await createCachedEmbedder({ model: options.embedder, cache: !options['no-cache'] }),
    queryEffects: options.queryEffects,
    window: options.window,
    answering,
    builder:
      answering && options.build
        ? { name: answering.name, builders: modelBuilders(answering.engine) }
        : undefined,
    engine: `${name} ${version}`,
    onProgress: ({ done, total }, place) => status.show(`${done} of ${total}: ${place}`),
  });
  status.clear();
  await mkdir(options.out, { recursive: true });
  await writeFile(join(options.out, 'ledger.jsonl'), ledger(result));
  await writeFile(join(options.out, 'trajectories.csv'), trajectoriesCsv(result));
  await writeFile(join(options.out, 'trajectories.svg'), trajectoryPlot(trajectories(result)));
  await writeFile(join(options.out, 'report.md'), reportText(result, options.against));
  process.stdout.write(`${markdown(summaryTable(result))}\n`);
}

runCommand(main);
