import { describe, expect, test } from 'vitest';
import { ClusterAssignment } from '../../../src/memory/clusters.ts';
import { TSIM } from '../../../src/memory/configurations.ts';
import { vec } from './support.ts';

const PAPER = TSIM.clustering!;

function assign(vectors: readonly Float32Array[]) {
  const assignment = new ClusterAssignment(PAPER, (episode) => vectors[episode]!);
  const taken = vectors.map((_, episode) => assignment.assign(episode));
  return { taken, members: assignment.clusters.map((cluster) => [...cluster.members]), assignment };
}

describe('cluster assignment (TSIM, M2)', () => {
  test('an episode nearer than 0.42 to no cluster founds one', () => {
    // cos 0.41 < 0.42 <= cos 0.43
    expect(assign([vec(1, 0), vec(0.41, Math.sqrt(1 - 0.41 ** 2))]).taken).toEqual([[0], [1]]);
    expect(assign([vec(1, 0), vec(0.43, Math.sqrt(1 - 0.43 ** 2))]).taken).toEqual([[0], [0]]);
  });

  test('clusters within 0.08 of the best take it too', () => {
    // cos to cluster 0 and 1: 0.75 and 0.6614, 0.0886 apart; then 0.74 and 0.6726, 0.0674 apart.
    expect(assign([vec(1, 0), vec(0, 1), vec(0.75, Math.sqrt(1 - 0.75 ** 2))]).taken[2]).toEqual([0]);
    expect([...assign([vec(1, 0), vec(0, 1), vec(0.74, Math.sqrt(1 - 0.74 ** 2))]).taken[2]!].sort()).toEqual(
      [0, 1],
    );
  });

  test('the margin counts from the best, also below 0.42', () => {
    // Best 0.45, second 0.39 (below 0.42, but 0.06 from the best).
    const third = vec(0.45, 0.39, Math.sqrt(1 - 0.45 ** 2 - 0.39 ** 2));
    expect([...assign([vec(1, 0, 0), vec(0, 1, 0), third]).taken[2]!].sort()).toEqual([0, 1]);
  });

  test('a centroid is the mean of its members', () => {
    // Cluster 0 takes (1, 0) and (0.6, 0.8): its centroid points at (1.6, 0.8), which is (0.894, 0.447).
    // (-0.1, 0.995) has cosine 0.355 < 0.42 with it and founds a cluster, though it has 0.736 with the second member.
    const { taken } = assign([vec(1, 0), vec(0.6, 0.8), vec(-0.1, Math.sqrt(0.99))]);
    expect(taken).toEqual([[0], [0], [1]]);
  });

  test('an episode is in a cluster once, and members stand in the order they joined', () => {
    const { members } = assign([vec(1, 0), vec(0.9, Math.sqrt(0.19)), vec(0.95, Math.sqrt(1 - 0.9025))]);
    expect(members).toEqual([[0, 1, 2]]);
  });

  test('restored clusters go on as if they had never been stored', () => {
    const vectors = [
      vec(1, 0),
      vec(0.6, 0.8),
      vec(0, 1),
      vec(-0.1, Math.sqrt(0.99)),
      vec(0.5, Math.sqrt(0.75)),
    ];
    const whole = assign(vectors);
    const first = new ClusterAssignment(PAPER, (episode) => vectors[episode]!);
    for (let i = 0; i < 3; i++) first.assign(i);
    const second = new ClusterAssignment(PAPER, (episode) => vectors[episode]!);
    second.restore(structuredClone(first.clusters));
    for (let i = 3; i < 5; i++) expect(second.assign(i)).toEqual(whole.taken[i]);
    expect(second.clusters).toEqual(whole.assignment.clusters);
  });
});
