import { startBackground } from './background.ts';
import { offscreenPlace } from './offscreen-place.ts';

startBackground({
  place: offscreenPlace,
  openPanel: ({ windowId }) => chrome.sidePanel.open({ windowId }),
});
