/** Lone surrogates in UTF-16. */

/** How many of `n` code units come before the first lone surrogate; a high one at the end is one. */
export function pairedLength(p: usize, n: usize): usize {
  const start = p;
  const end = p + (n << 1);
  const kind = i16x8.splat(<i16>0xfc00);
  const high = i16x8.splat(<i16>0xd800);
  const low = i16x8.splat(<i16>0xdc00);
  // A low one at the start has none before it. What lies behind the end is no low one either.
  if (n != 0 && isLow(p)) return 0;
  store<u16>(end, 0);
  // Everywhere else: the next unit is a low one just where this one is a high one.
  for (; p + 16 <= end; p += 16) {
    const isHigh = i16x8.eq(v128.and(v128.load(p), kind), high);
    const isLowNext = i16x8.eq(v128.and(v128.load(p, 2), kind), low);
    const differ = <u32>i16x8.bitmask(v128.xor(isHigh, isLowNext));
    if (differ) return unitsBefore(start, p + (ctz(differ) << 1));
  }
  for (; p < end; p += 2) {
    const isHigh = (load<u16>(p) & 0xfc00) == 0xd800;
    if (isHigh != isLow(p + 2)) return unitsBefore(start, p);
  }
  return n;
}

@inline function isLow(p: usize): bool {
  return (load<u16>(p) & 0xfc00) == 0xdc00;
}

/** `p` is a lone high one, or the unit before a lone low one. */
@inline function unitsBefore(start: usize, p: usize): usize {
  const isHigh = (load<u16>(p) & 0xfc00) == 0xd800;
  return ((p - start) >> 1) + (isHigh ? 0 : 1);
}
