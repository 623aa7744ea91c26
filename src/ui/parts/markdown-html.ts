import DOMPurify from 'dompurify';
import { Lexer, Parser, Renderer, type Token, type Tokens } from 'marked';

/** A link leaves the page, so it may only go where a browser opens a page or writes a mail. */
const SAFE_LINK = /^(?:https?:|mailto:)/i;
/** Where the headings of a text begin, below those of the page. */
const FIRST_HEADING = 3;

const ALLOWED = {
  ALLOWED_TAGS: [
    ...['p', 'br', 'hr', 'strong', 'em', 'del', 'code', 'pre', 'blockquote', 'ul', 'ol', 'li', 'a'],
    ...['h3', 'h4', 'h5', 'h6', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ],
  ALLOWED_ATTR: ['href', 'title', 'class', 'start', 'align'],
  ALLOW_DATA_ATTR: false,
  RETURN_DOM_FRAGMENT: true as const,
};

/** Markdown without what could load, run or deceive: HTML stays text, an image becomes a link to it. */
class SafeRenderer extends Renderer {
  override html({ text, block }: Tokens.HTML | Tokens.Tag): string {
    const shown = escapeHtml(text);
    return block ? `<p>${shown}</p>` : shown;
  }

  override image({ href, text }: Tokens.Image): string {
    const label = escapeHtml(text || 'image');
    return SAFE_LINK.test(href) ? `<a href="${escapeHtml(href)}">${label}</a>` : label;
  }

  override link({ href, title, tokens }: Tokens.Link): string {
    const label = this.parser.parseInline(tokens);
    if (!SAFE_LINK.test(href)) return label;
    return `<a href="${escapeHtml(href)}" title="${escapeHtml(title ?? href)}">${label}</a>`;
  }

  override heading({ tokens, depth }: Tokens.Heading): string {
    const level = Math.min(6, depth + FIRST_HEADING - 1);
    return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>`;
  }

  override checkbox({ checked }: Tokens.Checkbox): string {
    return checked ? '☑ ' : '☐ ';
  }
}

const OPTIONS = { gfm: true, breaks: true, renderer: new SafeRenderer() };

/** The blocks of a text in Markdown; their `raw` parts joined are the text. */
export function lexMarkdown(text: string): Token[] {
  return new Lexer(OPTIONS).lex(text);
}

/** One block as elements, sanitised: nothing in it loads, runs or takes a person elsewhere by itself. */
export function blockElements(block: Token): DocumentFragment {
  const fragment = DOMPurify.sanitize(new Parser(OPTIONS).parse([block]), ALLOWED);
  for (const link of fragment.querySelectorAll('a')) {
    link.target = '_blank';
    link.rel = 'noopener noreferrer';
  }
  for (const pre of fragment.querySelectorAll('pre')) pre.replaceWith(codeBox(pre));
  for (const table of fragment.querySelectorAll('table')) table.replaceWith(scrollBox('table', table));
  return fragment;
}

/** Code with its language and a button that copies it. */
function codeBox(pre: HTMLPreElement): HTMLElement {
  const language = /language-([\w+#.-]{1,24})/.exec(pre.firstElementChild?.className ?? '')?.[1];
  const copy = element('button', 'copy', 'Copy');
  copy.setAttribute('type', 'button');
  copy.setAttribute('aria-label', 'Copy this code');
  const bar = element('div', 'bar');
  bar.append(element('span', 'language', language ?? 'code'), copy);
  const box = element('div', 'code');
  box.append(bar, scrollBox('scroll', pre.cloneNode(true), 'Code'));
  return box;
}

/** What is wider than the page scrolls in a box of its own, which the keyboard reaches, too. */
function scrollBox(name: string, content: Node, label = 'Table'): HTMLElement {
  const box = element('div', name);
  box.tabIndex = 0;
  box.setAttribute('role', 'group');
  box.setAttribute('aria-label', label);
  box.append(content.cloneNode(true));
  return box;
}

function element(tag: string, name: string, text = ''): HTMLElement {
  const made = document.createElement(tag);
  made.className = name;
  made.textContent = text;
  return made;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
