import type { SiteDescription } from '../../sites/site.ts';
import { turnText } from '../read/turn-text.ts';

/** The site's composer and send button as far as they are on the page and visible. */
export function findComposer({ selectors }: SiteDescription): HTMLElement | undefined {
  return firstVisible(selectors.composer);
}

export function findSendButton({ selectors }: SiteDescription): HTMLElement | undefined {
  return firstVisible(selectors.sendButton);
}

function firstVisible(selectors: readonly string[]): HTMLElement | undefined {
  for (const selector of selectors)
    for (const element of document.querySelectorAll<HTMLElement>(selector))
      if (element.checkVisibility({ visibilityProperty: true })) return element;
  return undefined;
}

/** The box that holds composer and send button, or the composer's own. */
export function composerBox(composer: HTMLElement, send: HTMLElement | undefined): Element {
  let box: Element = composer.closest('form, fieldset') ?? composer;
  while (send && !box.contains(send) && box.parentElement) box = box.parentElement;
  return box === document.body || box === document.documentElement ? composer : box;
}

export type TextField = HTMLTextAreaElement | HTMLInputElement;

export function isTextField(composer: Element): composer is TextField {
  return composer instanceof HTMLTextAreaElement || composer instanceof HTMLInputElement;
}

/** What a person has written. */
export function composerText(composer: HTMLElement): string {
  return isTextField(composer) ? composer.value : turnText(composer, []);
}

export function isRightToLeft(element: Element): boolean {
  return getComputedStyle(element).direction === 'rtl';
}

/** Whether the site shows light text on a dark ground, by the colour of `element`'s text. */
export function isDark(element: Element): boolean {
  const [, space = '', numbers = ''] = /^([\w-]+)\((.*)\)$/.exec(getComputedStyle(element).color) ?? [];
  const [first = 0, second = 0, third = 0] = [...numbers.matchAll(/[\d.]+/g)].map(Number);
  if (space.startsWith('rgb')) return 0.3 * first + 0.59 * second + 0.11 * third > 140;
  if (space === 'color') return 0.3 * first + 0.59 * second + 0.11 * third > 0.55;
  // oklch, oklab, lch, lab: lightness comes first, of 1 or of 100.
  return first > 1 ? first > 60 : first > 0.6;
}
