import type { SiteDescription } from './site.ts';

export const chatgpt: SiteDescription = {
  id: 'chatgpt',
  name: 'ChatGPT',
  matches: ['https://chatgpt.com/*'],
  // Also below a custom GPT or a project: /g/g-.../c/...
  conversation: '^(?:/g/[^/]+)?/c/([\\w-]+)',
  selectors: {
    userTurn: ['[data-message-author-role="user"]', '[data-turn="user"]'],
    assistantTurn: ['[data-message-author-role="assistant"]', '[data-turn="assistant"]'],
    composer: ['#prompt-textarea', 'form [contenteditable="true"]', 'form textarea'],
    sendButton: ['[data-testid="send-button"]', '#composer-submit-button', 'form button[type="submit"]'],
    busy: ['[data-testid="stop-button"]', '.result-streaming'],
  },
  messageId: ['data-message-id', 'data-turn-id'],
  leaveOut: ['.sr-only', '[data-testid="webpage-citation-pill"]'],
};
