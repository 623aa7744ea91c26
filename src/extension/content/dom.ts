/** Properties of an element; what has none is set as an attribute. */
type Properties<E> = Omit<Partial<E>, 'attributes'> & { attributes?: Readonly<Record<string, string>> };

/** A new element: properties are set, `attributes` as attributes, children appended; text stays text. */
export function make<K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties?: Properties<HTMLElementTagNameMap[K]>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  const { attributes, ...rest } = properties ?? {};
  Object.assign(element, rest);
  for (const [attribute, value] of Object.entries(attributes ?? {})) element.setAttribute(attribute, value);
  element.append(...children);
  return element;
}

/** Names our elements in the page, so that a later content script finds those of an earlier one. */
export const HOST_ATTRIBUTE = 'data-skein';

/**
 * An element of ours outside of the page's own tree of content, with a shadow root that the page's scripts cannot
 * open: what is shown there is nobody else's business.
 */
export function makeHost(name: string, css: string): { host: HTMLElement; root: ShadowRoot } {
  const host = make('div', { attributes: { [HOST_ATTRIBUTE]: name } });
  const root = host.attachShadow({ mode: 'closed' });
  addStyle(root, css);
  for (const type of ['keydown', 'keyup', 'keypress', 'input', 'paste', 'copy'])
    root.addEventListener(type, (event) => event.stopPropagation());
  return { host, root };
}

function addStyle(root: ShadowRoot, css: string): void {
  try {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    root.adoptedStyleSheets = [sheet];
  } catch {
    // Firefox keeps constructed sheets from content scripts.
    root.append(make('style', { textContent: css }));
  }
}

/** Puts `host` into the page, and back where the page has thrown it out. */
export function keepInPage(host: HTMLElement): void {
  if (!host.isConnected) document.documentElement.append(host);
}

/** Puts `host` at a place of the window, also where the page scales itself by CSS. */
export function moveTo(host: HTMLElement, { left, top }: { left: number; top: number }): void {
  const zoom = host.currentCSSZoom || 1;
  host.style.left = `${left / zoom}px`;
  host.style.top = `${top / zoom}px`;
}

/** Removes what an earlier content script left. */
export function removeHosts(): void {
  for (const host of document.querySelectorAll(`[${HOST_ATTRIBUTE}]`)) host.remove();
}
