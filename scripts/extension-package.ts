import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { build, type Plugin } from 'vite';
import {
  type BrowserTarget,
  type ManifestOptions,
  manifest,
  POLICY_OF_PAGE,
} from '../src/extension/manifest.ts';

export interface ExtensionOptions extends Omit<ManifestOptions, 'version'> {
  /** A build of the site, whose pages, workers, models and runtime the extension takes over as they are. */
  readonly site: string;
  /** The folder to be made, to be loaded into the browser as it is. */
  readonly folder: string;
  /** Whether a file of the site comes along; left out: all that belong to the app. */
  readonly wants?: (path: string) => boolean;
}

/**
 * What of the site makes no sense in an extension: it is there without a network anyway, and an engine whose models
 * bring compiled code of their own must not run.
 */
const SITE_ONLY = /^service-worker\.|^manifest\.webmanifest$|^assets\/webllm-engine-|\.map$/;
const SOURCE = 'src/extension';
const PANEL = ['<link rel="stylesheet" href="./panel.css" />', '<script src="./panel.js" defer></script>'];

/** Makes one extension out of a build of the site: its pages, and the extension's own scripts beside them. */
export async function packExtension(options: ExtensionOptions): Promise<void> {
  const { site, folder, target, wants = () => true } = options;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await cp(site, folder, {
    recursive: true,
    filter: (source) => {
      const path = relative(site, source);
      return !SITE_ONLY.test(path) && wants(path);
    },
  });
  await cp(join(SOURCE, 'icons'), join(folder, 'icons'), { recursive: true });
  await cp(join(SOURCE, 'panel/panel.css'), join(folder, 'panel.css'));
  await writeFile(join(folder, 'index.html'), await pageOf(site));
  const worker = await engineWorkerOf(site);
  for (const [name, entry] of Object.entries(scriptsFor(target))) {
    await buildScript(name, join(SOURCE, entry), folder, worker);
  }
  if (target === 'chromium')
    await cp(join(SOURCE, 'offscreen/offscreen.html'), join(folder, 'offscreen.html'));
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
  const json = manifest({ ...options, version });
  await writeFile(join(folder, 'manifest.json'), `${JSON.stringify(json, null, 2)}\n`);
}

function scriptsFor(target: BrowserTarget): Record<string, string> {
  return {
    content: 'content/content.ts',
    background: `background/${target}.ts`,
    panel: 'panel/panel.ts',
    ...(target === 'chromium' && { offscreen: 'offscreen/offscreen.ts' }),
  };
}

/** One classic script without chunks: what content scripts must be, and what all browsers take for the others. */
async function buildScript(name: string, entry: string, folder: string, worker: string): Promise<void> {
  await build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    plugins: [siteWorker(worker)],
    define: { 'import.meta.env.DEV': 'false' },
    build: {
      target: 'es2022',
      outDir: folder,
      emptyOutDir: false,
      lib: { entry, name: `skein_${name}`, formats: ['iife'], fileName: () => `${name}.js` },
    },
  });
}

/** The engine worker is the one that the site's build made: built twice, it would come with all its chunks again. */
function siteWorker(worker: string): Plugin {
  const inSource = "new URL('../../workers/engine.worker.ts', import.meta.url)";
  return {
    name: 'skein-site-worker',
    enforce: 'pre',
    transform: (code) =>
      code.includes(inSource)
        ? { code: code.replace(inSource, `new URL('${worker}', document.baseURI)`), map: null }
        : undefined,
  };
}

async function engineWorkerOf(site: string): Promise<string> {
  const names = (await readdir(join(site, 'assets'))).filter((name) => /^engine\.worker-.*\.js$/.test(name));
  if (names.length !== 1)
    throw new Error(`${site}/assets has ${names.length} engine workers in place of one.`);
  return `assets/${names[0]}`;
}

/** The page of the app with the extension's part of it. It states the policy that holds, which the app asks. */
async function pageOf(site: string): Promise<string> {
  const page = await readFile(join(site, 'index.html'), 'utf8');
  const extended = page
    .replace(/(<meta http-equiv="Content-Security-Policy" content=")[^"]*/, `$1${POLICY_OF_PAGE}`)
    .replace(/<link rel="manifest"[^>]*>/, '')
    .replace('</head>', `  ${PANEL.join('\n    ')}\n  </head>`);
  if (!extended.includes('panel.js')) throw new Error(`${site}/index.html has no </head>.`);
  if (!extended.includes(POLICY_OF_PAGE)) throw new Error(`${site}/index.html states no policy.`);
  return extended;
}
