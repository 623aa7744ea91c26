import { readFile, writeFile } from 'node:fs/promises';
import { chromium } from 'playwright';
import { chromiumLaunch } from '../test/chromium.ts';

/** Renders the PNG icons of the manifests from the SVG ones: `npx tsx scripts/icons.ts`. */
const SITE = '../public/icons/';
const EXTENSION = '../src/extension/icons/';
const jobs = [
  { from: 'skein.svg', to: `${SITE}skein-192.png`, size: 192 },
  { from: 'skein.svg', to: `${SITE}skein-512.png`, size: 512 },
  { from: 'skein-maskable.svg', to: `${SITE}skein-maskable-512.png`, size: 512 },
  ...[16, 32, 48, 128].map((size) => ({
    from: 'skein.svg',
    to: `${EXTENSION}extension-${size}.png`,
    size,
  })),
];

const browser = await chromium.launch(chromiumLaunch());
for (const { from, to, size } of jobs) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  const drawing = await readFile(new URL(SITE + from, import.meta.url), 'utf8');
  await page.setContent(`<style>body{margin:0}svg{display:block;width:100vw}</style>${drawing}`);
  await writeFile(new URL(to, import.meta.url), await page.screenshot({ omitBackground: true }));
}
await browser.close();
