import { defineConfig } from 'vite';

export default defineConfig({
  // Relative, so that the built site works under any path of a static host.
  base: './',
  build: { target: 'es2022', sourcemap: true },
  worker: { format: 'es' },
});
