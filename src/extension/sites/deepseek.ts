import type { SiteDescription } from './site.ts';

export const deepseek: SiteDescription = {
  id: 'deepseek',
  name: 'DeepSeek',
  matches: ['https://chat.deepseek.com/*'],
  conversation: '^/a/chat/s/([\\w-]+)',
  selectors: {
    userTurn: [
      '.ds-message:not(:has(.ds-markdown, .ds-assistant-message-main-content, .ds-think-content))',
      '[data-role="user"]',
    ],
    assistantTurn: [
      '.ds-assistant-message-main-content',
      '.ds-message:has(.ds-markdown)',
      '[data-role="assistant"]',
    ],
    composer: ['textarea#chat-input', 'textarea'],
    // Its buttons have neither a name nor an attribute of their own: the composer stands in.
    sendButton: [],
    busy: [],
  },
  messageId: ['data-message-id'],
  leaveOut: ['.ds-think-content', '.ds-markdown-cite'],
};
