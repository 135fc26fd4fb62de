/**
 * Converts UTF-16 to bytes, eight code units at once. Each code unit is encoded in a lane of two or four
 * bytes; a shuffle, selected by the mask of lengths, removes unused bytes.
 *
 * Lineage: D. Lemire and W. Muła, "Transcoding billions of Unicode characters per second with SIMD
 * instructions", 2022, as in simdutf. The departures: supplementary characters are included, because each
 * surrogate of a pair can be encoded as two bytes; lengths are counted from the masks, not looked up.
 */
import { CLOSE_THREE, CLOSE_TWO } from './memory';

/**
 * Fills the tables of shuffles: by a mask of one-byte lanes, and, for four lanes, by masks of one- and
 * two-byte lanes.
 */
export function initEncode(): void {
  for (let mask = 0; mask < 256; mask++) {
    let at = CLOSE_TWO + (mask << 4);
    v128.store(at, i64x2.splat(-1));
    for (let lane = 0; lane < 8; lane++) {
      store<u8>(at++, 2 * lane);
      if (!((mask >> lane) & 1)) store<u8>(at++, 2 * lane + 1);
    }
    at = CLOSE_THREE + (mask << 4);
    v128.store(at, i64x2.splat(-1));
    for (let lane = 0; lane < 4; lane++) {
      const isOne = (mask >> lane) & 1;
      const isTwo = (mask >> (lane + 4)) & 1;
      // Of a lane's four bytes, the fourth is the one-byte form; the second and the third are the two-byte
      // form.
      if (isOne) store<u8>(at++, 4 * lane + 3);
      else {
        if (!isTwo) store<u8>(at++, 4 * lane);
        store<u8>(at++, 4 * lane + 1);
        store<u8>(at++, 4 * lane + 2);
      }
    }
  }
}

@inline function isSurrogate(u: v128): v128 {
  return i16x8.eq(v128.and(u, i16x8.splat(<i16>0xf800)), i16x8.splat(<i16>0xd800));
}

/** Encodes eight code units of U+0800..U+FFFF in 24 bytes. */
@inline function encodeThree(u: v128, o: usize): usize {
  const first = v128.or(i16x8.shr_u(u, 12), i16x8.splat(0xe0));
  const second = v128.and(i16x8.shl(u, 2), i16x8.splat(0b11_1111 << 8));
  const start = v128.or(v128.or(first, second), i16x8.splat(<i16>0x8000));
  const last = v128.or(v128.and(u, i16x8.splat(0b11_1111)), i16x8.splat(0x80));
  v128.store(o, i8x16.shuffle(start, last, 0, 1, 16, 2, 3, 18, 4, 5, 20, 6, 7, 22, 8, 9, 24, 10));
  v128.store(o, i8x16.shuffle(start, last, 11, 26, 12, 13, 28, 14, 15, 30, 0, 0, 0, 0, 0, 0, 0, 0), 16);
  return o + 24;
}

/** Encodes eight code units below U+0800; `isOne` marks one-byte sequences. */
@inline function encodeTwo(u: v128, isOne: v128, o: usize): usize {
  const lead = v128.and(i16x8.shr_u(u, 6), i16x8.splat(0b1_1111));
  const trail = v128.and(i16x8.shl(u, 8), i16x8.splat(0b11_1111 << 8));
  const two = v128.or(v128.or(lead, trail), i16x8.splat(<i16>0x80c0));
  const ones = <u32>i16x8.bitmask(isOne);
  v128.store(o, i8x16.swizzle(v128.bitselect(u, two, isOne), v128.load(CLOSE_TWO + (<usize>ones << 4))));
  return o + 16 - popcnt(ones);
}

/**
 * Writes four lanes of four bytes without unused bytes, by masks of the lanes of one byte, and of one or two.
 */
@inline function close(lanes: v128, ones: u32, twos: u32, o: usize): usize {
  v128.store(o, i8x16.swizzle(lanes, v128.load(CLOSE_THREE + (<usize>(ones | (twos << 4)) << 4))));
  return o + 12 - popcnt(ones) - popcnt(twos);
}

/**
 * Encodes eight code units of any kind in lanes of four bytes: the three-byte form, the last two bytes of
 * which are also the two-byte form, and the code unit itself.
 *
 * @param isOne, isTwo - Masks of the code units of one byte, and of at most two.
 * @param four - True if surrogates of pairs are encoded in two bytes each.
 */
