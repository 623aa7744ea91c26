import { isTextField, type TextField } from './composer.ts';

/** What became of an insertion. `changed` means that something else than asked stands in the composer now. */
export type Insertion = 'inserted' | 'unchanged' | 'changed';

/**
 * Puts `text` before what stands in the composer, through the editor's own input path, and reads back whether it is
 * there. Never sends. The caret ends up behind what was written.
 *
 * @param find the composer; asked again after each step since editors may replace it
 */
export async function insertBefore(find: () => HTMLElement | undefined, text: string): Promise<Insertion> {
  const composer = find();
  if (!composer) return 'unchanged';
  const before = lettersOf(composerContent(composer));
  const separated = before === '' ? `${text}\n` : `${text}\n\n`;
  for (const way of isTextField(composer) ? FIELD_WAYS : RICH_WAYS) {
    const target = find();
    if (!target) return 'changed';
    target.focus();
    await settle();
    way(target, separated);
    await settle();
    const now = find();
    const content = now ? lettersOf(composerContent(now)) : '';
    if (now && content === lettersOf(text) + before) {
      caretToEnd(now);
      return 'inserted';
    }
    if (content !== before) return 'changed';
  }
  return 'unchanged';
}

type Way = (composer: HTMLElement, text: string) => void;

/** As if typed, which the browser's undo knows of; else the value itself, as frameworks listen for it. */
const FIELD_WAYS: readonly Way[] = [
  (composer, text) => {
    (composer as TextField).setSelectionRange(0, 0);
    document.execCommand('insertText', false, text);
  },
  (composer, text) => {
    const field = composer as TextField;
    // The page's framework may watch the value of its own element; the prototype's setter passes it by.
    const prototype = isTextArea(field) ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype;
    Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, text + field.value);
    field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: text }));
  },
];

/** As if typed; else as if pasted; else as the event that an editor takes its input from. */
const RICH_WAYS: readonly Way[] = [
  (composer, text) => {
    caretToStart(composer);
    document.execCommand('insertText', false, text);
  },
  (composer, text) => {
    caretToStart(composer);
    const options = { bubbles: true, cancelable: true, composed: true };
    composer.dispatchEvent(new ClipboardEvent('paste', { ...options, clipboardData: plainText(text) }));
  },
  (composer, text) => {
    caretToStart(composer);
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

function composerContent(composer: HTMLElement): string {
  return isTextField(composer) ? composer.value : (composer.textContent ?? '');
}

/** What must be the same whatever an editor does to lines and spaces. */
function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '');
}

function caretToStart(composer: HTMLElement): void {
  place(composer, true);
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
