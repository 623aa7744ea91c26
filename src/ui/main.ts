import { SkeinError, toSkeinError } from '../core/errors.ts';
import type { EngineApi } from '../engine/contract.ts';
import { App } from './app.ts';
import { applyTheme } from './theme.ts';

applyTheme();

/** The engine's client; a glob, since the page can be worked on before there is one. */
const clients = import.meta.glob<{ connectEngine(): { api: EngineApi } | Promise<{ api: EngineApi }> }>(
  '../engine/client.ts',
);

/** The engine of the worker or, while developing, one in memory (`?preview=...`). */
async function connect(): Promise<EngineApi> {
  if (import.meta.env.DEV) {
    const start = new URLSearchParams(location.search).get('preview');
    if (start !== null) return (await import('./preview/preview-engine.ts')).previewEngine(start);
  }
  const connectEngine = clients['../engine/client.ts'];
  if (!connectEngine)
    throw new SkeinError('internal', 'This build has no engine.', 'Open it with ?preview while developing.');
  return (await (await connectEngine()).connectEngine()).api;
}

try {
  const app = new App();
  app.engine = await connect();
  document.body.append(app);
} catch (error) {
  const { message, remedy } = toSkeinError(error);
  const note = document.createElement('p');
  note.className = 'start-failed';
  note.setAttribute('role', 'alert');
  note.textContent = `Skein could not start. ${message} ${remedy}`;
  document.body.append(note);
}
