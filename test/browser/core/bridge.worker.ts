import { exposeWorker } from '../../../src/core/bridge.ts';
import { Fixture } from './bridge-fixture.ts';

exposeWorker(new Fixture());
