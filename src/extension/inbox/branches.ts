import type { CapturedTurn } from '../messages.ts';

/** Where a captured turn stands in its conversation. */
export interface Place {
  /** How many turns come before it on its branch, plus one. */
  readonly depth: number;
  /** Empty for the branch that was seen first; otherwise how it parts from the others, as a person would say it. */
  readonly branch: string;
}

/** A turn that is known already, as far as its place goes. */
export interface KnownTurn extends Place {
  readonly key: string;
  readonly role: CapturedTurn['role'];
}

/**
 * The place of a turn after `parent`. Turns that follow the same one are branches: an edited message, or an answer
 * given again. The first keeps the branch of its parent; each later one starts a branch, which its own followers
 * inherit. `siblings`: the known turns after the same parent.
 */
export function placeOf(
  turn: Pick<CapturedTurn, 'key' | 'role'>,
  parent: KnownTurn | undefined,
  siblings: readonly KnownTurn[],
): Place {
  const depth = (parent?.depth ?? 0) + 1;
  const others = siblings.filter(({ key }) => key !== turn.key).length;
  if (others === 0) return { depth, branch: parent?.branch ?? '' };
  const what = turn.role === 'user' ? 'edited' : 'answered again';
  const version = others > 1 ? `, version ${others + 1}` : '';
  return { depth, branch: `${what} at turn ${depth}${version}` };
}

/** The source that a turn of the thread names: site, conversation and branch, as a person would say it. */
export function sourceOf(site: string, title: string, branch: string): string {
  const conversation = title.trim() === '' ? site : `${site}: ${title.trim()}`;
  return branch === '' ? conversation : `${conversation} (${branch})`;
}