@inline function encodeMixed(p: usize, u: v128, isOne: v128, isTwo: v128, four: bool, o: usize): usize {
  const trail = i16x8.splat(0x80);
  const first = v128.or(i16x8.shr_u(u, 12), i16x8.splat(0xe0));
  const six = v128.and(i16x8.shr_u(u, 6), i16x8.splat(0b11_1111));
  // Below U+0800 only five of the six bits are used, so the marker of the lead byte can be ORed in.
  let second = v128.or(six, v128.bitselect(i16x8.splat(0xc0), trail, isTwo));
  let last = v128.or(v128.and(u, i16x8.splat(0b11_1111)), trail);
  let short = isTwo;
  if (four) {
    const surrogates = isSurrogate(u);
    if (v128.any_true(surrogates)) {
      // high 110110xx xxccccdd: 11110aaa 10bbcccc with aaabb = xxxx + 1
      // low  110111ee eeffffff: 10ddeeee 10ffffff with dd of the high one before it
      const isHigh = i16x8.eq(v128.and(u, i16x8.splat(<i16>0xfc00)), i16x8.splat(<i16>0xd800));
      const moved = i16x8.add(v128.and(u, i16x8.splat(0x3ff)), i16x8.splat(0x40));
      const lead = v128.or(i16x8.shr_u(moved, 8), i16x8.splat(0xf0));
      const afterLead = v128.or(v128.and(i16x8.shr_u(moved, 2), i16x8.splat(0b11_1111)), trail);
      const dd = v128.and(i16x8.shl(v128.load(p - 2), 4), i16x8.splat(0b11_0000));
      const third = v128.or(v128.or(dd, v128.and(six, i16x8.splat(0b1111))), trail);
      second = v128.bitselect(v128.bitselect(lead, third, isHigh), second, surrogates);
      last = v128.bitselect(afterLead, last, isHigh);
      short = v128.or(short, surrogates);
    }
  }
  const start = v128.or(first, i16x8.shl(second, 8));
  const end = v128.or(last, i16x8.shl(u, 8));
  const ones = <u32>i16x8.bitmask(isOne);
  const twos = <u32>i16x8.bitmask(short);
  o = close(
    i8x16.shuffle(start, end, 0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7, 22, 23),
    ones & 15,
    twos & 15,
    o,
  );
  return close(
    i8x16.shuffle(start, end, 8, 9, 24, 25, 10, 11, 26, 27, 12, 13, 28, 29, 14, 15, 30, 31),
    ones >> 4,
    twos >> 4,
    o,
  );
}

/** Marks code units of one byte. */
@inline function isOneByte(u: v128, nulInTwo: bool): v128 {
  // U+0000 minus one is the greatest.
  return nulInTwo
    ? i16x8.lt_u(i16x8.sub(u, i16x8.splat(1)), i16x8.splat(0x7f))
    : i16x8.lt_u(u, i16x8.splat(0x80));
}

/** Encodes any eight code units. */
@inline function encodeAny(p: usize, u: v128, four: bool, nulInTwo: bool, o: usize): usize {
  const isTwo = i16x8.lt_u(u, i16x8.splat(0x800));
  return encodeMixed(p, u, isOneByte(u, nulInTwo), isTwo, four, o);
}

/**
 * Encodes code units, and returns the number of bytes. The margin after the code units is overwritten.
 *
 * @param four - True if pairs, all of which must be complete, are encoded in four bytes; otherwise each
 *   surrogate is encoded in three.
 * @param nulInTwo - True if U+0000 is C0 80.
 */
@inline export function encode(p: usize, n: usize, o: usize, four: bool, nulInTwo: bool): usize {
  const start = o;
  const end = p + (n << 1);
  // Spaces of one byte each complete the last sixteen code units.
  v128.store(end, i16x8.splat(0x20));
  v128.store(end, i16x8.splat(0x20), 16);
  while (p < end) {
    const u = v128.load(p);
    const next = v128.load(p, 16);
    const all = v128.or(u, next);
    let beyond = all;
    if (nulInTwo) {
      const one = i16x8.splat(1);
      beyond = v128.or(all, v128.or(i16x8.sub(u, one), i16x8.sub(next, one)));
    }
    if (!v128.any_true(v128.and(beyond, i16x8.splat(<i16>0xff80)))) {
      v128.store(o, i8x16.narrow_i16x8_u(u, next));
      o += 16;
    } else if (!v128.any_true(v128.and(all, i16x8.splat(<i16>0xf800)))) {
      o = encodeTwo(u, isOneByte(u, nulInTwo), o);
      o = encodeTwo(next, isOneByte(next, nulInTwo), o);
    } else if (
      i16x8.all_true(i16x8.shr_u(i16x8.min_u(u, next), 11)) &&
      !(four && v128.any_true(v128.or(isSurrogate(u), isSurrogate(next))))
    ) {
      o = encodeThree(u, o);
      o = encodeThree(next, o);
    } else {
      o = encodeAny(p, u, four, nulInTwo, o);
      o = encodeAny(p + 16, next, four, nulInTwo, o);
    }
    p += 32;
  }
  return o - start - ((p - end) >> 1);
}
