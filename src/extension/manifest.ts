import { policy } from '../service-worker/policy.ts';
import { SITES } from './sites/index.ts';

export type BrowserTarget = 'chromium' | 'firefox';

export interface ManifestOptions {
  readonly target: BrowserTarget;
  readonly version: string;
  /** Origins that are permitted without a question: only tests, where nobody can answer one. */
  readonly permitted?: readonly string[];
}

/** What the extension's own pages may do: what the site's may, without hosts that serve code. */
export const POLICY = policy({ libraries: false, frames: true });

/** The same for a meta element. */
export const POLICY_OF_PAGE = policy({ libraries: false, frames: false });

const ICONS = Object.fromEntries([16, 32, 48, 128].map((size) => [size, `icons/extension-${size}.png`]));

/** The page of the app as the side panel shows it. */
export const PANEL_PAGE = 'index.html?panel';

/** The manifest of the extension for a browser (Manifest V3). */
export function manifest({ target, version, permitted = [] }: ManifestOptions): Record<string, unknown> {
  return {
    manifest_version: 3,
    name: 'Skein',
    version,
    description: 'An episodic memory for the chats you have on other sites, kept on this device.',
    icons: ICONS,
    action: { default_title: 'Skein', default_icon: ICONS },
    // What each is for: docs/extension.md.
    permissions: ['storage', 'unlimitedStorage', 'scripting', 'activeTab', ...OWN[target].permissions],
    ...(permitted.length > 0 && { host_permissions: permitted }),
    optional_host_permissions: [...SITES.flatMap(({ matches }) => matches), 'https://*/*', 'http://*/*'],
    content_security_policy: { extension_pages: POLICY },
    commands: {
      _execute_action: { suggested_key: { default: 'Alt+Shift+K' }, description: 'Open the side panel' },
      recall: { suggested_key: { default: 'Alt+Shift+R' }, description: 'Recall for what is being written' },
    },
    // Nothing of a private window is read or kept: the extension isn't there.
    incognito: 'not_allowed',
    ...OWN[target].keys,
  };
}

/** What only one browser knows. */
const OWN: Record<BrowserTarget, { permissions: readonly string[]; keys: Record<string, unknown> }> = {
  chromium: {
    permissions: ['sidePanel', 'offscreen'],
    keys: {
      minimum_chrome_version: '122',
      background: { service_worker: 'background.js' },
      side_panel: { default_path: PANEL_PAGE },
      cross_origin_embedder_policy: { value: 'require-corp' },
      cross_origin_opener_policy: { value: 'same-origin' },
    },
  },
  firefox: {
    permissions: [],
    keys: {
      background: { scripts: ['background.js'] },
      sidebar_action: {
        default_panel: PANEL_PAGE,
        default_title: 'Skein',
        default_icon: ICONS,
        open_at_install: false,
      },
      browser_specific_settings: {
        gecko: {
          id: 'skein@skein.invalid',
          strict_min_version: '128.0',
          data_collection_permissions: { required: ['none'] },
        },
      },
    },
  },
};
