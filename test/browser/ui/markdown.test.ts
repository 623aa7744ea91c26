import { afterEach, expect, test } from 'vitest';
import { MarkdownBlocks } from '../../../src/ui/parts/markdown-blocks.ts';
import { type CiteEvent, MarkdownText } from '../../../src/ui/parts/markdown-text.ts';
import { textOf } from './page.ts';

afterEach(() => {
  document.querySelector('skein-markdown')?.remove();
});

const SOURCES = [
  { number: 1, label: 'Turns 1–4' },
  { number: 2, label: 'Turns 9–12' },
];

async function show(text: string, options: Partial<MarkdownText> = {}): Promise<ShadowRoot> {
  const view = new MarkdownText();
  Object.assign(view, { text, ...options });
  document.body.append(view);
  await view.updateComplete;
  await expect.poll(() => view.renderRoot.querySelector('.markdown:not([hidden])')).not.toBeNull();
  return view.renderRoot as ShadowRoot;
}

test('headings, lists, tables and code are drawn; code can be copied', async () => {
  const root = await show(
    '# Top\n\n- [x] one\n  - two\n\n|a|b|\n|-|-|\n|1|2|\n\n```js\nconst x = 1;\n```\nline\nbreak',
  );
  expect(root.querySelector('h3')!.textContent).toBe('Top');
  expect(root.querySelectorAll('li')).toHaveLength(2);
  expect(root.querySelector('li')!.textContent).toContain('☑ one');
  expect(root.querySelector('.table td')!.textContent).toBe('1');
  expect(root.querySelector('.language')!.textContent).toBe('js');
  expect(root.querySelector('pre')!.textContent).toBe('const x = 1;\n');
  expect(root.querySelectorAll('br')).toHaveLength(1);
  expect(root.querySelector('button.copy')).not.toBeNull();
});

test.each([
  ['<img src=x onerror="window.hacked = 1">', 'onerror'],
  ['a <script>window.hacked = 1</script> b', 'script'],
  ['<iframe src="https://example.org"></iframe>', 'iframe'],
  ['[x](javascript:window.hacked=1)', 'x'],
  ['[x](data:text/html,<script>window.hacked=1</script>)', 'x'],
  ['![a picture](https://example.org/track.png)', 'a picture'],
  ['![p](x" onerror="window.hacked=1)', 'p'],
  ['[x](https://example.org "t\\" onmouseover=\\"window.hacked=1")', 'x'],
  ['```"><img src=x onerror=window.hacked=1>\ncode\n```', 'code'],
  ['<style>*{display:none}</style> <form action="https://example.org"><input name=q>', 'form'],
  ['<a id="text-1" name="x" href="https://example.org">named</a>', 'named'],
])('hostile Markdown stays harmless: %s', async (text, kept) => {
  const root = await show(text);
  const drawn = root.querySelector('.markdown')!;
  expect(drawn.textContent).toContain(kept);
  expect(
    drawn.querySelectorAll('img, script, iframe, style, form, input, svg, object, [id], [name]'),
  ).toHaveLength(0);
  for (const element of drawn.querySelectorAll('*')) {
    for (const { name } of element.attributes) expect(name).not.toMatch(/^on|^style$|^src/);
  }
  for (const link of drawn.querySelectorAll('a')) {
    expect(link.href).toMatch(/^https:\/\/example\.org\//);
    expect([link.target, link.rel]).toEqual(['_blank', 'noopener noreferrer']);
  }
  expect('hacked' in window).toBe(false);
});

test('citations become buttons, outside of code and links only', async () => {
  const text = 'So it is [1], and [1, 2]. `list[1]` and [3] and [x][1].\n\n[1]\n\n```\n[2]\n```';
  const root = await show(text, { sources: SOURCES });
  const cites = [...root.querySelectorAll<HTMLElement>('.cite')];
  expect(cites.map((cite) => cite.textContent)).toEqual(['1', '1', '2', '1', '1']);
  expect(cites[2]!.getAttribute('aria-label')).toBe('Source 2: Turns 9–12');
  expect(root.querySelector('.markdown')!.textContent).toContain('list[1] and [3]');
  const cited: number[] = [];
  root.host.addEventListener('cite', (event) => cited.push((event as CiteEvent).number));
  cites[2]!.click();
  expect(cited).toEqual([2]);
});

test('a text that grows ends as if it had been drawn at once, and its settled blocks are not drawn again', () => {
  const text = [
    'First paragraph with **bold** text [1].',
    '- a\n- b\n\n- c after an empty line\n\n  goes on',
    '| a | b |\n|---|---|\n| 1 | 2 |',
    '```ts\nconst a = "```";\n\nconst b = 2;\n```',
    'Setext\n===',
    '> quoted\nlazily\n\nLast words.',
  ].join('\n\n');
  const grown = document.createElement('div');
  const drawer = new MarkdownBlocks(grown);
  let first: Element | undefined;
  for (let end = 1; end <= text.length; end++) {
    drawer.draw(text.slice(0, end), SOURCES, true);
    if (end === 120) first = grown.firstElementChild!;
  }
  expect(grown.firstElementChild).toBe(first);
  const whole = document.createElement('div');
  new MarkdownBlocks(whole).draw(text, SOURCES, false);
  expect(grown.innerHTML).toBe(whole.innerHTML);
  drawer.draw('Another text', [], true);
  expect(grown.textContent?.trim()).toBe('Another text');
});

test('what is nested beyond reading, and what is very long, is shown all the same', async () => {
  const deep = `${'>'.repeat(5_000)} deep`;
  const view = new MarkdownText();
  view.text = deep;
  document.body.append(view);
  await expect.poll(() => textOf(view)).toContain('deep');
  view.text = 'wool '.repeat(400_000);
  await expect.poll(() => textOf(view)).toContain('Show');
  await expect.poll(() => textOf(view).length).toBeLessThan(8_000);
});
