/**
 * Whether this page's Content Security Policy, as its meta element states it, lets the page and its workers fetch from
 * `url`. Where none is stated (the development server, a worker), everything may be fetched.
 */
export function mayFetch(url: string, policy = statedPolicy()): boolean {
  const directives = new Map<string, readonly string[]>();
  for (const directive of (policy ?? '').split(';')) {
    const [name = '', ...sources] = directive.trim().split(/\s+/);
    // Of two of one name the first counts.
    if (!directives.has(name.toLowerCase())) directives.set(name.toLowerCase(), sources);
  }
  const sources = directives.get('connect-src') ?? directives.get('default-src');
  if (sources === undefined) return true;
  const target = new URL(url);
  return sources.some((source) => matches(source, target));
}

const SCHEME_SOURCE = /^([a-z][a-z\d+.-]*:)$/i;
const HOST_SOURCE = /^(?:([a-z][a-z\d+.-]*:)\/\/)?([^/:]+)(?::(\d+|\*))?(\/.*)?$/i;
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** Whether a source expression takes in `url` (CSP Level 3, "Does url match expression"), without redirects. */
function matches(source: string, url: URL): boolean {
  if (source === "'self'") return url.origin === globalThis.location?.origin;
  if (source === '*') return url.protocol in DEFAULT_PORTS;
  const [, only] = SCHEME_SOURCE.exec(source) ?? [];
  if (only !== undefined) return isScheme(only, url);
  const [, scheme = globalThis.location?.protocol, host, port, path = ''] = HOST_SOURCE.exec(source) ?? [];
  if (host === undefined || scheme === undefined) return false;
  return isScheme(scheme, url) && isHost(host, url) && isPort(port, url) && isPath(path, url);
}

/** `http:` stands for its safer successor, too. */
function isScheme(scheme: string, { protocol }: URL): boolean {
  const wanted = scheme.toLowerCase();
  return wanted === protocol || (wanted === 'http:' && protocol === 'https:');
}

function isHost(host: string, { hostname }: URL): boolean {
  const wanted = host.toLowerCase();
  return (
    wanted === '*' || (wanted.startsWith('*.') ? hostname.endsWith(wanted.slice(1)) : wanted === hostname)
  );
}

function isPort(port: string | undefined, url: URL): boolean {
  const standard = DEFAULT_PORTS[url.protocol];
  return port === '*' || (port ?? standard) === (url.port || standard);
}

/** A folder, with a slash at its end, stands for all below it. */
function isPath(path: string, { pathname }: URL): boolean {
  return path === '' || (path.endsWith('/') ? pathname.startsWith(path) : pathname === path);
}

function statedPolicy(): string | undefined {
  if (typeof document === 'undefined') return undefined;
  return document.querySelector<HTMLMetaElement>('meta[http-equiv="Content-Security-Policy" i]')?.content;
}
