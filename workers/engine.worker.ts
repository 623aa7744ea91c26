import { exposeWorker } from '../src/core/bridge.ts';
import { EmbedClient } from '../src/embed/client.ts';
import { Engine } from '../src/engine/engine.ts';

exposeWorker(new Engine((model, onState) => new EmbedClient(model, onState)));
