import { formatRoute, navigate } from '../router.ts';

/** What of a finished run is shown. */
export const RUN_TABS = ['table', 'plots', 'questions'] as const;
export type RunTab = (typeof RUN_TABS)[number];

/** What the rest of a lab address names. */
export type LabRoute =
  | { readonly kind: 'home' }
  | { readonly kind: 'replay' }
  | { readonly kind: 'run'; readonly run: string; readonly tab: RunTab; readonly question?: QuestionPlace }
  | { readonly kind: 'compare'; readonly runs: readonly string[] };

export interface QuestionPlace {
  readonly batch: string;
  readonly id: string;
}

/** Reads what follows `#/lab`; what it does not know is the lab's start. */
export function parseLabPath([head, ...rest]: readonly string[]): LabRoute {
  if (head === 'replay') return { kind: 'replay' };
  if (head === 'compare' && rest.length > 1) return { kind: 'compare', runs: rest };
  if (head !== 'run' || !rest[0]) return { kind: 'home' };
  const [run, name, batch, id] = rest;
  const tab = RUN_TABS.find((known) => known === name) ?? 'table';
  if (tab === 'questions' && batch && id) return { kind: 'run', run, tab, question: { batch, id } };
  return { kind: 'run', run, tab };
}

/** The address of a place in the lab. */
export function labHref(route: LabRoute): string {
  return formatRoute({ kind: 'lab', path: pathOf(route) });
}

export function goInLab(route: LabRoute): void {
  navigate({ kind: 'lab', path: pathOf(route) });
}

function pathOf(route: LabRoute): string[] {
  switch (route.kind) {
    case 'home':
      return [];
    case 'replay':
      return ['replay'];
    case 'compare':
      return ['compare', ...route.runs];
    case 'run': {
      const { run, tab, question } = route;
      const place = question ? [question.batch, question.id] : [];
      return tab === 'table' ? ['run', run] : ['run', run, tab, ...place];
    }
  }
}
