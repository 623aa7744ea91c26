import type { SiteDescription } from './site.ts';

export const gemini: SiteDescription = {
  id: 'gemini',
  name: 'Gemini',
  matches: ['https://gemini.google.com/*'],
  // Also for a second account (/u/1) and below a Gem.
  conversation: '^(?:/u/\\d+)?/(?:app|gem/[^/]+)/([\\da-f]{8,})',
  selectors: {
    userTurn: ['user-query', '.user-query-container'],
    assistantTurn: ['model-response', 'message-content.model-response-text'],
    composer: [
      'rich-textarea .ql-editor',
      '.ql-editor[contenteditable="true"]',
      '[role="textbox"][contenteditable="true"]',
    ],
    sendButton: ['button.send-button', '.send-button-container button'],
    busy: ['button.send-button.stop', '[data-mat-icon-name="stop_circle"]'],
  },
  messageId: ['data-message-id', '.conversation-container[id]'],
  leaveOut: [
    '.cdk-visually-hidden',
    '.screen-reader-user-query-label',
    '.screen-reader-model-response-label',
    'model-thoughts',
    'thinking-overlay',
    'bard-avatar',
    'message-actions',
    'source-footnote',
    'sources-carousel-inline',
    'sources-list',
    '.response-footer',
    '.response-container-header',
  ],
};
