import { toSkeinError } from '../core/errors.ts';
import type { EngineApi } from '../engine/contract.ts';
import { App } from './app.ts';
import { applyTheme } from './theme.ts';

applyTheme();

/**
 * The engine of the worker or, while developing, one in memory (`?preview=...`). In a box, since the worker's
 * proxy answers to every name and a promise would take it for another promise.
 */
async function connect(): Promise<{
  api: EngineApi;
  connectLab?: App['connectLab'];
  answers?: App['answers'];
  models?: App['models'];
}> {
  if (import.meta.env.DEV) {
    const start = new URLSearchParams(location.search).get('preview');
    if (start !== null) {
      const { previewEngine } = await import('./preview/preview-engine.ts');
      const connectLab = async () => (await import('./preview/preview-lab.ts')).previewLab();
      const { previewAnswers } = await import('./preview/preview-answers.ts');
      const { previewModels } = await import('./preview/preview-models.ts');
      const { models } = previewModels();
      const answers = start === 'answers' ? previewAnswers() : models;
      return { api: previewEngine(start), connectLab, answers, models };
    }
  }
  const { connectEngine } = await import('../engine/client.ts');
  return connectEngine();
}

try {
  const { api, connectLab, answers, models } = await connect();
  // For developers and benches: the engine in the console, as in `await skein.listThreads()`.
  Object.assign(globalThis, { skein: api });
  const app = new App();
  app.engine = api;
  if (connectLab) app.connectLab = connectLab;
  if (answers) app.answers = answers;
  if (models) app.models = models;
  document.body.append(app);
} catch (error) {
  const { message, remedy } = toSkeinError(error);
  const note = document.createElement('p');
  note.className = 'start-failed';
  note.setAttribute('role', 'alert');
  note.textContent = `Skein could not start. ${message} ${remedy}`;
  document.body.append(note);
}
