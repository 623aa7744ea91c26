/**
 * The content script's shadow roots are closed, for the page as for a test: this notes them as they are made, so that
 * a test can look at what a person sees.
 */
const roots = new WeakMap<Element, ShadowRoot>();
const attachShadow = Element.prototype.attachShadow;
Element.prototype.attachShadow = function (options) {
  const root = attachShadow.call(this, options);
  roots.set(this, root);
  return root;
};

/** What Skein shows under `name`: `button`, `panel` or `teach`; undefined where it shows nothing. */
export function shownBySkein(name: string): ShadowRoot | undefined {
  const host = document.querySelector<HTMLElement>(`[data-skein="${name}"]`);
  return host && !host.hidden ? roots.get(host) : undefined;
}

/** Clicks the button of that text, as a person would find it. */
export function clickButton(root: ShadowRoot | undefined, text: string): void {
  const buttons = [...(root?.querySelectorAll('button') ?? [])];
  const button = buttons.find(({ textContent, ariaLabel }) =>
    (textContent + (ariaLabel ?? '')).includes(text),
  );
  if (!button) throw new Error(`No button "${text}" in ${buttons.map((one) => one.textContent).join(', ')}`);
  button.click();
}
