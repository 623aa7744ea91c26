import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

/** The folders of src, lowest first. A folder may import from those of earlier rows, never from its neighbours. */
const LAYERS = [
  ['core'],
  ['runtime'],
  ['embed', 'index', 'import', 'answer'],
  ['store'],
  ['memory'],
  ['systems', 'chat'],
  ['bench'],
  ['engine', 'replay'],
  ['service-worker'],
  ['ui'],
  ['extension'],
] as const;

/** Imports that point upwards or sideways all the same, as `file -> file`, each with its reason. */
const DEVIATIONS: Readonly<Record<string, string>> = {};

/** Folders that run in a worker, in Node and in tests alike. */
const PORTABLE = ['core', 'memory', 'index', 'import'];

/** Files of these folders that are made for the browser, and why. */
const BROWSER_FILES: Readonly<Record<string, string>> = {
  'core/bridge.ts': 'the worker boundary itself',
  'index/voy/browser-wasm.ts': "fetches voy's WASM where the site serves it",
};

/** Globals that Node has although its type package leaves them out. */
const NODE_HAS = new Set(['WebAssembly', 'BufferSource']);

const SRC = resolve(import.meta.dirname, '../../src');

function sourcesOf(folder: string): string[] {
  return readdirSync(join(SRC, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.startsWith('kernel'))
    .map((file) => join(folder, file));
}

const FOLDERS = readdirSync(SRC, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .filter((folder) => sourcesOf(folder).length > 0);

function layerOf(folder: string): number {
  return LAYERS.findIndex((layer) => (layer as readonly string[]).includes(folder));
}

/** Files of src that `file` imports, with `import`, `export from` or `import()`, types too. */
function importsOf(file: string): string[] {
  const path = join(SRC, file);
  return ts
    .preProcessFile(readFileSync(path, 'utf8'), true, true)
    .importedFiles.map(({ fileName }) => fileName)
    .filter((name) => name.startsWith('.'))
    .map((name) => relative(SRC, resolve(dirname(path), name)))
    .filter((name) => !name.startsWith('..'));
}

describe('layers of src', () => {
  test('every folder has its layer', () => {
    expect(FOLDERS.filter((folder) => layerOf(folder) < 0)).toEqual([]);
  });

  test('imports point downwards only', () => {
    const found: string[] = [];
    for (const folder of FOLDERS) {
      for (const file of sourcesOf(folder)) {
        for (const target of importsOf(file)) {
          const other = target.split(sep)[0]!;
          if (other !== folder && layerOf(other) >= layerOf(folder)) found.push(`${file} -> ${target}`);
        }
      }
    }
    expect(found.sort()).toEqual(Object.keys(DEVIATIONS).sort());
  });

  test('the test sees the imports there are', () => {
    expect(importsOf('memory/recall.ts')).toContain('store/records.ts');
    expect(importsOf('memory/recall.ts').length).toBeGreaterThan(2);
  });

  test('the portable folders use nothing that only a browser has', () => {
    const files = PORTABLE.flatMap(sourcesOf);
    // Type-checked as Node sees them: without the DOM library, browser globals have no name.
    const program = ts.createProgram(
      files.map((file) => join(SRC, file)),
      {
        target: ts.ScriptTarget.ES2022,
        module: ts.ModuleKind.ESNext,
        moduleResolution: ts.ModuleResolutionKind.Bundler,
        lib: ['lib.es2024.d.ts'],
        types: ['node'],
        strict: true,
        allowImportingTsExtensions: true,
        noEmit: true,
        skipLibCheck: true,
      },
    );
    const strangeIn = (file: string) =>
      program
        .getSemanticDiagnostics(program.getSourceFile(join(SRC, file)))
        .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))
        .filter(
          (message) => !NODE_HAS.has(/^Cannot find (?:name|namespace) '(\w+)'/.exec(message)?.[1] ?? ''),
        )
        .map((message) => `${file}: ${message}`);
    const isForBrowsers = (file: string) => file in BROWSER_FILES;
    expect(files.filter((file) => !isForBrowsers(file)).flatMap(strangeIn)).toEqual([]);
    // What is listed as made for the browser is found to be.
    expect(Object.keys(BROWSER_FILES).filter((file) => strangeIn(file).length === 0)).toEqual([]);
  }, 120_000);
});
