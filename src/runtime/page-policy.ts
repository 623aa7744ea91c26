/**
 * Whether this page's Content Security Policy, as its meta element states it, lets the page and its workers fetch from
 * `url`. Where none is stated (the development server, a worker), everything may be fetched.
 */
export function mayFetch(url: string, policy = statedPolicy()): boolean {
  const directives = new Map((policy ?? '').split(';').map((one) => splitFirst(one.trim())));
  const sources = directives.get('connect-src') ?? directives.get('default-src');
  if (sources === undefined) return true;
  const { origin } = new URL(url);
  return sources.split(/\s+/).some((source) => matches(source, origin));
}

function splitFirst(directive: string): [string, string] {
  const [, name = '', sources = ''] = /^(\S*)\s*(.*)$/.exec(directive) ?? [];
  return [name, sources];
}

/** Sources are the page itself, or hosts whose first part or port may be any. */
function matches(source: string, origin: string): boolean {
  if (source === "'self'") return origin === globalThis.location?.origin;
  const [scheme, host] = source.split('://');
  const pattern = (host ?? '').replace(/[.+?]/g, '\\$&').replace(/:\*$/, '(:\\d+)?').replace(/\*/g, '[^/]+');
  return new RegExp(`^${scheme}://${pattern}$`).test(origin);
}

function statedPolicy(): string | undefined {
  if (typeof document === 'undefined') return undefined;
  return document.querySelector<HTMLMetaElement>('meta[http-equiv="Content-Security-Policy" i]')?.content;
}
