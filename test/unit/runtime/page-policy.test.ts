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

test.each([
  ['*', 'https://example.org/x', true],
  ['*', 'data:,x', false],
  ['https:', 'https://example.org:8443/x', true],
  ['https:', 'http://example.org/x', false],
  ['https://example.org/models/', 'https://example.org/models/a.onnx', true],
  ['https://example.org/models/', 'https://example.org/others/a.onnx', false],
  ['https://example.org/one', 'https://example.org/one', true],
  ['https://example.org/one', 'https://example.org/one/more', false],
  ['https://example.org', 'https://example.org:8443/x', false],
  ['https://example.org:443', 'https://example.org/x', true],
  ['https://*.example.org', 'https://a.b.example.org/x', true],
  ['https://*.example.org', 'https://example.org/x', false],
  ["'none'", 'https://example.org/x', false],
])('%s lets %s be fetched: %s', (source, url, expected) => {
  expect(mayFetch(url, `connect-src ${source}`)).toBe(expected);
});

test('a policy may stand on several lines', () => {
  const policy = "default-src 'none';\n  connect-src\n    https://example.org\n    https://example.net;\n";
  expect(mayFetch('https://example.net/', policy)).toBe(true);
  expect(mayFetch('https://example.com/', policy)).toBe(false);
});

test('where nothing is stated of fetching, all may be; the default stands for what is not stated', () => {
  expect(mayFetch('https://example.org/')).toBe(true);
  expect(mayFetch('https://example.org/', "default-src 'self'")).toBe(false);
  expect(mayFetch('https://example.org/', "script-src 'self'")).toBe(true);
});
