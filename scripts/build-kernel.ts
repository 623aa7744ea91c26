import { readFile, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import asc from 'assemblyscript/asc';

const SOURCE = new URL('../src/index/kernel/scan.ts', import.meta.url);
const OUTPUT = new URL('../src/index/flat/kernel.generated.ts', import.meta.url);

/** The bytes of the SIMD kernel, compiled from src/index/kernel/scan.ts; the same for the same compiler. */
export async function compileKernel(): Promise<Uint8Array> {
  const source = await readFile(SOURCE, 'utf8');
  let bytes: Uint8Array | undefined;
  const { error, stderr } = await asc.main(
    'scan.ts --outFile scan.wasm --runtime stub --enable simd --optimizeLevel 3 --noAssert --initialMemory 1'.split(
      ' ',
    ),
    {
      readFile: (name) => (name === 'scan.ts' ? source : null),
      writeFile: (_name, contents) => {
        bytes = contents as Uint8Array;
      },
      listFiles: () => [],
    },
  );
  if (error || !bytes) throw new Error(`The kernel does not compile: ${stderr.toString()}`, { cause: error });
  return bytes;
}

/** The committed module that holds `bytes`. */
export function kernelModule(bytes: Uint8Array): string {
  return `// Made by \`npm run build:kernel\` from src/index/kernel/scan.ts; do not edit.
export const KERNEL_BASE64 =
  '${Buffer.from(bytes).toString('base64')}';
`;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const bytes = await compileKernel();
  await writeFile(OUTPUT, kernelModule(bytes));
  console.log(`${OUTPUT.pathname.split('/').slice(-4).join('/')}: ${bytes.length} bytes of WebAssembly`);
}
