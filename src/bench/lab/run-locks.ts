/** Port: locks over all tabs of the site. They end with the tab or worker that holds them. */
export interface RunLocks {
  /** Holds the lock until the returned function is called; undefined where another tab holds it. */
  hold(name: string): Promise<(() => void) | undefined>;
  /** Names that are held in any tab. */
  held(): Promise<ReadonlySet<string>>;
}

/** Web Locks; where there are none (an insecure origin), each tab is on its own. */
export const webLocks: RunLocks = {
  async hold(name) {
    if (!navigator.locks) return () => {};
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: got, resolve: setGot } = Promise.withResolvers<boolean>();
    void navigator.locks.request(name, { ifAvailable: true }, (lock) => {
      setGot(lock !== null);
      return lock ? released : undefined;
    });
    return (await got) ? release : undefined;
  },
  async held() {
    const { held = [] } = (await navigator.locks?.query()) ?? {};
    return new Set(held.flatMap(({ name }) => name ?? []));
  },
};
