import { afterEach, expect, test } from 'vitest';
import { firstMatching, messageId, pageTurns } from '../../../src/extension/content/read/page-turns.ts';
import { missingParts } from '../../../src/extension/content/read/site-check.ts';
import { isBeingEdited, turnText } from '../../../src/extension/content/read/turn-text.ts';
import { SITES } from '../../../src/extension/sites/index.ts';

const page = document.body.appendChild(document.createElement('div'));
afterEach(() => page.replaceChildren());

/** The text of a turn of that markup. */
function textOf(markup: string, leaveOut: readonly string[] = []): string {
  page.innerHTML = markup;
  return turnText(page, leaveOut);
}

test.each([
  ['<p>One  two\n three</p><p>Next<br>line</p>', 'One two three\n\nNext\nline'],
  ['<div style="white-space: pre-wrap">a\n\n  b <b>c</b>\nd</div>', 'a\n\n  b c\nd'],
  ['<h2>Title</h2><p>Text with <code>let x</code>.</p>', '## Title\n\nText with `let x`.'],
  [
    '<p>List:</p><ul><li>a</li><li><p>b</p><ol start="3"><li>c</li><li>d</li></ol></li></ul><p>End</p>',
    'List:\n\n- a\n- b\n  3. c\n  4. d\n\nEnd',
  ],
  [
    '<pre><div>python<button>Copy</button></div><code class="hljs language-python">def f():\n    return "```"\n</code></pre>',
    '````python\ndef f():\n    return "```"\n````',
  ],
  ['<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>', 'a | b\n1 | 2'],
  [
    'Since <span class="katex"><span class="katex-mathml"><math><semantics><mi>x</mi><annotation encoding="application/x-tex">x^2</annotation></semantics></math></span><span class="katex-html" aria-hidden="true">x2</span></span> holds',
    'Since $x^2$ holds',
  ],
  ['<p>So</p><div class="math-block" data-math="a+b">a+b</div>', 'So\n\n$$a+b$$'],
  [
    '<span class="sr-only">You said</span>Hi<button>Edit</button><span hidden>x</span><svg><text>y</text></svg>',
    'Hi',
  ],
  ['<p>سلام <b>دنیا</b></p>', 'سلام دنیا'],
  ['&lt;b&gt;not bold&lt;/b&gt;', '<b>not bold</b>'],
])('%s', (markup, expected) => expect(textOf(markup, ['.sr-only'])).toBe(expected));

test('a turn with a field in it is being edited', () => {
  page.innerHTML = '<div id="a">Hi</div><div id="b"><textarea>Hi</textarea></div>';
  expect([...page.children].map(isBeingEdited)).toEqual([false, true]);
});

test('every selector of every site is one that the browser knows', () => {
  for (const { selectors, leaveOut } of SITES)
    for (const selector of [...Object.values(selectors).flat(), ...leaveOut])
      expect(() => document.querySelector(selector), selector).not.toThrow();
});

test('fallbacks come in order, ids from the turn or around it, and only what a page lacks is missing', () => {
  const [chatgpt, , gemini] = SITES;
  page.innerHTML =
    '<div class="conversation-container" id="r_1"><user-query>Hi</user-query><model-response>Hello <message-content class="model-response-text">there</message-content></model-response></div>';
  const turns = pageTurns(gemini!);
  expect(turns.map(({ role }) => role)).toEqual(['user', 'model']);
  expect(turns.map(({ element }) => messageId(element, gemini!))).toEqual(['r_1', 'r_1']);
  expect(missingParts(gemini!)).toEqual(['composer']);
  page.innerHTML = '<article data-turn="user" data-turn-id="t1">Hi</article>';
  expect(firstMatching(chatgpt!.selectors.userTurn)).toBe('[data-turn="user"]');
  expect(messageId(pageTurns(chatgpt!)[0]!.element, chatgpt!)).toBe('t1');
});
