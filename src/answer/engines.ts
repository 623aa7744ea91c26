import type { AnswerEngine } from './answer-engine.ts';
import type { ModelFiles } from './files/model-files.ts';
import type { EngineKind } from './models.ts';

/** What engines may need of the place they run in. */
export interface EngineGround {
  readonly files: ModelFiles;
  /** Absolute URL of the site's root folder, with a slash at its end. */
  readonly site: string;
  /** The key that the endpoint engine sends, if a person gave one. */
  readonly key: () => string | undefined;
}

export type EngineFactory = (ground: EngineGround) => Promise<AnswerEngine>;
export type EngineTable = Readonly<Partial<Record<EngineKind, EngineFactory>>>;

/** The engines of the answer worker. Each is a chunk of its own, fetched when the first of its models is chosen. */
export const WORKER_ENGINES: EngineTable = {
  transformers: async (ground) => {
    const [{ TransformersEngine }, { browserStart }] = await Promise.all([
      import('./transformers/transformers-engine.ts'),
      import('./transformers/browser-start.ts'),
    ]);
    return new TransformersEngine(browserStart(ground));
  },
  gguf: async (ground) => {
    const { GgufEngine } = await import('./gguf/gguf-engine.ts');
    return new GgufEngine(ground);
  },
  endpoint: async ({ key }) => {
    const { EndpointEngine } = await import('./endpoint/endpoint-engine.ts');
    return new EndpointEngine({ key });
  },
  webllm: async ({ files, site }) => {
    const { WebLlmEngine } = await import('./webllm/webllm-engine.ts');
    return new WebLlmEngine(files, site);
  },
};

/** Engines that a browser offers to pages only, never to workers. */
export const PAGE_ENGINES: EngineTable = {
  'prompt-api': async () => {
    const { PromptApiEngine } = await import('./prompt-api/prompt-api-engine.ts');
    return new PromptApiEngine();
  },
};
