/** Matches what typeset mathematics is wrapped in, by KaTeX, MathJax, MathML, or as Gemini keeps it. */
export const MATH = '.katex, mjx-container, math, [data-math]';

/** The TeX source of typeset mathematics between dollar signs; undefined where the page does not keep it. */
export function texOf(element: Element): string | undefined {
  const source =
    element.getAttribute('data-math') ??
    element.querySelector('annotation[encoding="application/x-tex"]')?.textContent ??
    element.querySelector('math[alttext]')?.getAttribute('alttext') ??
    element.getAttribute('alttext');
  if (!source) return undefined;
  const tex = source.trim();
  return isDisplayed(element) ? `\n\n$$${tex}$$\n\n` : `$${tex}$`;
}

function isDisplayed(element: Element): boolean {
  return (
    element.closest('.katex-display, .math-block, mjx-container[display="true"], [display="block"]') !== null
  );
}
