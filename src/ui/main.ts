import { toSkeinError } from '../core/errors.ts';
import type { EngineApi } from '../engine/contract.ts';
import { App } from './app.ts';
import { applyTheme } from './theme.ts';

applyTheme();

/**
 * The engine of the worker or, while developing, one in memory (`?preview=...`). In a box, since the worker's
 * proxy answers to every name and a promise would take it for another promise.
 */
async function connect(): Promise<{ api: EngineApi }> {
  if (import.meta.env.DEV) {
    const start = new URLSearchParams(location.search).get('preview');
    if (start !== null) return { api: (await import('./preview/preview-engine.ts')).previewEngine(start) };
  }
  const { connectEngine } = await import('../engine/client.ts');
  return connectEngine();
}

try {
  const { api } = await connect();
  // For developers and benches: the engine in the console, as in `await skein.listThreads()`.
  Object.assign(globalThis, { skein: api });
  const app = new App();
  app.engine = api;
  document.body.append(app);
} catch (error) {
  const { message, remedy } = toSkeinError(error);
  const note = document.createElement('p');
  note.className = 'start-failed';
  note.setAttribute('role', 'alert');
  note.textContent = `Skein could not start. ${message} ${remedy}`;
  document.body.append(note);
}
