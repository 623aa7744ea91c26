import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BranchNode, branchOf } from '../../../src/import/branch.ts';

const n = (id: string, parent: string | null | undefined, time?: number, hollow?: boolean): BranchNode => ({
  id,
  parent,
  time,
  ...(hollow && { hollow }),
});
const ids = (nodes: BranchNode[], current?: string) => branchOf(nodes, current).ids.join(' ');

describe('the branch last seen', () => {
  const retried = [n('q', null, 1), n('a', 'q', 2), n('b', 'q', 3), n('more', 'a', 4)];

  test('ends at the current node', () => {
    expect(ids(retried, 'b')).toBe('q b');
    expect(ids(retried, 'a')).toBe('q a');
  });

  test('ends at the newest leaf when the current node is missing or unknown', () => {
    expect(ids(retried)).toBe('q a more');
    expect(ids(retried, 'gone')).toBe('q a more');
  });

  test('does not depend on the order of the file', () => {
    expect(ids(retried.toReversed(), 'more')).toBe('q a more');
  });

  test('an edited first message is an alternative of the first', () => {
    expect(ids([n('q1', null, 1), n('a1', 'q1', 2), n('q2', null, 3), n('a2', 'q2', 4)])).toBe('q2 a2');
    expect(ids([n('q1', 'lost', 1), n('a1', 'q1', 2), n('q2', 'lost', 3), n('a2', 'q2', 4)])).toBe('q2 a2');
  });

  test('pieces whose link is broken are joined by time', () => {
    const nodes = [n('a', null, 1), n('b', 'a', 2), n('c', 'lost', 3), n('d', 'c', 4), n('d2', 'c', 3.5)];
    expect(branchOf(nodes, 'd')).toEqual({ ids: ['a', 'b', 'c', 'd'], joins: 1 });
    // What is newer than the chosen end isn't put before it.
    expect(ids(nodes, 'b')).toBe('a b');
  });

  test('a placeholder without a link is no piece', () => {
    expect(
      branchOf([n('root', undefined, undefined, true), n('a', null, 1), n('b', 'a', 2)], 'b').joins,
    ).toBe(0);
  });

  test('without any link everything is kept in the order of time', () => {
    expect(ids([n('c', null, 3), n('a', undefined, 1), n('b', 'lost', 2)])).toBe('a b c');
    expect(ids([n('a', undefined), n('b', undefined)])).toBe('a b');
  });

  test('loops end', () => {
    expect(ids([n('a', 'b', 1), n('b', 'a', 2)])).toBe('a b');
    expect(ids([n('a', 'a', 1)])).toBe('a');
    expect(ids([n('x', 'c', 1), n('b', 'x', 2), n('c', 'b', 3), n('leaf', 'c', 4)])).toBe('x b c leaf');
  });

  test('no nodes, no branch', () => {
    expect(branchOf([], 'a')).toEqual({ ids: [], joins: 0 });
  });

  test('a long chain takes no deep recursion', () => {
    const long = Array.from({ length: 50_000 }, (_, i) => n(`${i}`, i === 0 ? null : `${i - 1}`));
    expect(branchOf(long, undefined).ids.length).toBe(50_000);
  });

  test('whatever the links, ids are distinct, known, and follow their parents', () => {
    const id = fc.integer({ min: 0, max: 12 }).map(String);
    const nodes = fc.array(
      fc.record({
        id,
        parent: fc.oneof(id, fc.constant(null), fc.constant(undefined), fc.constant('lost')),
        time: fc.option(fc.nat(20), { nil: undefined }),
      }),
      { maxLength: 13 },
    );
    fc.assert(
      fc.property(nodes, fc.option(id, { nil: undefined }), (list, current) => {
        const unique = [...new Map(list.map((node) => [node.id, node])).values()];
        const branch = branchOf(unique, current).ids;
        expect(new Set(branch).size).toBe(branch.length);
        const known = unique.map((node) => node.id);
        for (const one of branch) expect(known).toContain(one);
        if (current !== undefined && known.includes(current)) expect(branch).toContain(current);
        if (unique.length > 0) expect(branch.length).toBeGreaterThan(0);
      }),
    );
  });
});
