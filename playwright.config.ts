import { defineConfig } from '@playwright/test';

/** End-to-end tests: the production build in a real browser, with the real model and the real database. */
export default defineConfig({
  testDir: 'test/e2e',
  testMatch: '*.test.ts',
  globalSetup: './test/e2e/build-site.ts',
  // Each has a site and a browser of its own; one waits (for the disk, for a person) while the other computes.
  workers: 2,
  // Generous, for machines that are busy with other things; a quiet one needs a fraction of it.
  timeout: 240_000,
  expect: { timeout: 60_000 },
  reporter: [['list']],
  use: { viewport: { width: 1280, height: 800 }, locale: 'en-GB' },
});
