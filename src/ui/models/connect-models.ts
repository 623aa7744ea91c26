import type { AnswerEngine } from '../../answer/answer-engine.ts';
import { catalogue } from '../../answer/catalogue.ts';
import type { AnswerClient } from '../../answer/client.ts';
import { detectDevice, fits } from '../../answer/device.ts';
import { browserModelFiles } from '../../answer/files/open-model-files.ts';
import type { EngineKind } from '../../answer/models.ts';
import { siteBase } from '../../runtime/site.ts';
import { requestPersistence } from '../../store/storage-state.ts';
import { ModelSettings } from './model-settings.ts';
import { ModelsSession } from './models-session.ts';

/**
 * The language models of this browser. What is large (the lists, the worker, the engines that run in the page) is
 * fetched when it is first needed.
 */
export function connectModels(): ModelsSession {
  const files = browserModelFiles();
  const settings = new ModelSettings();
  let client: AnswerClient | undefined;
  let sentKey: string | undefined;
  const inPage = new Map<EngineKind, Promise<AnswerEngine>>();
  const session = new ModelsSession({
    files,
    settings,
    detectDevice,
    fits,
    persist: requestPersistence,
    async catalogue(own, device) {
      const { modelTables } = await import('../../answer/tables.ts');
      return catalogue({ ...(await modelTables()), own }, device);
    },
    async download(model, options) {
      const { downloadModel } = await import('../../answer/download-model.ts');
      await downloadModel(model, files, siteBase(), options);
    },
    async connect(model, key) {
      const { PAGE_ENGINES } = await import('../../answer/engines.ts');
      const create = PAGE_ENGINES[model.engine];
      if (create) {
        const known = inPage.get(model.engine) ?? create({ files, site: siteBase(), key: () => undefined });
        inPage.set(model.engine, known);
        return known;
      }
      const { AnswerClient } = await import('../../answer/client.ts');
      client ??= new AnswerClient();
      // A new key makes the client load again, so it is told only of a change.
      if (sentKey !== key) client.setKey(key);
      sentKey = key;
      return client;
    },
  });
  // Another tab has chosen, added or removed a model.
  window.addEventListener('storage', ({ key }) => {
    if (key === null || settings.owns(key)) void session.refresh().catch(() => {});
  });
  return session;
}
