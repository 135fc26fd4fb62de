/**
 * What an encoding shares with UTF-8, so that the platform's own codec can serve: it is faster than any
 * kernel of 128 bits, and one look tells whether its answer is the right one.
 */

/** The start of what is looked for. */
export namespace Alien {
  /** ED A0..BF, a surrogate: well-formed here, where the platform stops. */
  export const SURROGATE: u8 = 0xed;
  /** EF BF BD: U+FFFD, which the platform also writes for what it cannot encode. */
  export const REPLACEMENT: u8 = 0xef;
}

/** Where a sequence begins that is looked for. */
@inline function find(p: usize, lead: u8): v128 {
  const begins = i8x16.eq(v128.load(p), i8x16.splat(lead));
  const next = v128.load(p, 1);
  if (lead == Alien.SURROGATE) return v128.and(begins, i8x16.ge_u(next, i8x16.splat(<i8>0xa0)));
  const isThird = i8x16.eq(v128.load(p, 2), i8x16.splat(<i8>0xbd));
  return v128.and(begins, v128.and(i8x16.eq(next, i8x16.splat(<i8>0xbf)), isThird));
}

/**
 * Tells whether well-formed UTF-8 means the same here. What stands in the margin after it is overwritten.
 *
 * @param lead - One of {@link Alien}, none of which there may be.
 * @param four - Whether four-byte forms are shared.
 * @param firstAscii - The first byte that is ASCII here; 1 if U+0000 is C0 80.
 */
@inline export function isShared(p: usize, n: usize, lead: u8, four: bool, firstAscii: u8): bool {
  const end = p + n;
  const space = i8x16.splat(0x20);
  v128.store(end, space);
  v128.store(end, space, 16);
  v128.store(end, space, 32);
  v128.store(end, space, 48);
  const leads = i8x16.splat(lead);
  let greatest = i64x2.splat(0);
  let least = i64x2.splat(-1);
  for (; p < end; p += 64) {
    const v0 = v128.load(p);
    const v1 = v128.load(p, 16);
    const v2 = v128.load(p, 32);
    const v3 = v128.load(p, 48);
    if (!four) greatest = i8x16.max_u(greatest, i8x16.max_u(i8x16.max_u(v0, v1), i8x16.max_u(v2, v3)));
    if (firstAscii) least = i8x16.min_u(least, i8x16.min_u(i8x16.min_u(v0, v1), i8x16.min_u(v2, v3)));
    const some = v128.or(
      v128.or(i8x16.eq(v0, leads), i8x16.eq(v1, leads)),
      v128.or(i8x16.eq(v2, leads), i8x16.eq(v3, leads)),
    );
    if (v128.any_true(some)) {
      const found = v128.or(
        v128.or(find(p, lead), find(p + 16, lead)),
        v128.or(find(p + 32, lead), find(p + 48, lead)),
      );
      if (v128.any_true(found)) return false;
    }
  }
  return (
    !v128.any_true(i8x16.ge_u(greatest, i8x16.splat(<i8>0xf0))) &&
    i8x16.all_true(i8x16.ge_u(least, i8x16.splat(firstAscii)))
  );
}
