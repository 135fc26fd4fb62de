/**
 * Converts CESU-8 and Modified UTF-8 to UTF-8: six bytes of a pair become four, and C0 80 becomes 00; copies
 * all other bytes. Finds both in 64 bytes at once.
 */

/** Copies `n` bytes, at most 64; may write more than `n`. */
@inline function copy(p: usize, n: usize, o: usize): void {
  v128.store(o, v128.load(p));
  if (n > 16) {
    v128.store(o, v128.load(p, 16), 16);
    if (n > 32) {
      v128.store(o, v128.load(p, 32), 32);
      v128.store(o, v128.load(p, 48), 48);
    }
  }
}

/** Marks the first bytes of pairs and of C0 80. */
@inline function findLonger(v: v128, next: v128, nulInTwo: bool): v128 {
  // ED A0..AF
  const isHigh = v128.and(
    i8x16.eq(v, i8x16.splat(<i8>0xed)),
    i8x16.eq(v128.and(next, i8x16.splat(<i8>0b1111_0000)), i8x16.splat(<i8>0xa0)),
  );
  return nulInTwo ? v128.or(isHigh, i8x16.eq(v, i8x16.splat(<i8>0xc0))) : isHigh;
}

/** 11101101 1010xxxx 10ccccdd 11101101 1011eeee 10ffffff to 11110aaa 10bbcccc 10ddeeee 10ffffff with aaabb = xxxx + 1. */
@inline function shortenPair(p: usize, o: usize): void {
  const high = load<u32>(p);
  const low = load<u32>(p, 2) >> 16;
  const plane = ((high >> 8) & 0b1111) + 1;
  store<u32>(
    o,
    0x808080f0 |
      (plane >> 2) |
      ((plane & 0b11) << 12) |
      ((high >> 10) & 0b1111_0000_0000) |
      ((high & 0b11_0000_0000_0000_0000) << 4) |
      ((low & 0b1111) << 16) |
      ((low & 0b11_1111_0000_0000) << 16),
  );
}

/**
 * Converts well-formed bytes, and returns the number of bytes written.
 *
 * @param nulInTwo - True if C0 80 is U+0000.
 */
@inline export function shorten(p: usize, n: usize, o: usize, nulInTwo: bool): usize {
  const start = o;
  const end = p + n;
  while (p < end) {
    const v0 = v128.load(p);
    const v1 = v128.load(p, 16);
    const v2 = v128.load(p, 32);
    const v3 = v128.load(p, 48);
    v128.store(o, v0);
    v128.store(o, v1, 16);
    v128.store(o, v2, 32);
    v128.store(o, v3, 48);
    if (p + 64 <= end && !i8x16.bitmask(v128.or(v128.or(v0, v1), v128.or(v2, v3)))) {
      p += 64;
      o += 64;
      continue;
    }
    const h0 = findLonger(v0, v128.load(p, 1), nulInTwo);
    const h1 = findLonger(v1, v128.load(p, 17), nulInTwo);
    const h2 = findLonger(v2, v128.load(p, 33), nulInTwo);
    const h3 = findLonger(v3, v128.load(p, 49), nulInTwo);
    const edge = min(p + 64, end);
    if (!v128.any_true(v128.or(v128.or(h0, h1), v128.or(h2, h3)))) {
      o += edge - p;
      p = edge;
      continue;
    }
    let mask =
      (<u64>(<u32>i8x16.bitmask(h0))) |
      ((<u64>(<u32>i8x16.bitmask(h1))) << 16) |
      ((<u64>(<u32>i8x16.bitmask(h2))) << 32) |
      ((<u64>(<u32>i8x16.bitmask(h3))) << 48);
    if (edge - p < 64) mask &= (<u64>1 << <u64>(edge - p)) - 1;
    const base = p;
    while (mask) {
      const next = base + <usize>ctz(mask);
      mask &= mask - 1;
      copy(p, next - p, o);
      o += next - p;
      if (nulInTwo && load<u8>(next) == 0xc0) {
        store<u8>(o, 0);
        o += 1;
        p = next + 2;
      } else {
        shortenPair(next, o);
        o += 4;
        p = next + 6;
      }
    }
    // A pair may continue after these 64 bytes.
    if (p < edge) {
      copy(p, edge - p, o);
      o += edge - p;
      p = edge;
    }
  }
  return o - start;
}
