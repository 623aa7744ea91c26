import { exposeWorker } from '../src/core/bridge.ts';
import { browserReplay } from '../src/replay/lab/browser-replay.ts';

exposeWorker(browserReplay());
