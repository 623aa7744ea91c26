import type { Token } from 'marked';
import { citations } from '../../answer/citations.ts';
import { blockElements, lexMarkdown } from './markdown-html.ts';

/** Something that a text cites by its number, as in `[1]`. */
export interface Source {
  readonly number: number;
  /** What a screen reader says of it, such as its place. */
  readonly label: string;
}

/** Blocks at the end of a growing text that may still change: a list goes on after an empty line, for one. */
const UNSETTLED = 2;

/**
 * Draws a text in Markdown into an element, a block after the other. While a text grows at its end, only its last
 * blocks are read and drawn again, so that streaming costs the same at the end of a long answer as at its beginning.
 */
export class MarkdownBlocks {
  private settledText = '';
  private settled = 0;
  private sources: readonly Source[] = [];

  constructor(private readonly root: HTMLElement) {}

  draw(text: string, sources: readonly Source[], growing: boolean): void {
    const goesOn = growing && sources === this.sources && text.startsWith(this.settledText);
    if (!goesOn) this.reset(sources);
    while (this.root.children.length > this.settled) this.root.lastElementChild!.remove();
    const blocks = lexMarkdown(text.slice(this.settledText.length));
    for (const block of blocks) if (isDrawn(block)) this.root.append(this.blockView(block));
    if (growing) this.settle(blocks);
  }

  private reset(sources: readonly Source[]): void {
    this.settledText = '';
    this.settled = 0;
    this.sources = sources;
  }

  private settle(blocks: readonly Token[]): void {
    let drawn = blocks.filter(isDrawn).length;
    for (const block of blocks) {
      if (isDrawn(block) && drawn-- <= UNSETTLED) return;
      this.settledText += block.raw;
      if (isDrawn(block)) this.settled++;
    }
  }

  private blockView(block: Token): HTMLElement {
    const view = document.createElement('div');
    view.dir = 'auto';
    view.append(blockElements(block));
    if (this.sources.length > 0) linkSources(view, this.sources);
    return view;
  }
}

function isDrawn({ type }: Token): boolean {
  return type !== 'space' && type !== 'def';
}

/** Makes a button of every citation outside of code and links. */
function linkSources(root: HTMLElement, sources: readonly Source[]): void {
  const texts: Text[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) texts.push(node as Text);
  for (const text of texts) {
    if (text.parentElement?.closest('code, pre, a, button')) continue;
    const marks = citations(text.data, sources);
    if (marks.length === 0) continue;
    const parts: (Node | string)[] = [];
    let end = 0;
    for (const mark of marks) {
      parts.push(text.data.slice(end, mark.start), ...mark.passages.map(sourceButton));
      end = mark.end;
    }
    text.replaceWith(...parts, text.data.slice(end));
  }
}

function sourceButton({ number, label }: Source): HTMLElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'cite';
  button.dataset.source = String(number);
  button.textContent = String(number);
  button.title = label;
  button.setAttribute('aria-label', `Source ${number}: ${label}`);
  return button;
}
