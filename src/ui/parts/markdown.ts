import { html, type TemplateResult } from 'lit';

/** One block of a text in Markdown. */
export type MarkdownBlock =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'code'; readonly text: string }
  | {
      readonly kind: 'table';
      readonly head: readonly string[];
      readonly rows: readonly (readonly string[])[];
    };

/** The blocks of our own documentation: headings, paragraphs, lists, tables and code. What else there is stays text. */
export function markdownBlocks(text: string): MarkdownBlock[] {
  const blocks: MarkdownBlock[] = [];
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  for (let at = 0; at < lines.length; ) {
    const line = lines[at]!;
    const take = (continues: (line: string) => boolean) => {
      const from = at;
      while (at < lines.length && continues(lines[at]!)) at++;
      return lines.slice(from, at);
    };
    const [, hashes, heading] = /^(#{1,4}) +(.*)$/.exec(line) ?? [];
    if (line.trim() === '') at++;
    else if (hashes) {
      blocks.push({ kind: 'heading', level: hashes.length, text: heading! });
      at++;
    } else if (line.startsWith('```')) {
      at++;
      blocks.push({ kind: 'code', text: take((next) => !next.startsWith('```')).join('\n') });
      at++;
    } else if (/^ {4}\S/.test(line)) {
      const code = take((next) => /^ {4}/.test(next) || next.trim() === '');
      blocks.push({
        kind: 'code',
        text: code
          .map((one) => one.slice(4))
          .join('\n')
          .trimEnd(),
      });
    } else if (line.startsWith('|')) {
      const [head = [], ...rows] = take((next) => next.startsWith('|')).map(cellsOf);
      blocks.push({
        kind: 'table',
        head,
        rows: rows.filter((row) => !row.every((cell) => /^:?-+:?$/.test(cell))),
      });
    } else if (BULLET.test(line)) {
      const items = take((next) => BULLET.test(next) || /^\s+\S/.test(next));
      blocks.push({ kind: 'list', items: joinItems(items) });
    } else {
      const paragraph = take(
        (next) => next.trim() !== '' && !/^(?:#{1,4} |```|\|)/.test(next) && !BULLET.test(next),
      );
      blocks.push({ kind: 'paragraph', text: paragraph.map((one) => one.trim()).join(' ') });
    }
  }
  return blocks;
}

const BULLET = /^ {0,3}(?:[-*]|\d+\.) +/;

/** `text` as elements; everything in it is text, and nothing is taken for HTML. */
export function markdownView(text: string): TemplateResult[] {
  return markdownBlocks(text).map(blockView);
}

function blockView(block: MarkdownBlock): TemplateResult {
  switch (block.kind) {
    case 'heading':
      return block.level === 1 ? html`<h2>${inline(block.text)}</h2>` : html`<h3>${inline(block.text)}</h3>`;
    case 'paragraph':
      return html`<p>${inline(block.text)}</p>`;
    case 'list':
      return html`<ul>${block.items.map((item) => html`<li>${inline(item)}</li>`)}</ul>`;
    case 'code':
      return html`<pre>${block.text}</pre>`;
    case 'table':
      return html`<div class="table"><table>
        <thead><tr>${block.head.map((cell) => html`<th>${inline(cell)}</th>`)}</tr></thead>
        <tbody>${block.rows.map((row) => html`<tr>${row.map((cell) => html`<td>${inline(cell)}</td>`)}</tr>`)}</tbody>
      </table></div>`;
  }
}

/** Code, strong and emphasis; links keep their text. */
function inline(text: string): unknown[] {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*|\*[^*\s][^*]*\*|\[[^\]]+\]\([^)]+\))/).map((part) => {
    if (/^`.+`$/.test(part)) return html`<code>${part.slice(1, -1)}</code>`;
    if (/^\*\*.+\*\*$/.test(part)) return html`<strong>${part.slice(2, -2)}</strong>`;
    if (/^\*.+\*$/.test(part)) return html`<em>${part.slice(1, -1)}</em>`;
    const [, label] = /^\[([^\]]+)\]\([^)]+\)$/.exec(part) ?? [];
    return label ?? part;
  });
}

function cellsOf(line: string): string[] {
  return line
    .replace(/^\||\|\s*$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
}

function joinItems(lines: readonly string[]): string[] {
  const items: string[] = [];
  for (const line of lines) {
    if (BULLET.test(line)) items.push(line.replace(BULLET, ''));
    else items[items.length - 1] = `${items.at(-1)} ${line.trim()}`;
  }
  return items;
}
