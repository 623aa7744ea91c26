import { WORKER_ENGINES } from '../src/answer/engines.ts';
import { browserModelFiles } from '../src/answer/files/open-model-files.ts';
import { AnswerService } from '../src/answer/service.ts';
import { exposeWorker } from '../src/core/bridge.ts';
import { siteBase } from '../src/runtime/site.ts';

exposeWorker(new AnswerService(WORKER_ENGINES, { files: browserModelFiles(), site: siteBase() }));
