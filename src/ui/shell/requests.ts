/** Asks the shell for the import dialog, with files that were dropped and the thread to add to, if any. */
export class ImportRequest extends Event {
  constructor(
    readonly files: readonly File[] = [],
    readonly threadId?: string,
  ) {
    super('import-request', { bubbles: true, composed: true });
  }
}

/** Asks the shell for the list of threads, which is a drawer on small screens. */
export class MenuRequest extends Event {
  constructor() {
    super('menu-request', { bubbles: true, composed: true });
  }
}
