import { make } from '../dom.ts';

/** Copies `text`; false where neither the clipboard nor the old command would take it. */
export async function copyText(text: string, root: ShadowRoot): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // The page's permissions policy may forbid the clipboard.
    const field = make('textarea', { value: text, attributes: { style: 'position: fixed; opacity: 0' } });
    root.append(field);
    field.select();
    const copied = document.execCommand('copy');
    field.remove();
    return copied;
  }
}
