import { defineConfig } from 'vite';
import { runtimeFiles } from './scripts/vite-runtime-files.ts';

export default defineConfig({
  // Relative, so that the built site works under any path of a static host.
  base: './',
  build: { target: 'es2022', sourcemap: true },
  plugins: [runtimeFiles()],
  worker: { format: 'es' },
});
