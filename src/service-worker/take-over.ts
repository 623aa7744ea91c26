/** What a page tells the waiting version of the service worker, so that it takes over. */
export const TAKE_OVER = 'skein-take-over';
