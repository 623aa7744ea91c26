import type { SiteDescription } from './site.ts';

export const perplexity: SiteDescription = {
  id: 'perplexity',
  name: 'Perplexity',
  matches: ['https://www.perplexity.ai/*', 'https://perplexity.ai/*'],
  // `/search/new` is a question on its way to a thread of its own.
  conversation: '^/search/(?!new(?:/|$))([^/]+)',
  selectors: {
    userTurn: ['[class~="group/query"]', 'main h1'],
    assistantTurn: ['[id^="markdown-content-"]', '[data-renderer="lm"]', 'main .prose'],
    composer: ['#ask-input', 'main [contenteditable="true"]', 'main textarea'],
    sendButton: ['[data-testid="submit-button"]', 'button[aria-label="Submit"]'],
    busy: ['[data-testid="stop-generating-response-button"]', 'button[aria-label^="Stop"]'],
  },
  messageId: [],
  leaveOut: ['.citation', '[data-testid="citation"]', '.sr-only'],
};
