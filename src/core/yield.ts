/** Lets timers, messages and input have their turn before the caller goes on. */
export function yieldToEvents(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
