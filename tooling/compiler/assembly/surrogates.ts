/**
 * Finds lone surrogates in UTF-16. Without them, a code unit is a high surrogate if and only if the next is a
 * low one.
 */

/**
 * Returns the number of code units, of `n`, before the first lone surrogate. A high surrogate at the end is
 * lone.
 */
export function pairedLength(p: usize, n: usize): usize {
  const start = p;
  const end = p + (n << 1);
  // A low surrogate at the start is lone. A zero after the end is not a low surrogate.
  if (n != 0 && isLow(p)) return 0;
  store<u16>(end, 0);
  for (; p + 64 <= end; p += 64) {
    const some = v128.or(
      v128.or(isSurrogate(v128.load(p)), isSurrogate(v128.load(p, 16))),
      v128.or(isSurrogate(v128.load(p, 32)), isSurrogate(v128.load(p, 48))),
    );
    // No surrogates here, and no low one after, which would be lone.
    if (!v128.any_true(some) && !isLow(p + 64)) continue;
    const lone = v128.or(
      v128.or(findUnpaired(p), findUnpaired(p + 16)),
      v128.or(findUnpaired(p + 32), findUnpaired(p + 48)),
    );
    if (v128.any_true(lone)) break;
  }
  for (; p + 16 <= end; p += 16) {
    const lone = i16x8.bitmask(findUnpaired(p));
    if (lone) return unitsBefore(start, p + (ctz(lone) << 1));
  }
  for (; p < end; p += 2) {
    const isHigh = (load<u16>(p) & 0xfc00) == 0xd800;
    if (isHigh != isLow(p + 2)) return unitsBefore(start, p);
  }
  return n;
}

/** Returns the number of code units, of `n`, before the first surrogate. */
export function bmpLength(p: usize, n: usize): usize {
  const start = p;
  const end = p + (n << 1);
  for (; p + 16 <= end; p += 16) {
    const found = i16x8.bitmask(isSurrogate(v128.load(p)));
    if (found) return ((p - start) >> 1) + ctz(found);
  }
  for (; p < end; p += 2) {
    if ((load<u16>(p) & 0xf800) == 0xd800) return (p - start) >> 1;
  }
  return n;
}

@inline function isSurrogate(u: v128): v128 {
  return i16x8.eq(v128.and(u, i16x8.splat(<i16>0xf800)), i16x8.splat(<i16>0xd800));
}

/**
 * Marks the code units, of eight, that are a high surrogate without a low one after it, or
 * another code unit with a low one after it.
 */
@inline function findUnpaired(p: usize): v128 {
  const kind = i16x8.splat(<i16>0xfc00);
  const isHigh = i16x8.eq(v128.and(v128.load(p), kind), i16x8.splat(<i16>0xd800));
  const isLowNext = i16x8.eq(v128.and(v128.load(p, 2), kind), i16x8.splat(<i16>0xdc00));
  return v128.xor(isHigh, isLowNext);
}

@inline function isLow(p: usize): bool {
  return (load<u16>(p) & 0xfc00) == 0xdc00;
}

/** Counts the code units before a lone surrogate: a high one at `p`, or a low one after `p`. */
@inline function unitsBefore(start: usize, p: usize): usize {
  const isHigh = (load<u16>(p) & 0xfc00) == 0xd800;
  return ((p - start) >> 1) + (isHigh ? 0 : 1);
}
