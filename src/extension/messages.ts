import type { Role } from '../core/turn.ts';
import type { SiteDescription } from './sites/site.ts';

/** A completed turn as a content script read it off the page. */
export interface CapturedTurn {
  /** Names the turn within its conversation, the same after a reload: the site's own message id where it has one. */
  key: string;
  role: Role;
  text: string;
  /** Key of the turn before it on the branch that the page shows; undefined for the first. */
  after: string | undefined;
  /** Milliseconds since 1970, when the turn was seen complete. */
  at: number;
}

/** Turns of one conversation, in the page's order. Sending the same turns again adds nothing. */
export interface CaptureBatch {
  site: string;
  conversation: string;
  title: string;
  turns: readonly CapturedTurn[];
}

/** Off until a person turns it on for the site; a pause ends by hand. */
export type CaptureState = 'off' | 'on' | 'paused';

/** What a content script knows of its page's site. */
export interface PageState {
  capture: CaptureState;
  /** Turns of this conversation that are durable. */
  kept: number;
}

/** An episode offered for the message being written. */
export interface OfferedEpisode {
  /** When its last turn was said, in milliseconds since 1970. */
  at: number | undefined;
  /** The turn that fits best, of those that are here. */
  telling?: number;
  turns: readonly { turn: number; role: Role; text: string }[];
}

/** What a content script asks of the extension, one answer each (`Answers`). */
export type PageRequest =
  /** The description of the page's site that a person taught; null where there is none. */
  | { kind: 'taught-site' }
  | { kind: 'page-state'; site: string; conversation: string }
  | { kind: 'set-capture'; site: string; capture: CaptureState }
  | { kind: 'capture'; batch: CaptureBatch }
  | { kind: 'hint'; text: string }
  | { kind: 'recall'; text: string }
  | { kind: 'site-changed'; site: string; missing: readonly string[] }
  | { kind: 'taught'; selectors: Readonly<Record<string, readonly string[]>> }
  | { kind: 'open-panel' };

/** The answer to each kind of `PageRequest`. */
export interface Answers {
  'taught-site': SiteDescription | null;
  'page-state': PageState;
  'set-capture': PageState;
  /** Resolves when the turns are durable; what was known before is counted apart. */
  capture: { added: number; known: number };
  /** How many episodes fit what is being written. */
  hint: { episodes: number };
  recall: { episodes: readonly OfferedEpisode[] };
  'site-changed': null;
  taught: null;
  'open-panel': null;
}

/** What the extension tells a page unasked. */
export type PageEvent =
  | { kind: 'capture-changed'; state: PageState }
  /** The person does not use Skein on this site any more. */
  | { kind: 'leave' }
  /** The shortcut was pressed: open the panel for the composer's text. */
  | { kind: 'recall-now' }
  /** A person ticked episodes in the side panel: insert them. */
  | { kind: 'insert'; episodes: readonly OfferedEpisode[] }
  /** A person points at the parts of an unknown site. */
  | { kind: 'teach' }
  /** The side panel asks what its page shows. */
  | { kind: 'describe' };

/** What the page answers to an event; the others have no answer. */
export interface EventAnswers {
  /** Whether the text stands in the composer now; where not, the side panel offers to copy it. */
  insert: { inserted: boolean };
  describe: PageReport;
}

/** What a page's site has, as far as its selectors find it. */
export interface PageReport {
  /** What stands in the composer. */
  text: string;
}
