/**
 * Hands out candidates by value, highest first, where what is done with one may lower the values of others: a candidate
 * whose value fell meanwhile goes back to its place. `candidates` stand best first by their values of now.
 */
export function* bestFirst(
  candidates: readonly number[],
  worth: (candidate: number) => number,
): Generator<number> {
  const queue = candidates.slice();
  const values = candidates.map(worth);
  for (let at = 0; at < queue.length; ) {
    const candidate = queue[at]!;
    const value = worth(candidate);
    let place = at;
    for (; place + 1 < queue.length && values[place + 1]! > value; place++) {
      queue[place] = queue[place + 1]!;
      values[place] = values[place + 1]!;
    }
    queue[place] = candidate;
    values[place] = value;
    if (place > at) continue;
    yield candidate;
    at++;
  }
}
