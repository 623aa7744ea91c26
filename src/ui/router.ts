import { unreachable } from '../core/unreachable.ts';
import { turnNumber } from './format.ts';

/** What the address names. Turns are counted from 1 in addresses, as on the page. */
export type Route =
  | { readonly kind: 'home' }
  | { readonly kind: 'thread'; readonly threadId: string; readonly turn?: number }
  | { readonly kind: 'memory'; readonly threadId: string }
  | { readonly kind: 'settings' }
  | { readonly kind: 'models' }
  /** The lab reads the rest of its address itself (see lab/lab-route.ts). */
  | { readonly kind: 'lab'; readonly path: readonly string[] };

/** Reads a location hash; what it does not know is home. */
export function parseRoute(hash: string): Route {
  const parts = hash.replace(/^#\/?/, '').split('/').map(decodePart);
  const [head, threadId, view, number] = parts;
  if (head === 'lab') return { kind: 'lab', path: parts.slice(1) };
  if (head === 'settings' || head === 'models') return { kind: head };
  if (head !== 't' || !threadId) return { kind: 'home' };
  if (view === 'memory') return { kind: 'memory', threadId };
  if (view === 'turn' && number && /^[1-9]\d*$/.test(number)) {
    return { kind: 'thread', threadId, turn: Number(number) - 1 };
  }
  return { kind: 'thread', threadId };
}

export function formatRoute(route: Route): string {
  switch (route.kind) {
    case 'home':
      return '#/';
    case 'settings':
    case 'models':
      return `#/${route.kind}`;
    case 'lab':
      return ['#/lab', ...route.path.map(encodeURIComponent)].join('/');
    case 'memory':
      return `#/t/${encodeURIComponent(route.threadId)}/memory`;
    case 'thread': {
      const thread = `#/t/${encodeURIComponent(route.threadId)}`;
      return route.turn === undefined ? thread : `${thread}/turn/${turnNumber(route.turn)}`;
    }
    default:
      return unreachable(route);
  }
}

/** Goes to a route; to the one already shown again, so that a second "go to its place" still jumps. */
export function navigate(route: Route, replace = false): void {
  const hash = formatRoute(route);
  if (replace) history.replaceState(null, '', hash);
  else if (location.hash !== hash) history.pushState(null, '', hash);
  window.dispatchEvent(new HashChangeEvent('hashchange'));
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}
