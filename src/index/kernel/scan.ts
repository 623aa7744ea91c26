/**
 * Dot products of one query with many rows. Compiled to WebAssembly by scripts/build-kernel.ts.
 *
 * All addresses are in bytes and set by the caller; nothing is allocated here. A row is `stride` floats,
 * a multiple of 16, padded with zeros. Each row is summed in 16 float32 lanes (four vectors), and the lanes
 * are added pairwise at the end: plain-kernel.ts repeats this order, so that both give the same bits.
 */
export function scan(rows: usize, count: usize, stride: usize, query: usize, out: usize): void {
  const rowBytes: usize = stride << 2;
  let row = rows;
  for (let i: usize = 0; i < count; i++) {
    let sum0 = f32x4.splat(0);
    let sum1 = f32x4.splat(0);
    let sum2 = f32x4.splat(0);
    let sum3 = f32x4.splat(0);
    for (let at: usize = 0; at < rowBytes; at += 64) {
      const a = row + at;
      const b = query + at;
      sum0 = f32x4.add(sum0, f32x4.mul(v128.load(a), v128.load(b)));
      sum1 = f32x4.add(sum1, f32x4.mul(v128.load(a, 16), v128.load(b, 16)));
      sum2 = f32x4.add(sum2, f32x4.mul(v128.load(a, 32), v128.load(b, 32)));
      sum3 = f32x4.add(sum3, f32x4.mul(v128.load(a, 48), v128.load(b, 48)));
    }
    const sum = f32x4.add(f32x4.add(sum0, sum1), f32x4.add(sum2, sum3));
    store<f32>(
      out + (i << 2),
      f32x4.extract_lane(sum, 0) +
        f32x4.extract_lane(sum, 1) +
        (f32x4.extract_lane(sum, 2) + f32x4.extract_lane(sum, 3)),
    );
    row += rowBytes;
  }
}
