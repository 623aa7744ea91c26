import { expect, test } from 'vitest';
import { POLICY as POLICY_OF_EXTENSION } from '../../../src/extension/manifest.ts';
import { mayFetch } from '../../../src/runtime/page-policy.ts';
import { POLICY_OF_PAGE } from '../../../src/service-worker/policy.ts';

test.each([
  ['https://huggingface.co/a/b/resolve/main/model.onnx', true, true],
  ['https://cdn-lfs.huggingface.co/x', true, true],
  ['https://huggingface.co.evil.example/x', false, false],
  ['https://raw.githubusercontent.com/a/b/c.wasm', true, false],
  ['http://localhost:8080/v1', true, true],
  ['http://127.0.0.1/v1', true, true],
  ['http://localhost.evil.example:8080/v1', false, false],
  ['https://example.org/', false, false],
])('%s: from the site %s, from the extension %s', (url, bySite, byExtension) => {
  expect(mayFetch(url, POLICY_OF_PAGE)).toBe(bySite);
  expect(mayFetch(url, POLICY_OF_EXTENSION)).toBe(byExtension);
});

test('where nothing is stated of fetching, all may be; the default stands for what is not stated', () => {
  expect(mayFetch('https://example.org/')).toBe(true);
  expect(mayFetch('https://example.org/', "default-src 'self'")).toBe(false);
  expect(mayFetch('https://example.org/', "script-src 'self'")).toBe(true);
});
