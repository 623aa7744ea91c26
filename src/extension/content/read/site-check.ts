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
  }

  /** The parts that were not found, once for each conversation; undefined where nothing is amiss or it is too early. */
  missing(): readonly string[] | undefined {
    const wait = this.#dueAt - performance.now();
    if (wait > 0) {
      if (wait < Number.POSITIVE_INFINITY) this.watcher.lookAfter(wait);
      return undefined;
    }
    if (isBusy(this.site)) return undefined;
    const missing = missingParts(this.site);
    // A single turn proves nothing yet; what comes after it will.
    const isTooFew = missing.length === 0 && pageTurns(this.site).length < 2;
    this.#dueAt = isTooFew ? performance.now() : Number.POSITIVE_INFINITY;
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
  // biome-ignore lint/performance/useDomNodeTextContent: textContent holds the text of scripts, too.
  const holdsMore = turns.length > 0 || document.body.innerText.length > MUCH_TEXT;
  if (users === 0 && holdsMore) missing.push('userTurn');
  if (assistants === 0 && holdsMore && users !== 1) missing.push('assistantTurn');
  if (!hasComposer && holdsMore) missing.push('composer');
  return missing;
}
