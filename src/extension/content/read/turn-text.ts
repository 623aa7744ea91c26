import { MATH, texOf } from './math.ts';

/** Never said by anyone: controls, drawings, what the page hides. */
const NEVER_SAID =
  'button, [role="button"], select, svg, canvas, script, style, noscript, template, iframe, [hidden], [aria-hidden="true"]';
/** A turn with one of these is being edited. */
const EDITOR = 'textarea, input[type="text"], [contenteditable="true"]';

const BLOCKS = new Set(
  'ADDRESS ARTICLE ASIDE BLOCKQUOTE DD DETAILS DIV DL DT FIGCAPTION FIGURE FOOTER FORM H1 H2 H3 H4 H5 H6 HEADER HR LI MAIN NAV OL P PRE SECTION TABLE TR UL'.split(
    ' ',
  ),
);
/** Blocks with an empty line around them. */
const SPACED = new Set('BLOCKQUOTE DL FIGURE H1 H2 H3 H4 H5 H6 OL P PRE TABLE UL'.split(' '));

/** Whether a person is changing this turn on the page just now. */
export function isBeingEdited(turn: Element): boolean {
  return turn.querySelector(EDITOR) !== null;
}

/**
 * What was said in a turn, as plain text: code in fences, list items and headings with their Markdown sign,
 * mathematics as TeX where the page keeps it. Reads the tree alone, so that the page need not be laid out.
 *
 * @param leaveOut selectors of parts that nobody said
 */
export function turnText(turn: Element, leaveOut: readonly string[]): string {
  const text = new TextBuilder([NEVER_SAID, ...leaveOut].join(', '));
  text.addChildrenOf(turn);
  return text.toString();
}

/** Collects text along a walk through the tree. */
class TextBuilder {
  #out = '';
  /** Line breaks due before the next text. */
  #breaks = 0;
  /** A space is due before the next text. */
  #space = false;
  /** Behind a list item's sign the next text follows at once, whatever breaks its own block asks for. */
  #behindSign = false;
  #indent = '';
  readonly #preserving = new Map<Element, boolean>();

  constructor(private readonly leaveOut: string) {}

  toString(): string {
    return this.#out.trim();
  }

  addChildrenOf(parent: Element): void {
    for (let node = parent.firstChild; node; node = node.nextSibling) this.#add(node);
  }

  #add(node: Node): void {
    if (node instanceof Text) this.#addText(node);
    else if (node instanceof Element) this.#addElement(node);
  }

  #addText(node: Text): void {
    const text = node.data;
    const parent = node.parentElement;
    // Only a text with line breaks of its own can tell the two apart, and asking for the style costs.
    if (parent && /\n\s*\S|\S\s*\n/.test(text) && this.#preserves(parent)) this.#lines(text);
    else this.#flow(text);
  }

  #preserves(parent: Element): boolean {
    let preserving = this.#preserving.get(parent);
    if (preserving === undefined) {
      preserving = getComputedStyle(parent).whiteSpace.startsWith('pre');
      this.#preserving.set(parent, preserving);
    }
    return preserving;
  }

  #addElement(element: Element): void {
    if (element.matches(MATH)) {
      const tex = texOf(element);
      if (tex !== undefined) {
        this.#mathematics(tex);
        return;
      }
    }
    if (element.matches(this.leaveOut)) return;
    const name = element.tagName.toUpperCase();
    if (name === 'BR') this.#breaks = Math.min(this.#breaks + 1, 2);
    else if (name === 'PRE') this.#code(element);
    else if (name === 'CODE') this.#flow(`\`${element.textContent}\``);
    else if (name === 'LI') this.#item(element);
    else this.#addParts(element, name);
  }

  #addParts(element: Element, name: string): void {
    const breaks = SPACED.has(name) && this.#indent === '' ? 2 : BLOCKS.has(name) ? 1 : 0;
    this.#break(breaks);
    if (/^H[1-6]$/.test(name)) this.#flow(`${'#'.repeat(Number(name[1]))} `);
    if ((name === 'TD' || name === 'TH') && element.previousElementSibling) this.#flow(' | ');
    this.addChildrenOf(element);
    this.#break(breaks);
  }

  #mathematics(tex: string): void {
    const isDisplayed = tex.startsWith('\n');
    if (isDisplayed) this.#break(2);
    this.#flow(tex);
    if (isDisplayed) this.#break(2);
  }

  /** Code as it stands, between fences that it does not contain; the page's own headline above it is left out. */
  #code(pre: Element): void {
    const code = pre.querySelector('code') ?? pre;
    const language = /\blanguage-([\w+#.-]+)/.exec(code.className)?.[1] ?? '';
    const source = (code.textContent ?? '').replace(/\n$/, '');
    let fence = '```';
    while (source.includes(fence)) fence += '`';
    this.#break(2);
    this.#lines(`${fence}${language}\n${source}\n${fence}`);
    this.#break(2);
  }

  #item(item: Element): void {
    const list = item.parentElement;
    const numbered = list instanceof HTMLOListElement;
    const sign = numbered ? `${list.start + [...list.children].indexOf(item)}. ` : '- ';
    this.#break(1);
    this.#write(sign.trim());
    this.#behindSign = true;
    const indent = this.#indent;
    this.#indent += ' '.repeat(sign.length);
    this.addChildrenOf(item);
    this.#indent = indent;
    this.#behindSign = false;
    this.#break(1);
  }

  #break(lines: number): void {
    this.#breaks = Math.max(this.#breaks, lines);
    if (lines > 0) this.#space = false;
  }

  /** Text whose white space means no more than a space. */
  #flow(text: string): void {
    const words = text.replace(/[ \t\n\r\f]+/g, ' ');
    if (words === ' ' || words === '') {
      this.#space ||= words === ' ';
      return;
    }
    if (words.startsWith(' ')) this.#space = true;
    this.#write(words.trim());
    this.#space = words.endsWith(' ');
  }

  /** Text whose line breaks and indentation count. */
  #lines(text: string): void {
    for (const [at, line] of text.split('\n').entries()) {
      if (at > 0) this.#breaks++;
      if (line !== '') this.#write(line);
    }
  }

  #write(text: string): void {
    if (this.#behindSign) this.#out += ' ';
    else if (this.#breaks > 0 && this.#out !== '') this.#out += '\n'.repeat(this.#breaks) + this.#indent;
    else if (this.#space && this.#out !== '') this.#out += ' ';
    this.#breaks = 0;
    this.#space = false;
    this.#behindSign = false;
    this.#out += text;
  }
}
