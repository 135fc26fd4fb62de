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
  const four = i8x16.splat(<i8>0xf0);
  while (p < end) {
    if (p + 64 <= end) {
      const v0 = v128.load(p);
      const v1 = v128.load(p, 16);
      const v2 = v128.load(p, 32);
      const v3 = v128.load(p, 48);
      const greatest = i8x16.max_u(i8x16.max_u(v0, v1), i8x16.max_u(v2, v3));
      const least = i8x16.min_u(i8x16.min_u(v0, v1), i8x16.min_u(v2, v3));
      if (!(six && v128.any_true(i8x16.ge_u(greatest, four))) && !(nulInTwo && !i8x16.all_true(least))) {
        v128.store(o, v0);
        v128.store(o, v1, 16);
        v128.store(o, v2, 32);
        v128.store(o, v3, 48);
        p += 64;
        o += 64;
        continue;
      }
    }
    const v = v128.load(p);
    v128.store(o, v);
    let mask: u32 = six ? <u32>i8x16.bitmask(i8x16.ge_u(v, four)) : 0;
    if (nulInTwo) mask |= <u32>i8x16.bitmask(i8x16.eq(v, i64x2.splat(0)));
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
