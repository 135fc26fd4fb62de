/** Lone surrogates in UTF-16: everywhere but there, the next unit is a low one just where this is a high one. */

/** Returns how many of `n` code units come before the first lone surrogate; a high one at the end is one. */
export function pairedLength(p: usize, n: usize): usize {
  const start = p;
  const end = p + (n << 1);
  // A low one at the start has none before it. What lies after the end is no low one either.
  if (n != 0 && isLow(p)) return 0;
  store<u16>(end, 0);
  for (; p + 64 <= end; p += 64) {
    const some = v128.or(
      v128.or(isSurrogate(v128.load(p)), isSurrogate(v128.load(p, 16))),
      v128.or(isSurrogate(v128.load(p, 32)), isSurrogate(v128.load(p, 48))),
    );
    // None here, and no low one after, which would lack its high one.
    if (!v128.any_true(some) && !isLow(p + 64)) continue;
    for (let i: usize = 0; i < 64; i += 16) {
      const differ = findUnpaired(p + i);
      if (differ) return unitsBefore(start, p + i + (ctz(differ) << 1));
    }
  }
  for (; p + 16 <= end; p += 16) {
    const differ = findUnpaired(p);
    if (differ) return unitsBefore(start, p + (ctz(differ) << 1));
  }
  for (; p < end; p += 2) {
    const isHigh = (load<u16>(p) & 0xfc00) == 0xd800;
    if (isHigh != isLow(p + 2)) return unitsBefore(start, p);
  }
  return n;
}

/** Returns how many of `n` code units come before the first surrogate. */
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

/** Of eight units, those that are high ones with no low one after them, or others with one: as a mask. */
@inline function findUnpaired(p: usize): i32 {
  const kind = i16x8.splat(<i16>0xfc00);
  const isHigh = i16x8.eq(v128.and(v128.load(p), kind), i16x8.splat(<i16>0xd800));
  const isLowNext = i16x8.eq(v128.and(v128.load(p, 2), kind), i16x8.splat(<i16>0xdc00));
  return i16x8.bitmask(v128.xor(isHigh, isLowNext));
}

@inline function isLow(p: usize): bool {
  return (load<u16>(p) & 0xfc00) == 0xdc00;
}

/** `p` is a lone high one, or the unit before a lone low one. */
@inline function unitsBefore(start: usize, p: usize): usize {
  const isHigh = (load<u16>(p) & 0xfc00) == 0xd800;
  return ((p - start) >> 1) + (isHigh ? 0 : 1);
}
