/** The bytes of `floats` (little-endian) in base64. */
export function encodeFloats(floats: Float32Array): string {
  const bytes = new Uint8Array(floats.buffer, floats.byteOffset, floats.byteLength);
  let binary = '';
  // In pieces, since a call takes only so many arguments.
  for (let i = 0; i < bytes.length; i += PIECE) {
    binary += String.fromCharCode(...bytes.subarray(i, i + PIECE));
  }
  return btoa(binary);
}

/** What `encodeFloats` wrote, bit for bit; throws a plain Error for anything else. */
export function decodeFloats(text: string): Float32Array {
  const binary = atob(text);
  if (binary.length % 4 !== 0) throw new Error(`${binary.length} bytes are no whole number of floats`);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return new Float32Array(bytes.buffer);
}

const PIECE = 8192;
