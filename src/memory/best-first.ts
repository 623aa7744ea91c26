/**
 * Hands out candidates by value, highest first, where what is done with one may lower the values of others: a candidate
 * whose value fell meanwhile goes back to its place. `candidates` stand best first by their values of now.
 */
export function* bestFirst(
  candidates: readonly number[],
  worth: (candidate: number) => number,
): Generator<number> {
  const queue = candidates.map((candidate) => ({ candidate, value: worth(candidate) }));
  for (let at = 0; at < queue.length; at++) {
    const first = queue[at]!;
    const value = worth(first.candidate);
    let place = at;
    for (; place + 1 < queue.length && queue[place + 1]!.value > value; place++) {
      queue[place] = queue[place + 1]!;
    }
    if (place === at) {
      yield first.candidate;
    } else {
      queue[place] = { ...first, value };
      at--;
    }
  }
}
