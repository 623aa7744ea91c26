import { strToU8, type Zippable, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { chatGpt, counts, fileOf, fixtureBytes, importOf, node, problemLines, said } from './support.ts';

const chat = (id: string, text: string) => chatGpt([node('a', null, 'user', text)], { conversation_id: id });
const json = (value: unknown) => strToU8(JSON.stringify(value));
const zip = (members: Zippable, name = 'export.zip') => fileOf(name, zipSync(members));

describe('a ZIP', () => {
  test('of many files, beside pictures, pages and settings', async () => {
    const result = await importOf(
      zip({
        'conversations-000.json': json([chat('c0', 'zero'), chat('c1', 'one')]),
        'conversations-001.json': json([chat('c2', 'two')]),
        'conversations/c3.json': json(chat('c3', 'three')),
        'chat.html': strToU8('<html>'),
        'file-1.png': new Uint8Array([137, 80, 78, 71]),
        'user.json': json({ id: 'user-1', email: 'a@example.org' }),
        'message_feedback.json': json([]),
        'README.txt': strToU8('Your data'),
        '__MACOSX/._conversations-000.json': new Uint8Array([0, 5]),
      }),
    );
    expect(result.conversations.map(({ turns }) => turns[0]!.text)).toEqual(['zero', 'one', 'two', 'three']);
    expect(result.report.files).toEqual(counts(6, 3, 3, 0));
    expect(result.report.conversations).toEqual(counts(4, 4, 0, 0));
    expect(problemLines(result)).toEqual([
      'skipped: export.zip › user.json: no chats in it (0)',
      'skipped: export.zip › message_feedback.json: no conversations in it (0)',
      'skipped: export.zip › README.txt: no transcript (0)',
    ]);
  });

  test('is known by its content, not by its name', async () => {
    const result = await importOf(zip({ 'conversations.json': json([chat('c', 'hi')]) }, 'export.json'));
    expect(said(result)).toEqual([['user', 'hi']]);
  });

  test('a bad member costs nothing else', async () => {
    const result = await importOf(
      zip({ 'a.json': strToU8('[{"title": '), 'b.json': json([chat('c', 'hi')]), 'c.json': strToU8(' ') }),
    );
    expect(result.report.files).toEqual(counts(3, 1, 0, 2));
    expect(problemLines(result)).toEqual([
      'failed: export.zip › a.json: Not valid JSON: line 1, column 12: it ends too early; the file may be cut off. (0)',
      'failed: export.zip › c.json: The file is empty. (0)',
    ]);
  });

  test('the same conversation in two files counts once, the later state wins', async () => {
    const longer = chatGpt([node('a', null, 'user', 'q'), node('b', 'a', 'assistant', 'r')]);
    const old = { ...chatGpt([node('a', null, 'user', 'q')]), update_time: 1700000000 };
    const members = { 'a.json': json([old]), 'b.json': json([{ ...longer, update_time: 1700000100 }]) };
    const result = await importOf(zip(members));
    expect(said(result)).toEqual([
      ['user', 'q'],
      ['model', 'r'],
    ]);
    expect(result.report.conversations).toEqual(counts(2, 1, 1, 0));
    expect(result.report.messages).toEqual(counts(3, 2, 1, 0));
    expect(problemLines(result)).toEqual([
      'skipped: export.zip › a.json › conversation, “Test” (c1): the same conversation as in export.zip › b.json › conversation, “Test” (c1) (1)',
    ]);
  });

  test('stored without compression', async () => {
    const result = await importOf(
      zip({ 'c.json': [fixtureBytes('claude-conversations.json'), { level: 0 }] }),
    );
    expect(result.report.formats).toEqual(['claude']);
  });

  test('a ZIP in a ZIP is opened, a third is not', async () => {
    const inner = zipSync({ 'c.json': json([chat('c', 'hi')]) });
    expect(said(await importOf(zip({ 'inner.zip': inner })))).toEqual([['user', 'hi']]);
    const result = await importOf(zip({ 'outer.zip': zipSync({ 'inner.zip': inner }) }));
    expect(result.conversations).toEqual([]);
    expect(result.report.files).toEqual(counts(3, 0, 2, 1));
  });

  test('without chats fails as a whole', async () => {
    const result = await importOf(zip({ 'a.png': new Uint8Array(3), 'user.json': json({ id: 1 }) }));
    expect(result.report.files).toEqual(counts(2, 0, 1, 1));
    expect(problemLines(result)).toContain('failed: export.zip: No chat export was found in this ZIP. (0)');
    expect(problemLines(await importOf(zip({})))).toEqual([
      'failed: export.zip: No chat export was found in this ZIP. (0)',
    ]);
  });
});

describe('a hostile ZIP', () => {
  const good = () => zipSync({ 'a.json': json([chat('a', 'first')]), 'b.json': json([chat('b', 'second')]) });

  test('a bomb is refused before it is unpacked', async () => {
    const bomb = zipSync({
      'c.json': new Uint8Array(20 * 1024 * 1024).fill(32),
      'd.json': json([chat('d', 'ok')]),
    });
    const result = await importOf(fileOf('bomb.zip', bomb));
    expect(said(result)).toEqual([['user', 'ok']]);
    expect(problemLines(result)[0]).toMatch(
      /^failed: bomb\.zip › c\.json: Unpacked it would be far larger .*ZIP bomb/,
    );
  });

  test('a size that lies upwards or downwards is noticed', async () => {
    for (const claim of [0xfffffff0, 3]) {
      const bytes = good();
      const entry = centralEntry(bytes);
      new DataView(bytes.buffer).setUint32(entry + 24, claim, true);
      const result = await importOf(fileOf('lie.zip', bytes));
      expect(result.report.files).toEqual(counts(2, 1, 0, 1));
      expect(said(result)).toEqual([['user', 'second']]);
    }
  });

  test('cut off at any byte: never an exception, never a wrong text', async () => {
    const bytes = good();
    for (let length = 0; length < bytes.length; length++) {
      const result = await importOf(fileOf('cut.zip', bytes.subarray(0, length)));
      expect(result.conversations).toEqual([]);
      expect(result.report.files.failed).toBe(1);
    }
    const cut = problemLines(await importOf(fileOf('cut.zip', bytes.subarray(0, 100))));
    expect(cut).toEqual([
      'failed: cut.zip: The ZIP is damaged: its directory is missing; the file may be cut off. Download it again. (0)',
    ]);
  });

  test('a flipped byte anywhere: texts that are imported are the right ones', async () => {
    const bytes = good();
    for (let at = 0; at < bytes.length; at++) {
      const flipped = bytes.slice();
      flipped[at]! ^= 0x55;
      const result = await importOf(fileOf('flip.zip', flipped));
      const { found, imported, skipped, failed } = result.report.files;
      expect(found).toBe(imported + skipped + failed);
      for (const { turns } of result.conversations) expect(['first', 'second']).toContain(turns[0]!.text);
    }
  });

  test('an encrypted member says so', async () => {
    const bytes = good();
    bytes[centralEntry(bytes) + 8]! |= 1;
    expect(problemLines(await importOf(fileOf('locked.zip', bytes)))[0]).toBe(
      'failed: locked.zip › a.json: It is encrypted. Unpack it with its password first. (0)',
    );
  });

  test('an unknown packing method says so', async () => {
    const bytes = good();
    bytes[centralEntry(bytes) + 10] = 14;
    expect(problemLines(await importOf(fileOf('lzma.zip', bytes)))[0]).toBe(
      'failed: lzma.zip › a.json: Its packing method 14 is unknown. Unpack the ZIP first. (0)',
    );
  });

  test('large sizes in ZIP64 fields are read', async () => {
    expect(said(await importOf(fileOf('64.zip', zip64(json([chat('a', 'hi')])))))).toEqual([['user', 'hi']]);
  });
});

/** Offset of the first entry of the directory. */
function centralEntry(bytes: Uint8Array): number {
  return new DataView(bytes.buffer).getUint32(bytes.length - 6, true);
}

/** A stored ZIP whose sizes and offsets all stand in ZIP64 fields. */
function zip64(content: Uint8Array): Uint8Array {
  const plain = zipSync({ 'a.json': [content, { level: 0 }] });
  const start = centralEntry(plain);
  const entry = plain.subarray(start, plain.length - 22);
  const extra = new DataView(new ArrayBuffer(28));
  extra.setUint16(0, 1, true);
  extra.setUint16(2, 24, true);
  extra.setBigUint64(4, BigInt(content.length), true);
  extra.setBigUint64(12, BigInt(content.length), true);
  extra.setBigUint64(20, 0n, true);
  const large = Uint8Array.from([...entry, ...new Uint8Array(extra.buffer)]);
  const head = new DataView(large.buffer);
  for (const field of [20, 24, 42]) head.setUint32(field, 0xffffffff, true);
  head.setUint16(30, 28, true);

  const end = new DataView(new ArrayBuffer(56 + 20 + 22));
  end.setUint32(0, 0x06064b50, true);
  end.setBigUint64(32, 1n, true);
  end.setBigUint64(40, BigInt(large.length), true);
  end.setBigUint64(48, BigInt(start), true);
  end.setUint32(56, 0x07064b50, true);
  end.setBigUint64(64, BigInt(start + large.length), true);
  end.setUint32(76, 0x06054b50, true);
  end.setUint16(86, 0xffff, true);
  end.setUint32(88, 0xffffffff, true);
  end.setUint32(92, 0xffffffff, true);
  return Uint8Array.from([...plain.subarray(0, start), ...large, ...new Uint8Array(end.buffer)]);
}
