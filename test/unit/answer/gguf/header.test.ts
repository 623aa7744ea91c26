import { describe, expect, test } from 'vitest';
import { readGgufHeader } from '../../../../src/answer/gguf/header.ts';
import { memoryOf } from '../../../../src/answer/gguf/memory.ts';
import { ggufModel, ggufParts } from '../../../../src/answer/gguf/models.ts';
import { GgufWriter, TINY_DATA, tinyLlama } from './gguf-writer.ts';

describe('the header of a GGUF file', () => {
  test('tells what the catalogue shows', async () => {
    expect(await readGgufHeader(tinyLlama().blob(TINY_DATA))).toEqual({
      architecture: 'llama',
      name: 'Tiny Llama',
      licence: 'apache-2.0',
      quantisation: 'Q4_K_M',
      parameters: 128,
      contextLength: 2048,
      // Two layers, two heads of 16 for keys and values each, two bytes.
      cacheBytesPerToken: 2 * 2 * (16 + 16) * 2,
      hasChatTemplate: true,
      parts: 1,
    });
  });

  test('may leave most of it out, count heads by layer and hold every type of value', async () => {
    const file = GgufWriter.header(2, 0, 5 + 11)
      .textKey('general.architecture', 'gemma')
      .countKey('gemma.block_count', 3)
      .countKey('gemma.attention.key_length', 8)
      .countKey('gemma.attention.value_length', 4)
      .countsKey('gemma.attention.head_count_kv', [1, 0, 2]);
    const sizes = { 0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8 };
    for (const [type, bytes] of Object.entries(sizes))
      file.text(`x${type}`).u32(Number(type)).raw('\0'.repeat(bytes));
    expect(await readGgufHeader(file.blob())).toMatchObject({
      architecture: 'gemma',
      name: undefined,
      quantisation: undefined,
      contextLength: undefined,
      cacheBytesPerToken: 3 * (8 + 4) * 2,
      hasChatTemplate: false,
      parameters: 0,
    });
  });

  const named = GgufWriter.header(3, 0, 1);
  const cases: readonly (readonly [string, Blob, RegExp])[] = [
    ['an empty file', new Blob([]), /no GGUF file/],
    ['a web page', new Blob(['<!doctype html><html><head></head></html>']), /no GGUF file/],
    ['an old version', GgufWriter.header(1).blob(), /version 1/],
    ['big-endian numbers', GgufWriter.header(0x03000000).blob(), /version 50331648/],
    ['a million keys', GgufWriter.header(3, 0, 1e6).blob(), /1000000 keys/],
    ['more tensors than atoms', GgufWriter.header(3, Number.MAX_SAFE_INTEGER, 0).blob(), /tensors/],
    [
      'a key longer than the file',
      GgufWriter.header(3, 0, 1)
        .u64(2n ** 63n)
        .blob(),
      /key 1 needs/,
    ],
    [
      'a text longer than the file',
      named
        .text('k')
        .u32(8)
        .u64(2n ** 60n)
        .blob(),
      /"k" needs/,
    ],
    [
      'a list longer than the file',
      GgufWriter.header(3, 0, 1)
        .text('k')
        .u32(9)
        .u32(4)
        .u64(2n ** 62n)
        .blob(),
      /"k" needs/,
    ],
    ['a list of lists', GgufWriter.header(3, 0, 1).text('k').u32(9).u32(9).u64(1).blob(), /list of lists/],
    ['an unknown type', GgufWriter.header(3, 0, 1).text('k').u32(99).blob(), /unknown type 99/],
    [
      'a header that just ends',
      GgufWriter.header(3, 0, 2).textKey('general.architecture', 'llama').blob(),
      /ends at byte/,
    ],
    ['no architecture', GgufWriter.header().blob(), /architecture/],
    ['a tensor of many dimensions', GgufWriter.header(3, 1, 0).text('t').u32(4e9).blob(), /dimensions/],
    [
      'an endless tensor',
      GgufWriter.header(3, 1, 0)
        .tensor('t', [2 ** 40, 2 ** 40], 0, 0)
        .blob(),
      /cut off/,
    ],
    [
      'the last byte missing',
      tinyLlama().blob(TINY_DATA - 1),
      /cut off: it has \d+ bytes and should have \d+/,
    ],
  ];
  test.each(cases)('refuses %s, with the place', async (_, blob, message) => {
    const error = await readGgufHeader(blob, 'x.gguf').catch((reason) => reason);
    expect(error).toMatchObject({ code: 'bad-file', message: expect.stringMatching(message) });
    expect(error.message).toMatch(/^x\.gguf, byte \d+: /);
  });

  test('a list of empty texts without end stops at the limit', async () => {
    const hostile = GgufWriter.header(3, 0, 1)
      .text('k')
      .u32(9)
      .u32(8)
      .u64(2n ** 60n)
      .blob();
    const zeros = new Blob([hostile, new Uint8Array(80 << 20)]);
    await expect(readGgufHeader(zeros)).rejects.toMatchObject({
      message: expect.stringMatching(/header is longer/),
    });
  });
});

