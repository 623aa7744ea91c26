import { exposeWorker } from '../src/core/bridge.ts';
import { BrowserPlatform } from '../src/embed/browser-platform.ts';
import { KeptFiles } from '../src/embed/kept-files.ts';
import { EmbedService } from '../src/embed/service.ts';

exposeWorker(new EmbedService(new BrowserPlatform(undefined, undefined, new KeptFiles())));
