import type { Plugin } from 'vite';
import { POLICY_OF_PAGE } from '../src/service-worker/policy.ts';

/** Puts the Content Security Policy into the built page. The dev server needs inline scripts and has none. */
export function contentSecurityPolicy(): Plugin {
  return {
    name: 'skein-csp',
    apply: 'build',
    transformIndexHtml: () => [
      {
        tag: 'meta',
        attrs: { 'http-equiv': 'Content-Security-Policy', content: POLICY_OF_PAGE },
        injectTo: 'head-prepend',
      },
    ],
  };
}
