import { readFile, writeFile } from 'node:fs/promises';
import { chromium } from 'playwright';
import { chromiumLaunch } from '../test/chromium.ts';

/** Renders the PNG icons of the manifest from the SVG ones: `npx tsx scripts/icons.ts`. */
const jobs = [
  { from: 'skein.svg', to: 'skein-192.png', size: 192 },
  { from: 'skein.svg', to: 'skein-512.png', size: 512 },
  { from: 'skein-maskable.svg', to: 'skein-maskable-512.png', size: 512 },
];

const folder = new URL('../public/icons/', import.meta.url);
const browser = await chromium.launch(chromiumLaunch());
for (const { from, to, size } of jobs) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  const drawing = await readFile(new URL(from, folder), 'utf8');
  await page.setContent(`<style>body{margin:0}svg{display:block;width:100vw}</style>${drawing}`);
  await writeFile(new URL(to, folder), await page.screenshot({ omitBackground: true }));
}
await browser.close();
