import { conversationAt } from '../../sites/index.ts';
import type { SiteDescription } from '../../sites/site.ts';
import { findComposer } from '../recall/composer.ts';
import { isBusy, pageTurns } from './page-turns.ts';
import type { PageWatcher } from './page-watcher.ts';

/** Milliseconds that a conversation has to appear after its address. */
const PATIENCE = 10_000;
/** Letters on a page that must be more than menus and a notice. */
const MUCH_TEXT = 2_000;

/** Notices that a site was redesigned: a page that ought to be a conversation, without the parts of one. */
export class SiteCheck {
  #dueAt = Number.POSITIVE_INFINITY;

  constructor(
    private readonly site: SiteDescription,
    private readonly watcher: PageWatcher,
    private readonly patience = PATIENCE,
  ) {}

  /** The page's address names this conversation from now on; empty means that there is none yet. */
  enter(conversation: string): void {
    this.#dueAt = conversation === '' ? Number.POSITIVE_INFINITY : performance.now() + this.patience;
    if (conversation !== '') this.watcher.lookAfter(this.patience);
  }

  /** The parts that were not found, once for each conversation; undefined where nothing is amiss or it is too early. */
  missing(): readonly string[] | undefined {
    if (performance.now() < this.#dueAt || conversationAt(this.site, location.href) === '') return undefined;
    if (isBusy(this.site)) return undefined;
    this.#dueAt = Number.POSITIVE_INFINITY;
    const missing = missingParts(this.site);
    return missing.length > 0 ? missing : undefined;
  }
}

/** The parts of a conversation that `site`'s selectors do not find on this page. */
export function missingParts(site: SiteDescription): string[] {
  const turns = pageTurns(site);
  const users = turns.filter(({ role }) => role === 'user').length;
  const assistants = turns.length - users;
  const hasComposer = findComposer(site) !== undefined;
  const missing: string[] = [];
  // Neither role: a conversation of its own shape, or a page that says there is none.
  const holdsMore = turns.length > 0 || (document.body.textContent?.length ?? 0) > MUCH_TEXT;
  if (users === 0 && holdsMore) missing.push('userTurn');
  if (assistants === 0 && holdsMore && users !== 1) missing.push('assistantTurn');
  if (!hasComposer && holdsMore) missing.push('composer');
  return missing;
}
