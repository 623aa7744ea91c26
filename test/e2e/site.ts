import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Plugin, preview } from 'vite';
import { POLICY_HEADER } from '../../src/service-worker/policy.ts';

/** Where `build-site.ts` puts the build under test; apart from `dist`, which a person may be using. */
export const SITE_FOLDER = '.cache/site';

/** The sites are served below a folder, as many static hosts do. */
const BASE = '/skein/';
const REPORT_PATH = `${BASE}csp-report`;

export interface Site {
  /** Address of the page, with a slash at its end. */
  readonly url: string;
  /** Other answers for paths below the site, such as `models/x/config.json`. */
  readonly answers: Map<string, (response: ServerResponse) => void>;
  /** Paths asked for below the site, in order. */
  readonly requested: string[];
  /** Policy violations that browsers reported, from pages and from workers of any depth. */
  readonly violations: string[];
  close(): Promise<void>;
}

export interface SiteOptions {
  /** False: a plain static host, without isolation and without a policy but the page's own. */
  readonly headers?: boolean;
  /**
   * Cores that the workers that compute believe to have; left out, those there are. Several browsers at once on a small
   * machine wait for each other's threads, which spin meanwhile: half as much work again, in twice the time.
   */
  readonly cores?: number;
}

/** The workers that start threads. */
const COMPUTING = /^assets\/(embed|answer)\.worker-[\w-]+\.js$/;

/** Serves the production build with `vite preview`. */
export async function serveSite({ headers = true, cores }: SiteOptions = {}): Promise<Site> {
  if (cores !== undefined) await demandComputing();
  const answers: Site['answers'] = new Map();
  const requested: string[] = [];
  const violations: string[] = [];
  const reports = { 'Content-Security-Policy': `${POLICY_HEADER}; report-uri ${REPORT_PATH}` };
  const answering: Plugin = {
    name: 'e2e-answers',
    configurePreviewServer(server) {
      server.middlewares.use((request, response, next) => {
        const [path = ''] = (request.url ?? '').split('?');
        if (path === REPORT_PATH) return void collect(request, response, violations);
        const below = path.startsWith(BASE) ? path.slice(BASE.length) : path;
        requested.push(below);
        const answer = answers.get(below);
        if (answer) answer(response);
        else if (cores && COMPUTING.test(below)) {
          const sent = server.config.preview.headers;
          sendWithCores(below, cores, response, sent).catch(next);
        } else next();
      });
    },
  };
  const server = await preview({
    ...(headers ? {} : { configFile: false, appType: 'mpa' }),
    base: BASE,
    build: { outDir: SITE_FOLDER },
    logLevel: 'error',
    preview: { host: '127.0.0.1', port: 0, ...(headers && { headers: reports }) },
    plugins: [answering],
  });
  const { port } = server.httpServer.address() as AddressInfo;
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= server.close();
    return closed;
  };
  return { url: `http://127.0.0.1:${port}${BASE}`, answers, requested, violations, close };
}

/** A worker under another name would have all the cores, unnoticed. */
async function demandComputing(): Promise<void> {
  const names = await readdir(`${SITE_FOLDER}/assets`);
  if (!names.some((name) => COMPUTING.test(`assets/${name}`)))
    throw new Error(`${SITE_FOLDER}/assets has no worker that ${COMPUTING} names: no cores can be set.`);
}

/** Sends a worker's script, which begins with saying how many cores there are. */
async function sendWithCores(
  path: string,
  cores: number,
  response: ServerResponse,
  headers: OutgoingHttpHeaders = {},
): Promise<void> {
  const script = await readFile(`${SITE_FOLDER}/${path}`, 'utf8');
  response.writeHead(200, { ...headers, 'content-type': 'text/javascript' });
  response.end(`Object.defineProperty(navigator, 'hardwareConcurrency', { value: ${cores} });${script}`);
}

function collect(request: IncomingMessage, response: ServerResponse, violations: string[]): void {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    violations.push(body);
    response.writeHead(204).end();
  });
}
