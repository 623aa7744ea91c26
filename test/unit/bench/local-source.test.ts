import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textOf } from '../../../src/bench/file-source.ts';
import { openSource } from '../../../src/bench/node/local-source.ts';

let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'source-'));
  await mkdir(join(root, 'package', 'runtime'), { recursive: true });
  await writeFile(join(root, 'package', 'runtime', 'a.py'), 'A = 1');
  await writeFile(join(root, 'b.zip'), zipSync({ 'in/b.py': new TextEncoder().encode('B = 2') }));
});

afterAll(() => rm(root, { recursive: true }));

async function contents(path: string): Promise<Record<string, string>> {
  const source = await openSource(path);
  const paths = (await source.list())!;
  const texts = await Promise.all(
    paths.map(async (one) => [one, textOf((await source.read(one))!)] as const),
  );
  return Object.fromEntries(texts);
}

describe('openSource', () => {
  it('opens a folder, a ZIP and a file', async () => {
    expect(await contents(join(root, 'package'))).toEqual({ 'runtime/a.py': 'A = 1' });
    expect(await contents(join(root, 'b.zip'))).toEqual({ 'in/b.py': 'B = 2' });
    expect(await contents(join(root, 'package', 'runtime', 'a.py'))).toEqual({ 'a.py': 'A = 1' });
  });

  it('has nothing where a file is missing, and refuses a missing place', async () => {
    const source = await openSource(join(root, 'package'));
    expect(await source.read('runtime/missing.py')).toBeUndefined();
    await expect(openSource(join(root, 'nowhere'))).rejects.toMatchObject({ code: 'bad-file' });
  });
});
