import { pathTo, simpleSelectors } from './simple-selectors.ts';

/** Selectors that are kept of a part, the first that matches counting. */
const KEPT = 3;
/** Ancestors of what was clicked that may be the turn. */
const HIGHEST = 12;

interface Candidate {
  selector: string;
  rank: number;
  matches: readonly Element[];
  /** Steps up from what was clicked. */
  height: number;
}

export interface TurnSelectors {
  userTurn: readonly string[];
  assistantTurn: readonly string[];
}

/**
 * Selectors for all questions and all answers of a page, from one of each: those under which the two take turns
 * best. Undefined where nothing tells the two apart.
 */
export function turnSelectors(user: Element, assistant: Element): TurnSelectors | undefined {
  const users = candidates(user, assistant);
  const assistants = candidates(assistant, user);
  let best: { users: Candidate; assistants: Candidate; score: number } | undefined;
  for (const one of users)
    for (const other of assistants) {
      const score = scoreOf(one, other);
      if (!best || score > best.score) best = { users: one, assistants: other, score };
    }
  if (!best) return byPosition(user, assistant);
  return { userTurn: alike(best.users, users), assistantTurn: alike(best.assistants, assistants) };
}

/** Selectors for a part of which a page has one: the composer, the send button. */
export function partSelectors(element: Element): string[] {
  const unique = simpleSelectors(element)
    .map(({ selector }) => selector)
    .filter((selector) => document.querySelectorAll(selector).length === 1);
  return [...unique, pathTo(element)].slice(0, KEPT);
}

/** What is meant by a click on or near a composer. */
export function composerAt(element: Element): Element | undefined {
  const editable =
    'textarea, input, [contenteditable="true"], [contenteditable=""], [contenteditable="plaintext-only"]';
  return element.closest(editable) ?? element.querySelector(editable) ?? undefined;
}

/** What is meant by a click on a button's icon. */
export function buttonAt(element: Element): Element {
  return element.closest('button, [role="button"], input[type="submit"]') ?? element;
}

/** Every simple selector of what was clicked and of what holds it, as long as that does not hold `other`. */
function candidates(clicked: Element, other: Element): Candidate[] {
  const found: Candidate[] = [];
  let at: Element | null = clicked;
  for (let height = 0; at && !at.contains(other) && height < HIGHEST; at = at.parentElement, height++)
    for (const { selector, rank } of simpleSelectors(at)) {
      const matches = [...document.querySelectorAll(selector)];
      if (!matches.some((match) => match.contains(other) || other.contains(match)))
        found.push({ selector, rank, matches, height });
    }
  return found;
}

/** How well two selectors tell a conversation: taking turns counts most, then how many turns, then how lasting. */
function scoreOf(users: Candidate, assistants: Candidate): number {
  const roles = [
    ...users.matches.map((element) => ({ element, isUser: true })),
    ...assistants.matches.map((element) => ({ element, isUser: false })),
  ].sort((a, b) =>
    a.element.compareDocumentPosition(b.element) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
  );
  const changes = roles.filter(({ isUser }, at) => at > 0 && isUser !== roles[at - 1]!.isUser).length;
  const takingTurns = changes / (roles.length - 1);
  const nested = roles.some(({ element }, at) => at > 0 && roles[at - 1]!.element.contains(element));
  const lasting = users.rank + assistants.rank;
  // The larger element holds all of a turn; what was clicked may be one of its paragraphs.
  const height = users.height + assistants.height;
  return (nested ? -1 : 1) * takingTurns * 1e6 + Math.min(roles.length, 999) * 1e3 + lasting * 50 + height;
}

/** `best`, and other selectors that match exactly the same elements. */
function alike(best: Candidate, all: readonly Candidate[]): string[] {
  const same = all.filter(
    ({ matches }) =>
      matches.length === best.matches.length && matches.every((match, at) => match === best.matches[at]),
  );
  const selectors = [best, ...same].map(({ selector }) => selector);
  return [...new Set(selectors)].slice(0, KEPT);
}

/** Without any name to go by: every second child of the element that holds both. */
function byPosition(user: Element, assistant: Element): TurnSelectors | undefined {
  let list: Element | null = user.parentElement;
  while (list && !list.contains(assistant)) list = list.parentElement;
  if (!list) return undefined;
  const children = [...list.children];
  const indexOf = (element: Element) => children.findIndex((child) => child.contains(element));
  const [first, second] = [indexOf(user), indexOf(assistant)];
  if (first < 0 || second < 0 || first % 2 === second % 2) return undefined;
  const path = pathTo(list);
  const every = (index: number) => [`${path} > :nth-child(${index % 2 === 0 ? 'odd' : 'even'})`];
  return { userTurn: every(first), assistantTurn: every(second) };
}
