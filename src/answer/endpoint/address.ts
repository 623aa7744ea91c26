import { SkeinError } from '../../core/errors.ts';

/** Where a server's parts lie. */
export interface EndpointAddress {
  /** Base of the OpenAI protocol, without a slash at the end, such as `http://localhost:8080/v1`. */
  readonly api: string;
  /** The server itself, where llama.cpp offers more than the protocol has. */
  readonly root: string;
}

/** `loopback`: this machine only, which is all that the site's policy lets through; `any`: for commands in Node. */
export type EndpointHosts = 'loopback' | 'any';

/** Names of this machine that a Content Security Policy can name, too; it knows no IPv6 address. */
const LOOPBACK = ['localhost', '127.0.0.1'];

/**
 * Reads the address of a server as a person types it, with or without `/v1` at the end.
 * Rejects what is no http address, holds a name and password, or lies outside `hosts`, with `bad-argument`.
 */
export function endpointAddress(text: string, hosts: EndpointHosts = 'loopback'): EndpointAddress {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw wrong(`"${text}" is no http address.`, 'Type it like http://localhost:8080.');
  }
  if (url.username || url.password || url.search || url.hash) {
    throw wrong(
      `"${url.origin}" comes with a name, a password or a query.`,
      'Leave them out; a key has a field of its own.',
    );
  }
  if (hosts === 'loopback' && !(url.protocol === 'http:' && LOOPBACK.includes(url.hostname))) {
    throw wrong(
      `${url.origin} is not on this machine.`,
      `Only http://${LOOPBACK.join(' and http://')} can be reached from the page. For another machine, forward a port of this one to it.`,
    );
  }
  const root = (url.origin + url.pathname).replace(/\/+$/, '').replace(/\/v1$/, '');
  return { root, api: `${root}/v1` };
}

function wrong(message: string, remedy: string): SkeinError {
  return new SkeinError('bad-argument', message, remedy);
}
