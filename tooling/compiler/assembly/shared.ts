/**
 * Tells whether bytes mean the same in an encoding and in UTF-8, so that the platform's own codec can serve,
 * which is faster than any kernel of 128 bits. The margin after the bytes is overwritten.
 */

/** Writes spaces after the end, which never differ. */
@inline function pad(end: usize): void {
  const space = i8x16.splat(0x20);
  v128.store(end, space);
  v128.store(end, space, 16);
  v128.store(end, space, 32);
  v128.store(end, space, 48);
}

/**
 * Tells whether well-formed UTF-8 contains no byte that is different or malformed in the encoding.
 *
 * @param four - True if sequences of four bytes are shared.
 * @param firstAscii - The first byte that is ASCII here; 1 if U+0000 is C0 80.
 */
@inline export function isShared(p: usize, n: usize, four: bool, firstAscii: u8): bool {
  const end = p + n;
  pad(end);
  let greatest = i64x2.splat(0);
  let least = i64x2.splat(-1);
  for (; p < end; p += 64) {
    const v0 = v128.load(p);
    const v1 = v128.load(p, 16);
    const v2 = v128.load(p, 32);
    const v3 = v128.load(p, 48);
    if (!four) greatest = i8x16.max_u(greatest, i8x16.max_u(i8x16.max_u(v0, v1), i8x16.max_u(v2, v3)));
    if (firstAscii) least = i8x16.min_u(least, i8x16.min_u(i8x16.min_u(v0, v1), i8x16.min_u(v2, v3)));
  }
  return (
    !v128.any_true(i8x16.ge_u(greatest, i8x16.splat(<i8>0xf0))) &&
    i8x16.all_true(i8x16.ge_u(least, i8x16.splat(firstAscii)))
  );
}
