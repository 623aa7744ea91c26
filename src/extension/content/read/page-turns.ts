import type { Role } from '../../../core/turn.ts';
import type { SiteDescription } from '../../sites/site.ts';

/** A turn as the page shows it. */
export interface PageTurn {
  element: Element;
  role: Role;
}

/** The first of `selectors` that matches something in `root`; undefined where none does. */
export function firstMatching(selectors: readonly string[], root: ParentNode = document): string | undefined {
  return selectors.find((selector) => root.querySelector(selector) !== null);
}

/** Every turn the page shows, in its order; of turns within turns only the outermost. */
export function pageTurns({ selectors }: SiteDescription, root: ParentNode = document): PageTurn[] {
  const user = firstMatching(selectors.userTurn, root);
  const assistant = firstMatching(selectors.assistantTurn, root);
  const both = [user, assistant].filter((selector) => selector !== undefined);
  if (both.length === 0) return [];
  const turns: PageTurn[] = [];
  for (const element of root.querySelectorAll(both.join(', '))) {
    if (turns.at(-1)?.element.contains(element)) continue;
    turns.push({ element, role: user && element.matches(user) ? 'user' : 'model' });
  }
  return turns;
}

/** Those of `turns` in which one of `nodes` lies. */
export function changedTurns(turns: readonly PageTurn[], nodes: ReadonlySet<Node>): Set<Element> {
  const elements = new Set<Node>(turns.map(({ element }) => element));
  const changed = new Set<Element>();
  for (const node of nodes) {
    let at: Node | null = node;
    while (at && !elements.has(at)) at = at.parentNode;
    if (at) changed.add(at as Element);
  }
  return changed;
}

/** Whether the page says that an answer is being written. */
export function isBusy({ selectors }: SiteDescription): boolean {
  return firstMatching(selectors.busy) !== undefined;
}

/** What the page itself calls the message of a turn; undefined where it gives no name. */
export function messageId(turn: Element, { messageId }: SiteDescription): string | undefined {
  for (const place of messageId) {
    const selector = place.includes('[') ? place : `[${place}]`;
    const attribute = /\[([\w-]+)[^[]*$/.exec(selector)?.[1];
    const name = attribute && turn.closest(selector)?.getAttribute(attribute);
    if (name) return name;
  }
  return undefined;
}

/** Attributes whose change tells that a turn changed or an answer ended. */
export function watchedAttributes({ selectors, messageId }: SiteDescription): string[] {
  const named = [
    ...selectors.busy,
    ...messageId.map((place) => (place.includes('[') ? place : `[${place}]`)),
  ];
  const attributes = named.flatMap((selector) =>
    [...selector.matchAll(/\[([\w-]+)/g)].map((match) => match[1]!),
  );
  const classes = selectors.busy.some((selector) => selector.includes('.')) ? ['class'] : [];
  return [...new Set([...attributes, ...classes])].filter((attribute) => attribute !== 'id');
}
