/**
 * Converts UTF-8 to encodings that write pairs in six bytes, or U+0000 as C0 80; copies all other bytes.
 * Finds both in 16 bytes at once.
 */

/** 11110aaa 10bbcccc 10ddeeee 10ffffff to 11101101 1010xxxx 10ccccdd 11101101 1011eeee 10ffffff with xxxx = aaabb - 1. */
@inline function lengthenPair(p: usize, o: usize): void {
  const bytes = load<u32>(p);
  const plane = (((bytes & 0b111) << 2) | ((bytes >> 12) & 0b11)) - 1;
  store<u32>(
    o,
    0xed80a0ed |
      (plane << 8) |
      ((bytes & 0b1111_0000_0000) << 10) |
      ((bytes >> 4) & 0b11_0000_0000_0000_0000),
  );
  store<u16>(o, 0x80b0 | ((bytes >> 16) & 0b1111) | ((bytes >> 16) & 0b11_1111_0000_0000), 4);
}

/** Marks the first bytes of sequences that become longer: F0 and more, and 00. */
@inline function findLonger(v: v128, six: bool, nulInTwo: bool): v128 {
  if (!six) return i8x16.eq(v, i64x2.splat(0));
  // Less 1, 00 is the greatest.
  return nulInTwo
    ? i8x16.ge_u(i8x16.sub(v, i8x16.splat(1)), i8x16.splat(<i8>0xef))
    : i8x16.ge_u(v, i8x16.splat(<i8>0xf0));
}

/**
 * Converts well-formed bytes, and returns the number of bytes written: at most three for two, or two for one
 * if U+0000 becomes two.
 *
 * @param six - True if four bytes become six.
 * @param nulInTwo - True if U+0000 becomes C0 80.
 */
@inline export function lengthen(p: usize, n: usize, o: usize, six: bool, nulInTwo: bool): usize {
  const start = o;
  const end = p + n;
  while (p < end) {
    const v = v128.load(p);
    v128.store(o, v);
    let mask = <u32>i8x16.bitmask(findLonger(v, six, nulInTwo));
    const edge = min(p + 16, end);
    mask &= (1 << <u32>(edge - p)) - 1;
    if (!mask) {
      o += edge - p;
      p = edge;
      continue;
    }
    const base = p;
    while (mask) {
      const next = base + <usize>ctz(mask);
      mask &= mask - 1;
      v128.store(o, v128.load(p));
      o += next - p;
      if (nulInTwo && !load<u8>(next)) {
        store<u16>(o, 0x80c0);
        o += 2;
        p = next + 1;
      } else {
        lengthenPair(next, o);
        o += 6;
        p = next + 4;
      }
    }
    if (p < edge) {
      v128.store(o, v128.load(p));
      o += edge - p;
      p = edge;
    }
  }
  return o - start;
}
