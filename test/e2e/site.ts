import type { IncomingMessage, ServerResponse } from 'node:http';
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

/**
 * Serves the production build with `vite preview`. With `headers: false` it is a plain static host: no isolation,
 * no policy but the page's own.
 */
export async function serveSite({ headers = true }: { headers?: boolean } = {}): Promise<Site> {
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
        else next();
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
