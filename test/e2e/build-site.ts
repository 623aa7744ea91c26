import { build } from 'vite';
import { SITE_FOLDER } from './site.ts';

/** Builds the site that all tests use. */
export default async function buildSite(): Promise<void> {
  await build({ build: { outDir: SITE_FOLDER, emptyOutDir: true }, logLevel: 'error' });
}
