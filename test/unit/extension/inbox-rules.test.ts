import { describe, expect, test } from 'vitest';
import { placeOf, sourceOf } from '../../../src/extension/inbox/branches.ts';
import { stretches } from '../../../src/extension/inbox/erase.ts';
import { movable, nextMove, PATIENCE_MS } from '../../../src/extension/inbox/movable.ts';
import type { InboxRow } from '../../../src/extension/inbox/schema.ts';

function row(seq: number, conversation: string, role: InboxRow['role'], receivedAt = 0): InboxRow {
  const pending = { text: `${seq}`, source: conversation, at: seq, receivedAt };
  return {
    seq,
    site: 's',
    conversation,
    key: `${seq}`,
    after: '',
    role,
    depth: 1,
    branch: '',
    pending,
  };
}

const seqs = (rows: readonly InboxRow[]) => rows.map(({ seq }) => seq);

describe('branches of a conversation', () => {
  const first = { key: 'a', role: 'user', depth: 1, branch: '' } as const;
  const answer = { key: 'b', role: 'model', depth: 2, branch: '' } as const;

  test('the first turn after another goes on with its branch', () => {
    expect(placeOf({ key: 'a', role: 'user' }, undefined, [])).toEqual({ depth: 1, branch: '' });
    expect(placeOf({ key: 'b', role: 'model' }, first, [])).toEqual({ depth: 2, branch: '' });
  });

  test('another one after the same turn begins a branch, which its followers inherit', () => {
    const edited = placeOf({ key: 'a2', role: 'user' }, undefined, [first]);
    expect(edited).toEqual({ depth: 1, branch: 'edited at turn 1' });
    const again = placeOf({ key: 'b2', role: 'model' }, first, [answer]);
    expect(again.branch).toBe('answered again at turn 2');
    const third = placeOf({ key: 'b3', role: 'model' }, first, [
      answer,
      { ...again, key: 'b2', role: 'model' },
    ]);
    expect(third.branch).toBe('answered again at turn 2, version 3');
    const follower = placeOf({ key: 'c', role: 'user' }, { ...again, key: 'b2', role: 'model' }, []);
    expect(follower).toEqual({ depth: 3, branch: 'answered again at turn 2' });
  });

  test('a source names site, conversation and branch', () => {
    expect(sourceOf('ChatGPT', ' Bees ', '')).toBe('ChatGPT: Bees');
    expect(sourceOf('ChatGPT', '', 'edited at turn 1')).toBe('ChatGPT (edited at turn 1)');
  });
});

describe('what is moved into the thread', () => {
  test('conversations that come in mixed are moved one after the other', () => {
    const rows = [row(1, 'x', 'user'), row(2, 'y', 'user'), row(3, 'x', 'model'), row(4, 'y', 'model')];
    expect(seqs(movable(rows, 0))).toEqual([1, 3, 2, 4]);
  });

  test('a question waits for its answer, though not for ever', () => {
    const rows = [row(1, 'x', 'user'), row(2, 'x', 'model'), row(3, 'x', 'user', 5_000)];
    expect(seqs(movable(rows, 6_000))).toEqual([1, 2]);
    expect(nextMove([rows[2]!], 6_000)).toBe(PATIENCE_MS - 1_000);
    expect(seqs(movable(rows, 5_000 + PATIENCE_MS))).toEqual([1, 2, 3]);
    expect(nextMove([], 0)).toBeUndefined();
  });
});

test('numbers of turns are erased run by run', () => {
  expect(stretches([])).toEqual([]);
  expect(stretches([2, 3, 4, 7, 9, 10])).toEqual([
    { start: 2, end: 5 },
    { start: 7, end: 8 },
    { start: 9, end: 11 },
  ]);
});
