/** Whether an error of a model's runtime tells of memory: each says it in words of its own. */
export function isOutOfMemory(error: unknown): boolean {
  const message = error instanceof Error ? error.message : String(error);
  return error instanceof RangeError || /alloc|out of memory/i.test(message);
}
