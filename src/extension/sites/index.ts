import { chatgpt } from './chatgpt.ts';
import { claude } from './claude.ts';
import { deepseek } from './deepseek.ts';
import { gemini } from './gemini.ts';
import { grok } from './grok.ts';
import { perplexity } from './perplexity.ts';
import type { SiteDescription } from './site.ts';

/** Every site that Skein knows without being taught. */
export const SITES: readonly SiteDescription[] = [chatgpt, claude, gemini, deepseek, perplexity, grok];

/** The known site at `url`; undefined where none is. */
export function siteAt(url: string): SiteDescription | undefined {
  return SITES.find((site) => isPageOf(site, url));
}

/** Whether `url` lies at one of the site's origins. */
export function isPageOf({ matches }: SiteDescription, url: string): boolean {
  const { origin } = new URL(url);
  return matches.some((pattern) => new URL(pattern).origin === origin);
}

/** What the path of `url` calls the conversation; empty where the page is not (yet) one. */
export function conversationAt(site: SiteDescription, url: string): string {
  return new RegExp(site.conversation).exec(new URL(url).pathname)?.[1] ?? '';
}
