import { expect, test } from 'vitest';
import { type BackupLine, claimedKind, decodeLine, encodeLine } from '../../../src/store/backup-lines.ts';
import { isBackup, packLines } from '../../../src/store/backup-stream.ts';
import { decodeFloats, encodeFloats } from '../../../src/store/base64.ts';
import { newThread } from '../../../src/store/thread-rules.ts';
import { STAMP, someAsk, someEpisode, someVersion, vectorOf } from '../../store-contract.ts';
import { linesIn } from './lines-in.ts';

const counts = { turns: 1, episodes: 0, clusters: 0, asks: 0, vectors: 0 };
const LINES: BackupLine[] = [
  {
    kind: 'thread',
    thread: {
      ...newThread('a', 'Näme', 'tsim', 5),
      stamp: STAMP,
      segmenter: { x: [1] },
      questions: ['Q?'],
      branchedFrom: { threadId: 'b', turns: 4 },
    },
    counts,
  },
  { kind: 'turn', turn: { index: 0, role: 'user', text: 'line\nbreak \u2028 👋', time: 0.5, source: 's' } },
  { kind: 'turn', turn: { index: 1, role: 'model', text: '', erased: true } },
  {
    kind: 'episode',
    episode: { ...someEpisode(0, 0, 1), pinned: true, forgottenAt: 3, summary: vectorOf(1) },
  },
  { kind: 'episode', episode: someEpisode(1, 1, 2) },
  { kind: 'cluster', cluster: { id: 0, members: [0, 1], vector: vectorOf(2) } },
  { kind: 'ask', ask: { ...someAsk('why?', 0, 1), id: 0 } },
  {
    kind: 'ask',
    ask: {
      ...someAsk('and then?', 0, 1),
      id: 1,
      answer: { question: 2, turn: 3, versions: [someVersion({ text: 'old' }), someVersion()], shown: 1 },
    },
  },
  {
    kind: 'ask',
    ask: {
      ...someAsk('and in March?', 0, 1),
      id: 2,
      asOf: {
        kind: 'day',
        day: '2026-03-14',
        before: 1_773_532_800_000,
        runs: [{ start: 0, end: 1 }],
        placed: 0,
      },
    },
  },
  { kind: 'vectors', block: { block: 0, stamp: STAMP, vectors: vectorOf(3) } },
  { kind: 'end' },
];

test.each(LINES)('$kind: a line comes back as it was', (line) => {
  const text = encodeLine(line);
  expect(text).not.toContain('\n');
  expect(claimedKind(text)).toBe(line.kind);
  expect(decodeLine(text)).toEqual(line);
});

test('floats come back bit for bit, also those that are no numbers', () => {
  const odd = new Float32Array([0, -0, Number.NaN, Infinity, 1e-45, -3.4e38, 0.1]);
  new Uint32Array(odd.buffer)[2] = 0x7fc12345;
  const back = decodeFloats(encodeFloats(odd));
  expect([...new Uint32Array(back.buffer)]).toEqual([...new Uint32Array(odd.buffer)]);
  const large = Float32Array.from({ length: 98_304 }, (_, i) => Math.sin(i));
  expect(decodeFloats(encodeFloats(large.subarray(1, 98_000)))).toEqual(large.slice(1, 98_000));
  expect(encodeFloats(new Float32Array([1]))).toBe('AACAPw==');
  expect(() => decodeFloats('AAAA')).toThrow(/3 bytes/);
  expect(() => decodeFloats('%%')).toThrow();
});

test.each([
  ['{"kind":"turn","turn":{"index":-1,"role":"user","text":"x"}}', 'index: -1'],
  ['{"kind":"turn","turn":{"index":0,"role":"narrator","text":"x"}}', 'role: "narrator"'],
  ['{"kind":"turn","turn":{"index":0,"role":"user"}}', 'text: undefined'],
  ['{"kind":"turn","turn":{"index":0,"role":"user","text":"","erased":1}}', 'erased: 1'],
  ['{"kind":"turn"}', 'no turn'],
  ['{"kind":"cluster","cluster":{"id":0,"members":["a"],"vector":""}}', 'members'],
  [
    '{"kind":"vectors","block":{"block":0,"stamp":{"model":"m","dtype":"d","dimension":2},"vectors":"AACAPw=="}}',
    '1 floats',
  ],
  [
    '{"kind":"vectors","block":{"block":0,"stamp":{"model":"m","dtype":"d","dimension":0},"vectors":""}}',
    'dimension: 0',
  ],
  [
    '{"kind":"episode","episode":{"id":0,"start":0,"end":1,"tokens":1,"closed":true,"summary":"?"}}',
    'base64',
  ],
  [
    JSON.stringify({
      kind: 'ask',
      ask: {
        ...someAsk('why?', 0, 1),
        id: 0,
        asOf: { kind: 'day', day: 'March', before: 1, runs: [], placed: 0 },
      },
    }),
    'day: "March"',
  ],
  [
    JSON.stringify({
      kind: 'ask',
      ask: {
        ...someAsk('why?', 0, 1),
        id: 0,
        asOf: { kind: 'turn', turns: 3, runs: [{ start: 0 }], placed: 0 },
      },
    }),
    'runs',
  ],
  ['{"kind":"novel"}', 'unknown kind of line "novel"'],
  ['[]', 'no line'],
  ['{"kind":"turn","turn":{"ind', 'JSON'],
])('%s is refused', (text, reason) => {
  expect(() => decodeLine(text)).toThrow(reason);
});

async function* linesOf(...lines: string[]) {
  yield* lines;
}
const HEADER = '{"format":"skein-backup","version":1}';

test('packed lines come out again, whether they end in a line end or not', async () => {
  const long = 'ж'.repeat(200_000);
  const packed = await packLines(linesOf(HEADER, '', long, 'end'));
  expect(packed.size).toBeLessThan(5_000);
  expect(await linesIn(packed)).toEqual([HEADER, '', long, 'end']);
  expect(await linesIn(new Blob(['a\nb']))).toEqual(['a', 'b']);
  expect(await linesIn(new Blob([]))).toEqual([]);
});

test('a backup is known by its first kilobyte, packed or not', async () => {
  const bytesOf = async (blob: Blob) => new Uint8Array(await blob.arrayBuffer());
  const noise = Array.from({ length: 5_000 }, (_, i) => Math.sin(i).toString(36));
  expect(await isBackup((await bytesOf(await packLines(linesOf(HEADER, ...noise)))).slice(0, 1024))).toBe(
    true,
  );
  expect(await isBackup(await bytesOf(await packLines(linesOf(HEADER))))).toBe(true);
  expect(await isBackup(await bytesOf(new Blob([HEADER])))).toBe(true);
  expect(await isBackup(await bytesOf(await packLines(linesOf('{"format":"other"}', ...noise))))).toBe(false);
  expect(await isBackup(await bytesOf(new Blob(['{"mapping":{}}'])))).toBe(false);
  expect(await isBackup(new Uint8Array([0x1f, 0x8b, 1, 2, 3]))).toBe(false);
  expect(await isBackup(new Uint8Array([0x1f, 0x8b]))).toBe(false);
  expect(await isBackup(new Uint8Array(0))).toBe(false);
});
