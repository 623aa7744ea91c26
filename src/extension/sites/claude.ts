import type { SiteDescription } from './site.ts';

export const claude: SiteDescription = {
  id: 'claude',
  name: 'Claude',
  matches: ['https://claude.ai/*'],
  conversation: '^/chat/([\\w-]+)',
  selectors: {
    userTurn: ['[data-testid="user-message"]', '[class*="font-user-message"]'],
    assistantTurn: [
      '.font-claude-response',
      '.font-claude-message',
      '[data-testid="assistant-message"]',
      '[data-is-streaming]',
    ],
    composer: [
      '[data-testid="chat-input"]',
      'div.ProseMirror[contenteditable="true"]',
      'fieldset [contenteditable="true"]',
    ],
    sendButton: [
      'button[data-testid="send-button"]',
      'button[aria-label="Send message" i]',
      'fieldset button[type="submit"]',
    ],
    busy: ['[data-is-streaming="true"]', 'button[aria-label="Stop response"]'],
  },
  // Its page names no messages: the text does.
  messageId: [],
  leaveOut: ['.sr-only'],
};
