import { name, version } from '../../../package.json';
import { AnswerClient } from '../../answer/client.ts';
import { IdbVectorCache } from '../../bench/lab/idb-vector-cache.ts';
import { LabDatabase } from '../../bench/lab/lab-database.ts';
import { SkeinError } from '../../core/errors.ts';
import { CachingEmbedder } from '../../embed/caching-embedder.ts';
import { EmbedClient } from '../../embed/client.ts';
import { SHIPPED_MODEL } from '../../embed/registry.ts';
import { siteBase } from '../../runtime/site.ts';
import { ReplayService } from './service.ts';

/** The replay as its worker runs it: the site's own corpus, an embed worker, vectors kept with the lab's. */
export function browserReplay(): ReplayService {
  let client: EmbedClient | undefined;
  let answers: AnswerClient | undefined;
  return new ReplayService({
    engine: `${name} ${version}`,
    async readExample() {
      const response = await fetch(new URL('packages/lsrep-example/corpus.jsonl', siteBase()));
      if (response.ok) return response.text();
      throw new SkeinError(
        'download-failed',
        `The example corpus answered ${response.status}.`,
        'Try again.',
      );
    },
    async openAnswerEngine(model, key, signal) {
      answers ??= new AnswerClient();
      answers.setKey(key);
      await answers.load(model, { signal });
      return answers;
    },
    async openEmbedder(signal) {
      client ??= new EmbedClient(SHIPPED_MODEL, () => {});
      const embedder = await client.open({ model: SHIPPED_MODEL }, { signal });
      return new CachingEmbedder(embedder, new IdbVectorCache(await LabDatabase.open(), embedder.stamp));
    },
  });
}