describe('the catalogue entry of a dropped file', () => {
  test('names model and quantisation, and fits the window', async () => {
    expect(await ggufModel('tiny.Q4_K_M.gguf', tinyLlama().blob(TINY_DATA))).toMatchObject({
      id: 'gguf:tiny.Q4_K_M.gguf',
      engine: 'gguf',
      title: 'Tiny Llama (Q4_K_M)',
      parameters: 128 / 1e6,
      bytes: 0,
      contextWindow: 2048,
      licence: 'apache-2.0',
      source: { kind: 'files', name: 'tiny.Q4_K_M.gguf' },
    });
  });

  test('of a split model is that of its first part, and only of that', async () => {
    const first = tinyLlama({ parts: 3 }).blob(TINY_DATA);
    const model = await ggufModel('big-00001-of-00003.gguf', first, 3 * first.size);
    expect(model).toMatchObject({
      title: 'Tiny Llama (Q4_K_M)',
      source: { name: 'big-00001-of-00003.gguf' },
    });
    expect(model.parameters).toBeUndefined();
    expect(ggufParts('big-00001-of-00003.gguf')).toEqual([1, 2, 3].map((i) => `big-0000${i}-of-00003.gguf`));
    await expect(ggufModel('big-00002-of-00003.gguf', first)).rejects.toMatchObject({ code: 'bad-file' });
    await expect(ggufModel('big.gguf', first)).rejects.toMatchObject({ code: 'bad-file' });
  });

  test('says when the model was not made for chats, and refuses what is no language model', async () => {
    expect((await ggufModel('x.gguf', tinyLlama({ template: false }).blob(TINY_DATA))).note).toMatch(
      /no chat template/,
    );
    for (const architecture of ['clip', 'nomic-bert']) {
      await expect(ggufModel('x.gguf', tinyLlama({ architecture }).blob(TINY_DATA))).rejects.toMatchObject({
        code: 'bad-file',
      });
    }
  });

  test('refuses a file of more than 2 GiB before it is read, with the command that splits it', async () => {
    const huge = { size: 2 ** 31 } as Blob;
    await expect(ggufModel('x.gguf', huge)).rejects.toMatchObject({
      code: 'out-of-memory',
      remedy: expect.stringMatching(/llama-gguf-split/),
    });
  });
});

describe('memory', () => {
  const header = {
    architecture: 'llama',
    parameters: 8e9,
    contextLength: 131_072,
    cacheBytesPerToken: 131_072,
    hasChatTemplate: true,
    parts: 1,
  };
  const GIB = 2 ** 30;

  test('cuts the window to what fits beside the model', () => {
    expect(memoryOf(header, 2 * GIB).contextWindow).toBe(8192);
    expect(memoryOf(header, 2 * GIB, 2 * GIB).contextWindow).toBe(4096);
    expect(memoryOf(header, 3.5 * GIB).contextWindow).toBe(2048);
    expect(memoryOf({ ...header, cacheBytesPerToken: 1000 }, GIB).contextWindow).toBe(32_768);
    expect(memoryOf({ ...header, contextLength: 300 }, GIB).contextWindow).toBe(300);
  });

  test('has an end', () => {
    expect(() => memoryOf(header, 3.9 * GIB)).toThrow(expect.objectContaining({ code: 'out-of-memory' }));
  });
});
