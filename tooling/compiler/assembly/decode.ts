/**
 * Converts well-formed bytes to UTF-16. For each of 16 bytes at once, the byte and the two or three before it
 * give the code unit of a character that would end there; a shuffle, selected by an eight-bit mask, then
 * removes the places without an end. The stride is fixed, so that no load waits for the length of a
 * character, and nothing branches on the text.
 *
 * Lineage: R. Clausecker and D. Lemire, "Transcoding Unicode Characters with AVX-512 Instructions", 2023,
 * which compresses by an instruction that WebAssembly lacks.
 */
import { CLOSE_UNITS } from './memory';

/** Fills the table of shuffles: by a mask of the code units to keep, out of eight. */
export function initDecode(): void {
  for (let mask = 0; mask < 256; mask++) {
    let at = CLOSE_UNITS + (mask << 4);
    for (let lane = 0; lane < 8; lane++) {
      if (!((mask >> lane) & 1)) continue;
      store<u8>(at, 2 * lane);
      store<u8>(at, 2 * lane + 1, 1);
      at += 2;
    }
  }
}

/** Writes 16 bytes of ASCII as code units. */
@inline function widen(v: v128, o: usize): void {
  v128.store(o, i16x8.extend_low_i8x16_u(v));
  v128.store(o, i16x8.extend_high_i8x16_u(v), 16);
}

/** Writes the code units, of eight, that a mask selects, and returns the address after them. */
@inline function compress(units: v128, mask: u32, o: usize): usize {
  v128.store(o, i8x16.swizzle(units, v128.load(CLOSE_UNITS + (<usize>mask << 4))));
  return o + (<usize>popcnt(mask) << 1);
}

/**
 * Decodes 16 bytes.
 *
 * @param limit - The bytes within the input, as a mask.
 */
@inline function step(p: usize, o: usize, four: bool, limit: u32): usize {
  const v = v128.load(p);
  const v1 = v128.load(p - 1);
  const v2 = v128.load(p - 2);
  const trail = i8x16.splat(-64);
  const isTrail = i8x16.lt_s(v, trail);
  // A character ends where no trail byte follows.
  let ends = ~(<u32>i8x16.bitmask(i8x16.lt_s(v128.load(p + 1), trail)));
  // U+0000..U+FFFF: six or seven bits of the last byte, six of the byte before, four of the byte before that.
  const middle = v128.and(v128.and(v1, i8x16.splat(0b11_1111)), isTrail);
  const top = v128.and(v2, v128.and(isTrail, i8x16.lt_s(v1, trail)));
  let lower = v128.or(
    v128.and(v, i8x16.splat(0b111_1111)),
    v128.and(i16x8.shl(middle, 6), i8x16.splat(<i8>0b1100_0000)),
  );
  const middleUpper = v128.and(i16x8.shr_u(middle, 2), i8x16.splat(0b1111));
  let upper = v128.or(middleUpper, v128.and(i16x8.shl(top, 4), i8x16.splat(<i8>0b1111_0000)));
  if (four) {
    const v3 = v128.load(p - 3);
    const lead = i8x16.splat(<i8>0xf0);
    const isLow = i8x16.ge_u(v3, lead);
    const isHigh = i8x16.ge_u(v2, lead);
    if (v128.any_true(v128.or(isLow, isHigh))) {
      // U+10000..U+10FFFF: the low surrogate at the fourth byte, the high surrogate at the third.
      //   lead 11110aaa  second 10bbcccc  third 10ddeeee  fourth 10ffffff
      //   high 110110xx xxccccdd with xxxx = aaabb - 1, low 110111ee eeffffff
      upper = v128.bitselect(v128.or(v128.and(middleUpper, i8x16.splat(0b11)), i8x16.splat(<i8>0xdc)), upper, isLow);
      const second = i8x16.sub(v1, i8x16.splat(0x10));
      // 80..8F borrows from the bits of the lead byte.
      const borrow = i8x16.lt_u(v1, i8x16.splat(<i8>0x90));
      const highUpper = i8x16.add(v128.or(v128.and(v2, i8x16.splat(0b111)), i8x16.splat(<i8>0xd8)), borrow);
      const highLower = v128.or(
        v128.and(i16x8.shl(second, 2), i8x16.splat(<i8>0b1111_1100)),
        v128.and(i16x8.shr_u(v, 4), i8x16.splat(0b11)),
      );
      upper = v128.bitselect(highUpper, upper, isHigh);
      lower = v128.bitselect(highLower, lower, isHigh);
      ends |= <u32>i8x16.bitmask(isHigh);
    }
  }
  ends &= limit;
  o = compress(
    i8x16.shuffle(lower, upper, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23),
    ends & 0xff,
    o,
  );
  return compress(
    i8x16.shuffle(lower, upper, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31),
    ends >> 8,
    o,
  );
}

/**
 * Decodes well-formed bytes, and returns the number of code units.
 *
 * @param four - True if there are sequences of four bytes.
 */
@inline export function decode(p: usize, n: usize, o: usize, four: bool): usize {
  const start = o;
  const end = p + n;
  // The bytes around the input must not look like parts of its first and last character.
  store<u32>(p - 4, 0);
  store<u8>(end, 0);
  while (p + 64 <= end) {
    const v0 = v128.load(p);
    const v1 = v128.load(p, 16);
    const v2 = v128.load(p, 32);
    const v3 = v128.load(p, 48);
    if (i8x16.bitmask(v128.or(v128.or(v0, v1), v128.or(v2, v3)))) {
      o = step(p, o, four, 0xffff);
      o = step(p + 16, o, four, 0xffff);
      o = step(p + 32, o, four, 0xffff);
      o = step(p + 48, o, four, 0xffff);
    } else {
      widen(v0, o);
      widen(v1, o + 32);
      widen(v2, o + 64);
      widen(v3, o + 96);
      o += 128;
    }
    p += 64;
  }
  while (p + 16 <= end) {
    o = step(p, o, four, 0xffff);
    p += 16;
  }
  if (p < end) o = step(p, o, four, (1 << <u32>(end - p)) - 1);
  return (o - start) >> 1;
}
