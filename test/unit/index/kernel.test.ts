import { expect, it } from 'vitest';
import { compileKernel, kernelModule } from '../../../scripts/build-kernel.ts';
import { KERNEL_BASE64 } from '../../../src/index/flat/kernel.generated.ts';

it('the committed kernel is what its source compiles to', async () => {
  const bytes = await compileKernel();
  expect(KERNEL_BASE64).toBe(Buffer.from(bytes).toString('base64'));
  expect(kernelModule(bytes)).toContain(KERNEL_BASE64);
});
