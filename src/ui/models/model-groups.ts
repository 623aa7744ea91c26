import type { ModelView } from './model-view.ts';

/** Models under one heading. */
export interface ModelGroup {
  readonly kind: 'here' | 'fits' | 'may-not-fit' | 'cannot-run';
  readonly views: readonly ModelView[];
  /** Other builds of the same models, which are worse here: larger, or not for this device. */
  readonly more: readonly ModelView[];
}

/** What is on this device or needs no download, then the others by how well they fit; the order is kept. */
export function groupModels(views: readonly ModelView[]): readonly ModelGroup[] {
  const here = views.filter(isHere);
  const rest = views.filter((view) => !isHere(view));
  const groups: ModelGroup[] = [{ kind: 'here', views: here, more: [] }];
  for (const kind of ['fits', 'may-not-fit', 'cannot-run'] as const) {
    const own = rest.filter(({ fit }) => fit.verdict === kind);
    const best = own.filter((view) => !hasBetterBuild(view, rest));
    groups.push({ kind, views: best, more: own.filter((view) => !best.includes(view)) });
  }
  return groups.filter(({ views, more }) => views.length + more.length > 0);
}

/** Bytes of all models on this device. */
export function keptBytes(views: readonly ModelView[]): number {
  return views.reduce((sum, view) => sum + bytesHere(view), 0);
}

export function bytesHere({ files }: ModelView): number {
  switch (files.kind) {
    case 'kept':
      return files.bytes;
    case 'paused':
    case 'failed':
      return files.keptBytes;
    case 'downloading':
      return files.loadedBytes;
    default:
      return 0;
  }
}

function isHere(view: ModelView): boolean {
  const { kind } = view.files;
  return view.chosen || (kind !== 'absent' && !(kind === 'failed' && bytesHere(view) === 0));
}

/** Whether another build of the same model runs at least as well and takes less. */
function hasBetterBuild(view: ModelView, all: readonly ModelView[]): boolean {
  const rank = (other: ModelView) => ['fits', 'may-not-fit', 'cannot-run'].indexOf(other.fit.verdict);
  return all.some(
    (other) =>
      other !== view &&
      familyOf(other) === familyOf(view) &&
      (rank(other) < rank(view) ||
        (rank(other) === rank(view) && other.model.needs.memoryBytes < view.model.needs.memoryBytes)),
  );
}

/** Builds of one model differ in what stands in brackets after its name. */
function familyOf({ model }: ModelView): string {
  return `${model.engine} ${model.title.replace(/ \(.*$/, '')}`;
}
