/**
 * Takes what @mlc-ai/web-llm says of the models we offer out of its list into a small module, so that a page need not
 * load the package (6 MB) to show them. Run after an update of the package: npx tsx scripts/webllm-models.ts
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { prebuiltAppConfig } from '@mlc-ai/web-llm';
import {
  FAMILIES,
  LIBRARY_HOST,
  MODEL_HOST,
  type Prebuilt,
  prebuiltName,
} from '../src/answer/webllm/families.ts';

export const TARGET = new URL('../src/answer/webllm/prebuilt.generated.ts', import.meta.url);

/** The text of the generated module. Throws where the package has no such model. */
export function prebuiltModule(): string {
  const entries = FAMILIES.flatMap((family) => family.builds.map((build) => prebuiltName(family, build)));
  const table = Object.fromEntries(entries.map((name) => [name, prebuilt(name)]));
  return `// Made by scripts/webllm-models.ts from @mlc-ai/web-llm; not to be edited.
import type { Prebuilt } from './families.ts';

export const PREBUILT: Readonly<Record<string, Prebuilt>> = ${JSON.stringify(table, null, 2)};
`;
}

function prebuilt(name: string): Prebuilt {
  const record = prebuiltAppConfig.model_list.find((one) => one.model_id === name);
  const contextWindow = record?.overrides?.context_window_size;
  if (!record?.vram_required_MB || !contextWindow) throw new Error(`@mlc-ai/web-llm has no ${name}.`);
  return {
    repository: below(MODEL_HOST, record.model),
    library: below(LIBRARY_HOST, record.model_lib),
    memoryMb: record.vram_required_MB,
    contextWindow,
  };
}

function below(host: string, url: string): string {
  if (!url.startsWith(host)) throw new Error(`${url} does not lie below ${host}.`);
  return url.slice(host.length);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(TARGET, prebuiltModule());
