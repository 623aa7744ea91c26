import type { SiteDescription } from './site.ts';

export const grok: SiteDescription = {
  id: 'grok',
  name: 'Grok',
  matches: ['https://grok.com/*'],
  conversation: '^/(?:c|chat)/([\\w-]+)',
  selectors: {
    userTurn: ['[data-testid="user-message"]', '[id^="response-"].items-end .message-bubble'],
    assistantTurn: ['[data-testid="assistant-message"]', '[id^="response-"].items-start .message-bubble'],
    composer: [
      '.query-bar [contenteditable="true"]',
      '.query-bar textarea',
      'form [contenteditable="true"]',
      'form textarea',
    ],
    sendButton: ['[data-testid="chat-submit"]', 'form button[type="submit"]'],
    busy: ['[data-testid="chat-stop-button"]', 'button[aria-label="Stop model response"]'],
  },
  messageId: ['[id^="response-"][id]'],
  leaveOut: ['.action-buttons', '.thinking-container', '.sr-only'],
};
