import { measureElement, type Virtualizer } from '@tanstack/lit-virtual';

/**
 * Measures a row once it has been laid out. A row is asked for its height as soon as it is in the page, when the
 * elements inside it have not drawn themselves yet; until the browser reports the real one, its estimate stands.
 */
export function measureAfterLayout(
  row: HTMLElement,
  entry: ResizeObserverEntry | undefined,
  virtualizer: Virtualizer<HTMLElement, HTMLElement>,
): number {
  if (entry) return measureElement(row, entry, virtualizer);
  const index = virtualizer.indexFromElement(row);
  return virtualizer.measurementsCache[index]?.size ?? virtualizer.options.estimateSize(index);
}
