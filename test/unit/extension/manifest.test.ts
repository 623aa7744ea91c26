import { describe, expect, test } from 'vitest';
import { manifest } from '../../../src/extension/manifest.ts';

const TARGETS = ['chromium', 'firefox'] as const;

describe.each(TARGETS)('the manifest for %s', (target) => {
  const made = manifest({ target, version: '1.2.3' });

  test('demands no host and only the permissions that docs/extension.md explains', () => {
    expect(made).not.toHaveProperty('host_permissions');
    expect(made).not.toHaveProperty('content_scripts');
    expect(made).not.toHaveProperty('web_accessible_resources');
    const common = ['storage', 'unlimitedStorage', 'scripting', 'activeTab'];
    expect(made.permissions).toEqual(target === 'chromium' ? [...common, 'sidePanel', 'offscreen'] : common);
    expect(made.incognito).toBe('not_allowed');
  });

  test('runs no code but its own', () => {
    const { extension_pages } = made.content_security_policy as { extension_pages: string };
    const directives = new Map(extension_pages.split('; ').map((one) => [one.split(' ')[0], one]));
    expect(directives.get('script-src')).toBe("script-src 'self' 'wasm-unsafe-eval'");
    expect(directives.get('worker-src')).toBe("worker-src 'self'");
    expect(directives.get('object-src')).toBe("object-src 'none'");
    expect(extension_pages).not.toMatch(/githubusercontent|unsafe-inline|'unsafe-eval'/);
  });

  test('has only keys that the browser knows', () => {
    const own = {
      chromium: [
        'minimum_chrome_version',
        'side_panel',
        'cross_origin_embedder_policy',
        'cross_origin_opener_policy',
      ],
      firefox: ['sidebar_action', 'browser_specific_settings'],
    };
    const common = [
      'manifest_version',
      'name',
      'version',
      'description',
      'icons',
      'action',
      'permissions',
      'optional_host_permissions',
      'content_security_policy',
      'commands',
      'incognito',
      'background',
    ];
    expect(Object.keys(made).sort()).toEqual([...common, ...own[target]].sort());
    expect(Object.keys(made.background as object)).toEqual(
      target === 'chromium' ? ['service_worker'] : ['scripts'],
    );
  });
});
