/**
 * A 53-bit hash of `text`'s UTF-16 units, for looking up equal texts quickly. Two different texts may share it,
 * so whoever looks up compares the texts as well. Not for security.
 */
export function textHash(text: string): number {
  // Two FNV-1a lanes over 32 bits, of different primes, so that together they fill 53 bits.
  let low = 0x811c9dc5;
  let high = 0x2166fd1b ^ text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit, 0x85ebca6b);
  }
  return (scramble(high) & 0x1fffff) * 0x100000000 + scramble(low);
}

/** Spreads every input bit over all 32 output bits. */
function scramble(value: number): number {
  let h = value ^ (value >>> 15);
  h = Math.imul(h, 0x2c1b3c6d);
  h ^= h >>> 12;
  h = Math.imul(h, 0x297a2d39);
  return (h ^ (h >>> 15)) >>> 0;
}
