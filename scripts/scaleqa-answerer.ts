import type { AnswerEngine } from '../src/answer/answer-engine.ts';
import { EndpointEngine } from '../src/answer/endpoint/endpoint-engine.ts';
import { endpointModel } from '../src/answer/endpoint/models.ts';
import { createNodeAnswerEngine } from '../src/answer/transformers/node/node-engine.ts';
import type { Answerer } from '../src/bench/answerer.ts';
import { EngineAnswerer } from '../src/bench/engine-answerer.ts';
import { type Builders, modelBuilders } from '../src/systems/model-builders.ts';
import type { AnswerChoice } from './scaleqa-options.ts';

/** Loads the model that answers, and has it build systems where that is asked for. */
export async function loadAnswerer({ model, threads, buildsSystems, ...options }: AnswerChoice): Promise<{
  readonly answerer: Answerer;
  readonly builder?: { readonly name: string; readonly builders: Builders };
}> {
  const engine = model === 'embedded' ? await createNodeAnswerEngine({ threads }) : await connect(model);
  const answerer = new EngineAnswerer(engine, options);
  const { name } = answerer;
  return { answerer, ...(buildsSystems && { builder: { name, builders: modelBuilders(engine) } }) };
}

async function connect({ url, name, window }: Exclude<AnswerChoice['model'], string>): Promise<AnswerEngine> {
  const engine = new EndpointEngine({ key: () => process.env.SKEIN_ANSWER_KEY });
  await engine.load(endpointModel({ url, model: name, contextWindow: window }));
  return engine;
}
