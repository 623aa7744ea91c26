/** The parts of a chat page; each has selectors tried in order, the first that matches counts. */
export interface SiteSelectors {
  userTurn: readonly string[];
  assistantTurn: readonly string[];
  composer: readonly string[];
  sendButton: readonly string[];
  /** Present while an answer is being written. */
  busy: readonly string[];
}

/** A chat site as data: to add one, write one of these and a replica for its test. */
export interface SiteDescription {
  /** Never changes: captured turns carry it. */
  id: string;
  name: string;
  /** Match patterns of the manifest, such as `https://claude.ai/*`. */
  matches: readonly string[];
  /** Regular expression on the path; its first group names the conversation. */
  conversation: string;
  /**
   * Where the address names no conversation, its first exchange does. Left out: nothing is captured there, as the
   * site means it (a chat that it will not keep) or since the address comes later.
   */
  namedByContent?: true;
  selectors: SiteSelectors;
  /**
   * Where a turn (or its closest ancestor that has it) names its message, in order: an attribute, or a selector
   * whose last attribute holds the name, such as `.row[id]`.
   */
  messageId: readonly string[];
  /** Parts of a turn that are not what was said: buttons, labels for screen readers. */
  leaveOut: readonly string[];
}
