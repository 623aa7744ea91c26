/** Closes a discriminated union: the compiler refuses the call while a case is unhandled. */
export function unreachable(value: never): never {
  throw new Error(`Unhandled case: ${JSON.stringify(value)}`);
}
