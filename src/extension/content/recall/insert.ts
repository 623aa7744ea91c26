import { composerText, isTextField, type TextField } from './composer.ts';

/** What became of an insertion. `changed` means that something else than asked stands in the composer now. */
export type Insertion = 'inserted' | 'unchanged' | 'changed';

/** Milliseconds after which an editor believes that a caret was put where it is. */
const AFTER_FOCUS = 250;

/**
 * Puts `text` before what stands in the composer, through the editor's own input path, and reads back whether it is
 * there. Never sends. The caret ends up behind what was written.
 *
 * @param find the composer; asked again after each step since editors may replace it
 */
export async function insertBefore(find: () => HTMLElement | undefined, text: string): Promise<Insertion> {
  const composer = find();
  if (!composer) return 'unchanged';
  const before = linesOf(composerText(composer));
  const wanted = [linesOf(text), before].filter((lines) => lines !== '').join('\n');
  const separated = before === '' ? `${text}\n` : `${text}\n\n`;
  for (const way of waysInto(composer)) {
    const target = find();
    if (!target) return 'changed';
    target.focus();
    await settle();
    await way(target, separated);
    await settle();
    const now = find();
    const content = now ? linesOf(composerText(now)) : '';
    if (now && content === wanted) {
      caretToEnd(now);
      return 'inserted';
    }
    if (content !== before) return 'changed';
  }
  return 'unchanged';
}

type Way = (composer: HTMLElement, text: string) => void | Promise<void>;

/** The ways to try, the one that suits the editor best first. */
function waysInto(composer: HTMLElement): readonly Way[] {
  if (isTextField(composer)) return FIELD_WAYS;
  // Lexical joins the lines of what seems typed. Elsewhere pasting comes second: sites make files of long pastes.
  return composer.hasAttribute('data-lexical-editor') ? [pasted, ...RICH_WAYS] : RICH_WAYS;
}

/** As if typed, which the browser's undo knows of; else the value itself, as frameworks listen for it. */
const FIELD_WAYS: readonly Way[] = [
  typed,
  (composer, text) => {
    const field = composer as TextField;
    // The page's framework may watch the value of its own element; the prototype's setter passes it by.
    const prototype = isTextArea(field) ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype;
    Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, text + field.value);
    field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: text }));
  },
];

function typed(composer: HTMLElement, text: string): void {
  caretToStart(composer);
  document.execCommand('insertText', false, text);
}

async function pasted(composer: HTMLElement, text: string): Promise<void> {
  await selectStart(composer);
  const options = { bubbles: true, cancelable: true, composed: true };
  composer.dispatchEvent(new ClipboardEvent('paste', { ...options, clipboardData: plainText(text) }));
}

/** As if typed; else as if pasted; else as the event that an editor takes its input from. */
const RICH_WAYS: readonly Way[] = [
  typed,
  pasted,
  async (composer, text) => {
    await selectStart(composer);
    const options = { bubbles: true, cancelable: true, composed: true, inputType: 'insertFromPaste' };
    composer.dispatchEvent(
      new InputEvent('beforeinput', { ...options, data: text, dataTransfer: plainText(text) }),
    );
  },
];

function plainText(text: string): DataTransfer {
  const data = new DataTransfer();
  data.setData('text/plain', text);
  return data;
}

function isTextArea(field: TextField): field is HTMLTextAreaElement {
  return field instanceof HTMLTextAreaElement;
}

/** What must be the same whatever an editor does to spaces, signs and empty lines: the letters of each line. */
function linesOf(text: string): string {
  const lines = text.split('\n').map((line) => line.replace(/[^\p{L}\p{N}]+/gu, ''));
  return lines.filter((line) => line !== '').join('\n');
}

/** Has the editor itself know that the caret stands at the start: it puts its own where it reads no change. */
async function selectStart(composer: HTMLElement): Promise<void> {
  // ProseMirror undoes a caret at the start that comes within 200 ms of the focus.
  await new Promise((resolve) => setTimeout(resolve, AFTER_FOCUS));
  caretToStart(composer);
  await settle();
}

function caretToStart(composer: HTMLElement): void {
  if (isTextField(composer)) composer.setSelectionRange(0, 0);
  else place(composer, true);
}

function caretToEnd(composer: HTMLElement): void {
  if (isTextField(composer)) composer.setSelectionRange(composer.value.length, composer.value.length);
  else place(composer, false);
}

function place(composer: HTMLElement, atStart: boolean): void {
  const range = document.createRange();
  // Within the first or last block: an editor's root itself is no place to type in.
  const block = (atStart ? composer.firstElementChild : composer.lastElementChild) ?? composer;
  range.selectNodeContents(block);
  range.collapse(atStart);
  const selection = getSelection();
  selection?.removeAllRanges();
  selection?.addRange(range);
}

/** Lets the editor take notice of the selection or the input. */
function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 30));
}
