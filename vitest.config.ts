import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { chatServer } from './test/chat-server.ts';
import { chromiumLaunch } from './test/chromium.ts';
import { ggufUnderTest } from './test/gguf-file.ts';

export default defineConfig({
  test: {
    projects: [
      {
        extends: './vite.config.ts',
        test: {
          name: 'unit',
          environment: 'node',
          include: ['test/unit/**/*.test.ts'],
          // Generous: property tests are slow on a busy machine, and no test is about time.
          testTimeout: 60_000,
          // Files share a process, which spares a third of the work: a test that changes a global puts it back.
          isolate: false,
          maxWorkers: 2,
        },
      },
      {
        extends: './vite.config.ts',
        plugins: [ggufUnderTest(), chatServer()],
        // Found only once a worker runs, they would be bundled in the middle of a test, which reloads its page.
        optimizeDeps: {
          include: [
            '@mlc-ai/web-llm',
            '@noble/hashes/legacy.js',
            '@noble/hashes/sha2.js',
            '@noble/hashes/utils.js',
            '@wllama/wllama',
          ],
        },
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 60_000,
          expect: { poll: { timeout: 15_000 } },
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({ launchOptions: chromiumLaunch() }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
});
