import { exposeWorker } from '../src/core/bridge.ts';
import { BrowserPlatform } from '../src/embed/browser-platform.ts';
import { EmbedService } from '../src/embed/service.ts';
import { KeptFiles } from '../src/runtime/kept-files.ts';

exposeWorker(new EmbedService(new BrowserPlatform(undefined, undefined, new KeptFiles())));
