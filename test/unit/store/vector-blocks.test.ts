import { expect, test } from 'vitest';
import {
  BLOCK_ROWS,
  blockOf,
  blocksBetween,
  joinBlocks,
  readRow,
  rowReader,
  rowsIn,
  writeRows,
  zeroRows,
} from '../../../src/store/vector-blocks.ts';
import { OTHER_STAMP, STAMP, vectorOf } from '../../store-contract.ts';

const rows = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => vectorOf(from + i));

test('rows belong to blocks of 256', () => {
  expect([blockOf(0), blockOf(255), blockOf(256)]).toEqual([0, 0, 1]);
  expect(blocksBetween(0, 0)).toEqual([]);
  expect(blocksBetween(300, 300)).toEqual([]);
  expect(blocksBetween(0, 256)).toEqual([0]);
  expect(blocksBetween(255, 257)).toEqual([0, 1]);
  expect(blocksBetween(256, 1000)).toEqual([1, 2, 3]);
});

test('a step over a border fills one block and begins the next', () => {
  const first = writeRows(undefined, 0, STAMP, 0, rows(0, 250));
  const filled = writeRows(first, 0, STAMP, 250, rows(250, 260));
  const next = writeRows(undefined, 1, STAMP, 250, rows(250, 260));
  expect([rowsIn(first), rowsIn(filled), rowsIn(next)]).toEqual([250, BLOCK_ROWS, 4]);
  expect(joinBlocks([filled, next], STAMP, 260)).toEqual(
    Float32Array.from(rows(0, 260).flatMap((v) => [...v])),
  );
  expect(rowsIn(first)).toBe(250);
});

test('writing over rows keeps those after them', () => {
  const block = writeRows(undefined, 0, STAMP, 0, rows(0, 5));
  const changed = writeRows(block, 0, STAMP, 1, [vectorOf(90)]);
  expect([0, 1, 2, 4].map((row) => readRow(changed, row))).toEqual([0, 90, 2, 4].map(vectorOf));
});

test('zeroed rows are not there; rows of other blocks are left alone', () => {
  const block = writeRows(undefined, 1, STAMP, 256, rows(256, 266));
  const erased = zeroRows(block, 0, 258);
  expect([256, 257].map((row) => readRow(erased, row))).toEqual([undefined, undefined]);
  expect(readRow(erased, 258)).toEqual(vectorOf(258));
  expect(zeroRows(block, 0, 256)).toEqual(block);
  expect(zeroRows(block, 600, 700)).toEqual(block);
  expect([255, 266].map((row) => readRow(block, row))).toEqual([undefined, undefined]);
});

test('blocks that do not hold every row, or hold another stamp, are refused', () => {
  const [first, second] = [0, 1].map((n) =>
    writeRows(undefined, n, STAMP, n * 256, rows(n * 256, n * 256 + 256)),
  );
  expect(() => joinBlocks([first!], STAMP, 257)).toThrow(/Only 256 of 257/);
  expect(() => joinBlocks([second!], STAMP, 1)).toThrow(/Only 0 of 1/);
  expect(() => joinBlocks([first!], OTHER_STAMP, 1)).toThrow(/made with test\/fp32\/3/);
  expect(joinBlocks([first!, second!], STAMP, 2)).toEqual(new Float32Array([...vectorOf(0), ...vectorOf(1)]));
});

test('rows are read by their number, under the stamp of their block only', () => {
  const old = writeRows(undefined, 0, OTHER_STAMP, 0, rows(0, 256));
  const read = rowReader([writeRows(undefined, 1, STAMP, 256, rows(256, 260)), old]);
  expect([0, 255, 256, 259, 260, 600].map((row) => read(row, STAMP))).toEqual([
    undefined,
    undefined,
    vectorOf(256),
    vectorOf(259),
    undefined,
    undefined,
  ]);
  expect([0, 256].map((row) => read(row, OTHER_STAMP))).toEqual([vectorOf(0), undefined]);
});
