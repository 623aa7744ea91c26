import { name, version } from '../../../package.json';
import { AnswerClient } from '../../answer/client.ts';
import { EmbedClient } from '../../embed/client.ts';
import { siteBase } from '../../runtime/site.ts';
import { LabDatabase } from './lab-database.ts';
import { Pools } from './pools.ts';
import { webLocks } from './run-locks.ts';
import { LabService } from './service.ts';

/** The lab as its worker runs it: the site's own pools, the browser's database, an embed worker and an answer worker of its own. */
export function browserLab(): LabService {
  let client: EmbedClient | undefined;
  let answers: AnswerClient | undefined;
  return new LabService({
    database: () => LabDatabase.open(),
    pools: new Pools(siteBase()),
    locks: webLocks,
    engine: `${name} ${version}`,
    machine: `${browserName()}, ${navigator.hardwareConcurrency} cores`,
    openEmbedder: (model, onState, signal) => {
      client ??= new EmbedClient(model, onState);
      return client.open({ model }, { signal });
    },
    async openAnswerEngine(model, key, onProgress, signal) {
      answers ??= new AnswerClient();
      answers.setKey(key);
      await answers.load(model, { onProgress, signal });
      return answers;
    },
  });
}

/** As "Chromium 156", where the browser says it. */
function browserName(): string {
  const [, chrome] = /Chrom(?:e|ium)\/(\d+)/.exec(navigator.userAgent) ?? [];
  const [, firefox] = /Firefox\/(\d+)/.exec(navigator.userAgent) ?? [];
  const [, safari] = /Version\/(\d+).*Safari/.exec(navigator.userAgent) ?? [];
  if (firefox) return `Firefox ${firefox}`;
  if (chrome) return `Chromium ${chrome}`;
  return safari ? `Safari ${safari}` : 'a browser';
}
