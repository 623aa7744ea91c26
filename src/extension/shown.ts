/** The conversation that a tab shows, as its content script last said. */
export interface Shown {
  readonly site: string;
  readonly conversation: string;
  /** Turns of it that are kept. */
  readonly kept?: number;
}

const TAB = 'tab:';
const PROBLEM = 'problem';

/** Why captured turns could not be moved into their thread. */
export interface MoveProblem {
  readonly message: string;
  readonly remedy: string;
}

/** Undefined once they could. */
export async function keepProblem(problem: MoveProblem | undefined): Promise<void> {
  if (!problem) await chrome.storage.session.remove(PROBLEM);
  else await chrome.storage.session.set({ [PROBLEM]: { message: problem.message, remedy: problem.remedy } });
}

export async function moveProblem(): Promise<MoveProblem | undefined> {
  return (await chrome.storage.session.get(PROBLEM))[PROBLEM] as MoveProblem | undefined;
}

/** Kept until the browser is closed: a background worker that was stopped finds it again. */
export async function keepShown(tabId: number, shown: Shown): Promise<void> {
  await chrome.storage.session.set({ [TAB + tabId]: shown });
}

export async function forgetShown(tabId: number): Promise<void> {
  await chrome.storage.session.remove(TAB + tabId);
}

export async function shownIn(tabId: number): Promise<Shown | undefined> {
  const key = TAB + tabId;
  return (await chrome.storage.session.get(key))[key] as Shown | undefined;
}

export async function shownInTabs(): Promise<Map<number, Shown>> {
  const all = await chrome.storage.session.get(null);
  const tabs = Object.entries(all).filter(([key]) => key.startsWith(TAB));
  return new Map(tabs.map(([key, value]) => [Number(key.slice(TAB.length)), value as Shown]));
}
