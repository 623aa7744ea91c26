import { createWriteStream } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Zip, ZipDeflate, ZipPassThrough } from 'fflate';
import { build } from 'vite';
import type { BrowserTarget } from '../src/extension/manifest.ts';
import { packExtension } from './extension-package.ts';

/**
 * Builds the extension for Chromium and Firefox, as folders and as ZIP files:
 * `npm run build:extension [-- --site FOLDER] [--out FOLDER]`. Without `--site` the site is built first.
 */
const { values } = parseArgs({
  options: { site: { type: 'string' }, out: { type: 'string', default: 'dist-extension' } },
});
const site = values.site ?? '.cache/extension-site';
if (!values.site) await build({ build: { outDir: site, emptyOutDir: true }, logLevel: 'warn' });
for (const target of ['chromium', 'firefox'] satisfies BrowserTarget[]) {
  const folder = join(values.out, target);
  await packExtension({ site, folder, target });
  await zipFolder(folder, `${folder}.zip`);
  console.log(`${folder} and ${folder}.zip`);
}
if (!values.site) await rm(site, { recursive: true });

/** Models and runtimes are packed as they are: they hardly shrink, and would take minutes. */
async function zipFolder(folder: string, file: string): Promise<void> {
  const output = createWriteStream(file);
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    output.write(chunk);
  });
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(folder.length + 1).replaceAll('\\', '/');
    const part = /\.(js|mjs|json|jsonl|html|css|svg)$/.test(name)
      ? new ZipDeflate(name)
      : new ZipPassThrough(name);
    zip.add(part);
    part.push(await readFile(path), true);
  }
  zip.end();
  await new Promise<void>((resolve) => output.end(resolve));
}
