/**
 * What the encodings without four-byte forms share with UTF-8: well-formed UTF-8 without them is
 * well-formed there too, and the platform's own check is three times as fast as any here.
 */

/** Whether no byte begins a four-byte form, and none is 00 where that is a fault. */
@inline export function isShared(p: usize, n: usize, nulInTwo: bool): bool {
  const end = p + n;
  // What lies after the end must not count.
  v128.store(end, i8x16.splat(0x20));
  v128.store(end, i8x16.splat(0x20), 16);
  v128.store(end, i8x16.splat(0x20), 32);
  v128.store(end, i8x16.splat(0x20), 48);
  let greatest = i64x2.splat(0);
  let least = i64x2.splat(-1);
  for (; p < end; p += 64) {
    const v0 = v128.load(p);
    const v1 = v128.load(p, 16);
    const v2 = v128.load(p, 32);
    const v3 = v128.load(p, 48);
    greatest = i8x16.max_u(greatest, i8x16.max_u(i8x16.max_u(v0, v1), i8x16.max_u(v2, v3)));
    if (nulInTwo) least = i8x16.min_u(least, i8x16.min_u(i8x16.min_u(v0, v1), i8x16.min_u(v2, v3)));
  }
  return !v128.any_true(i8x16.ge_u(greatest, i8x16.splat(<i8>0xf0))) && i8x16.all_true(least);
}
