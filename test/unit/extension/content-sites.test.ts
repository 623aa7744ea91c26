import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { placeButton, placePanel } from '../../../src/extension/content/recall/placement.ts';
import { conversationAt, SITES, siteAt } from '../../../src/extension/sites/index.ts';
import { taughtSite } from '../../../src/extension/sites/taught.ts';

test.each([
  ['https://chatgpt.com/c/6d4-a1', 'chatgpt', '6d4-a1'],
  ['https://chatgpt.com/g/g-p-12/c/6d4-a1?model=x', 'chatgpt', '6d4-a1'],
  ['https://chatgpt.com/?temporary-chat=true', 'chatgpt', ''],
  ['https://chatgpt.com/share/6d4', 'chatgpt', ''],
  ['https://claude.ai/chat/0f-1', 'claude', '0f-1'],
  ['https://claude.ai/new', 'claude', ''],
  ['https://gemini.google.com/u/1/app/00c0ffee1234', 'gemini', '00c0ffee1234'],
  ['https://gemini.google.com/app', 'gemini', ''],
  ['https://chat.deepseek.com/a/chat/s/9b-0', 'deepseek', '9b-0'],
  ['https://www.perplexity.ai/search/where-is-it-Ab.c_d', 'perplexity', 'where-is-it-Ab.c_d'],
  ['https://www.perplexity.ai/search/new?q=x', 'perplexity', ''],
  ['https://grok.com/c/77-a', 'grok', '77-a'],
])('%s is %s, conversation %j', (url, id, conversation) => {
  const site = siteAt(url);
  expect(site?.id).toBe(id);
  expect(conversationAt(site!, url)).toBe(conversation);
});

test('no other page is a known site; a taught one names its conversations by their path', () => {
  for (const url of [
    'https://chatgpt.com.evil.example/c/1',
    'http://claude.ai/chat/1',
    'https://example.org/',
  ])
    expect(siteAt(url)).toBeUndefined();
  const site = taughtSite('https://chat.example', {
    userTurn: ['.me'],
    assistantTurn: ['.it'],
    composer: ['textarea'],
  });
  expect(site).toMatchObject({ id: 'taught:chat.example', matches: ['https://chat.example/*'] });
  expect(conversationAt(site, 'https://chat.example/talk/7')).toBe('/talk/7');
});

test('every description is whole', () => {
  expect(new Set(SITES.map(({ id }) => id)).size).toBe(SITES.length);
  for (const { matches, selectors } of SITES) {
    expect(matches.every((pattern) => /^https:\/\/[\w.-]+\/\*$/.test(pattern))).toBe(true);
    for (const part of ['userTurn', 'assistantTurn', 'composer'] as const)
      expect(selectors[part]).not.toEqual([]);
  }
});

test('the content script never makes elements from strings', () => {
  const folder = join(import.meta.dirname, '../../../src/extension/content');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const strings =
    /innerHTML|outerHTML|insertAdjacentHTML|setHTML|document\.write|DOMParser|createContextualFragment|\beval\b/;
  expect(files.filter((file) => strings.test(readFileSync(join(folder, file), 'utf8')))).toEqual([]);
  expect(files.length).toBeGreaterThan(15);
});

const SIZE = { width: 40, height: 30 };
const VIEW = { width: 1000, height: 700, rightToLeft: false };
const BOX = { left: 200, top: 600, right: 800, bottom: 680 };
const anywhere = () => true;

test('the button stands beside the composer, else above it, else in the corner', () => {
  const send = { left: 750, top: 640, right: 790, bottom: 680 };
  expect(placeButton({ composer: BOX, send }, VIEW, SIZE, anywhere)).toEqual({
    left: 808,
    top: 645,
    where: 'beside',
  });
  expect(placeButton({ composer: BOX, send }, { ...VIEW, rightToLeft: true }, SIZE, anywhere)).toMatchObject({
    left: 152,
    where: 'beside',
  });
  const wide = { ...BOX, left: 0, right: 1000 };
  expect(placeButton({ composer: wide, send }, VIEW, SIZE, anywhere)).toEqual({
    left: 960,
    top: 562,
    where: 'above',
  });
  expect(placeButton({ composer: wide, send }, VIEW, SIZE, (_, y) => y > 600)).toMatchObject({
    where: 'corner',
  });
  expect(placeButton({ composer: undefined, send: undefined }, VIEW, SIZE, anywhere)).toEqual({
    left: 944,
    top: 654,
    where: 'corner',
  });
});

test('the panel is whole in the window', () => {
  const anchor = { left: 808, top: 645, right: 848, bottom: 675 };
  expect(placePanel(anchor, VIEW, { width: 400, height: 300 })).toEqual({ left: 448, top: 337 });
  expect(placePanel({ ...anchor, top: 20, bottom: 50 }, VIEW, { width: 400, height: 300 })).toEqual({
    left: 448,
    top: 58,
  });
  expect(placePanel(anchor, { ...VIEW, width: 300 }, { width: 284, height: 300 })).toMatchObject({ left: 8 });
});
