import { type Device, type Fit, fits } from './device.ts';
import type { AnswerModel } from './models.ts';

/** Where models come from, in the order in which they are offered among equals. */
export interface ModelTables {
  /** The browser's own model, where it has one: nothing to download. */
  readonly browser: readonly AnswerModel[];
  /** Models that the person brought. */
  readonly own: readonly AnswerModel[];
  /** Served by the site itself. */
  readonly site: readonly AnswerModel[];
  /** Of the model hubs. */
  readonly hub: readonly AnswerModel[];
}

const VERDICTS: readonly Fit['verdict'][] = ['fits', 'may-not-fit', 'cannot-run'];

/**
 * Every model that can be chosen: the browser's own first, then those of the person, the site and the hubs; of these
 * what fits `device` before what may not and what can't run there, small before large. No id comes twice.
 */
export function catalogue(tables: ModelTables, device: Device): readonly AnswerModel[] {
  const seen = new Set<string>();
  const unique = [...tables.browser, ...tables.own, ...tables.site, ...tables.hub].filter(
    ({ id }) => !seen.has(id) && seen.add(id),
  );
  const first = unique.filter(({ source }) => source.kind === 'browser');
  const rest = unique.filter(({ source }) => source.kind !== 'browser');
  const place = (model: AnswerModel) => VERDICTS.indexOf(fits(model, device).verdict);
  const isHub = (model: AnswerModel) => (tables.hub.includes(model) ? 1 : 0);
  return [
    ...first,
    ...rest.sort(
      (a, b) =>
        place(a) - place(b) ||
        isHub(a) - isHub(b) ||
        (isHub(a) ? (a.parameters ?? 0) - (b.parameters ?? 0) || a.bytes - b.bytes : 0),
    ),
  ];
}
