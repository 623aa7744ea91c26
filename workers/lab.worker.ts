import { browserLab } from '../src/bench/lab/browser-lab.ts';
import { exposeWorker } from '../src/core/bridge.ts';

exposeWorker(browserLab());
