import { chromePort } from './extension-port.ts';
import { startOnPage } from './start.ts';

void startOnPage(chromePort());
