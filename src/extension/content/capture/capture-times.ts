import type { SiteDescription } from '../../sites/site.ts';

/** How long capture waits, in milliseconds. */
export interface CaptureTimes {
  /** Milliseconds for which the last exchange must stay unchanged. */
  settled: number;
  /** The same for a question that nothing answers yet. */
  unanswered: number;
  /** After this long without any change even a page that says it is busy is taken as it stands. */
  stuck: number;
  /** So long a conversation waits for an address before its first exchange names it. */
  unnamed: number;
}

/** The times that suit a site: without a marker for a busy page, only stillness tells that an answer is complete. */
export function captureTimes({ selectors }: SiteDescription): CaptureTimes {
  const settled = selectors.busy.length > 0 ? 400 : 2_000;
  return { settled, unanswered: 3_000, stuck: 60_000, unnamed: 3_000 };
}
