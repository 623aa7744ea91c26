import { App } from '../../../src/ui/app.ts';
import type { ModelsSession } from '../../../src/ui/models/models-session.ts';
import type { PreviewAnswers } from '../../../src/ui/preview/preview-answers.ts';
import { PreviewEngine, type PreviewStart } from '../../../src/ui/preview/preview-engine.ts';
import '../../../src/ui/design/tokens.css';

/** The whole page on an engine in memory, at a route. */
export async function openPage(
  start: PreviewStart,
  hash: string,
  answers?: PreviewAnswers,
  models?: ModelsSession,
): Promise<{ app: App; engine: PreviewEngine }> {
  closePage();
  history.replaceState(null, '', hash);
  const engine = new PreviewEngine(start);
  engine.delay = 0;
  const app = new App();
  app.engine = engine;
  if (answers) app.answers = answers;
  if (models) app.models = models;
  app.style.cssText = 'height: 800px; width: 1100px; position: fixed; inset: 0';
  document.body.append(app);
  await app.updateComplete;
  await app.session.ready;
  await app.updateComplete;
  return { app, engine };
}

export function closePage(): void {
  for (const element of document.querySelectorAll('skein-app, skein-confirm, skein-turn-editor'))
    element.remove();
}

/** All elements that match, through every shadow root. */
export function findAll<T extends Element = HTMLElement>(selector: string, root: ParentNode = document): T[] {
  const found = [...root.querySelectorAll<T>(selector)];
  for (const element of root.querySelectorAll('*')) {
    if (element.shadowRoot) found.push(...findAll<T>(selector, element.shadowRoot));
  }
  return found;
}

export function find<T extends Element = HTMLElement>(selector: string): T {
  const [first] = findAll<T>(selector);
  if (!first) throw new Error(`Nothing matches ${selector}`);
  return first;
}

/** The visible text of an element, through its shadow roots and slots. */
export function textOf(node: Node): string {
  if (node instanceof Text) return node.data;
  if (node instanceof HTMLStyleElement) return '';
  const own = node instanceof Element && node.shadowRoot ? [...node.shadowRoot.childNodes] : [];
  return [...own, ...node.childNodes].map(textOf).join('');
}

/** The button or link whose text or label is `name`. */
export function button(name: string | RegExp): HTMLElement {
  const matches = (text: string) => (typeof name === 'string' ? text === name : name.test(text));
  const all = findAll('button, a');
  const named = all.find((element) =>
    matches((element.getAttribute('aria-label') ?? textOf(element)).replace(/\s+/g, ' ').trim()),
  );
  if (!named) throw new Error(`No button ${name}`);
  return named;
}
