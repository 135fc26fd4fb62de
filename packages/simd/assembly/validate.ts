/**
 * Validation by lookup. Which pairs of adjacent bytes cannot be is looked up by three nibbles, each in
 * a table of 16 bytes whose bits are kinds of error; where all three agree on a bit, that error is there.
 * What two bytes do not tell (that a third or fourth byte is due) is one saturating subtraction. No
 * byte is looked at alone and nothing branches but on runs of ASCII.
 *
 * Lineage: J. Keiser and D. Lemire, "Validating UTF-8 In Less Than One Instruction Per Byte", 2021, as
 * in simdjson. The departures: the bit of a surrogate is not yet an error but is paired off, one vector
 * shift by three bytes and an XOR (CESU-8 and dumps that mix it with UTF-8); F0 to FF can be ruled out;
 * C0 80 can be let in, and 00 kept out.
 */
import { boundaryBefore, wholeLength } from './boundary';

/** What becomes of ED A0..BF xx. */
export namespace Surrogates {
  /** They are faults: UTF-8. */
  export const FORBIDDEN = 0;
  /** A high half and the low half behind it are a character: CESU-8. */
  export const PAIRED = 1;
  /** Each is a code unit like any other: Modified UTF-8. */
  export const ALLOWED = 2;
}

// Two bytes, as bits              first      second
const TOO_SHORT: u8 = 1 << 0; //   11______   0_______ or 11______
const TOO_LONG: u8 = 1 << 1; //    0_______   10______
const OVERLONG_3: u8 = 1 << 2; //  11100000   100_____
const TOO_LARGE: u8 = 1 << 3; //   11110100   101_____ or 1001____, and 11110101 or more
const SURROGATE: u8 = 1 << 4; //   11101101   101_____
const OVERLONG_2: u8 = 1 << 5; //  1100000_   10______
const OVERLONG_4: u8 = 1 << 6; //  11110000   1000____, and 11110101 or more before 1000____
const TWO_TRAILS: u8 = 1 << 7; //  10______   10______, an error unless a third or fourth byte is due
/** What does not depend on the first byte's lower nibble. */
const CARRY: u8 = TOO_SHORT | TOO_LONG | TWO_TRAILS;
const FORM_4: u8 = CARRY | TOO_LARGE | OVERLONG_4;

/** By the first byte's upper nibble, with the four-byte forms and without. */
const FIRST_UPPER = memory.data<u8>([
  TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, // 0_______
  TWO_TRAILS, TWO_TRAILS, TWO_TRAILS, TWO_TRAILS,                                 // 10______
  TOO_SHORT | OVERLONG_2,                                                         // 1100____
  TOO_SHORT,                                                                      // 1101____
  TOO_SHORT | OVERLONG_3 | SURROGATE,                                             // 1110____
  TOO_SHORT | TOO_LARGE | OVERLONG_4,                                             // 1111____
], 16);
const FIRST_UPPER_TO_3 = memory.data<u8>([
  TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, // 0_______
  TWO_TRAILS, TWO_TRAILS, TWO_TRAILS, TWO_TRAILS,                                 // 10______
  TOO_SHORT | OVERLONG_2,                                                         // 1100____
  TOO_SHORT,                                                                      // 1101____
  TOO_SHORT | OVERLONG_3 | SURROGATE,                                             // 1110____
  TOO_SHORT | TOO_LONG,                                                           // 1111____: whatever follows
], 16);
/** By the first byte's lower nibble. */
const FIRST_LOWER = memory.data<u8>([
  CARRY | OVERLONG_3 | OVERLONG_2 | OVERLONG_4,                                   // ____0000
  CARRY | OVERLONG_2,                                                             // ____0001
  CARRY,                                                                          // ____0010
  CARRY,                                                                          // ____0011
  CARRY | TOO_LARGE,                                                              // ____0100
  FORM_4, FORM_4, FORM_4, FORM_4, FORM_4, FORM_4, FORM_4, FORM_4,                 // ____0101 to ____1100
  FORM_4 | SURROGATE,                                                             // ____1101
  FORM_4, FORM_4,                                                                 // ____111_
], 16);
const TRAIL: u8 = TOO_LONG | OVERLONG_2 | TWO_TRAILS;
/** By the second byte's upper nibble. */
const SECOND_UPPER = memory.data<u8>([
  TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, // 0_______
  TRAIL | OVERLONG_3 | OVERLONG_4,                                                // 1000____
  TRAIL | OVERLONG_3 | TOO_LARGE,                                                 // 1001____
  TRAIL | SURROGATE | TOO_LARGE,                                                  // 1010____
  TRAIL | SURROGATE | TOO_LARGE,                                                  // 1011____
  TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT,                                     // 11______
], 16);

/** A byte is too many here, as the last of 16 bytes, if it is greater: it begins what goes on behind. */
const LAST = memory.data<u8>([
  255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0xef, 0xdf, 0xbf,
], 16);
/** The second bytes of high halves whose low half begins behind these 16 bytes. */
const LAST_HIGH = memory.data<u8>([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SURROGATE, SURROGATE, SURROGATE], 16);

const NIBBLE = memory.data<u8>([15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15], 16);
const TRAIL_BIT = memory.data<u8>([128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128], 16);
const SURROGATE_BIT = memory.data<u8>([16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16], 16);

/** 64 bytes of ones and 64 of zeros: read from 64 - n on, they are a mask of n bytes. */
const WINDOW_MASK = memory.data<u8>([
  255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
  255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
  255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
  255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
], 16);

/** The bytes one, two and three places before each of `v`, which follows `before`. */
@inline function shift1(before: v128, v: v128): v128 {
  return i8x16.shuffle(before, v, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30);
}
@inline function shift2(before: v128, v: v128): v128 {
  return i8x16.shuffle(before, v, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29);
}
@inline function shift3(before: v128, v: v128): v128 {
  return i8x16.shuffle(before, v, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28);
}

/** The errors of each byte with the one before it; bit 7 where a third or fourth byte stands unasked, or lacks. */
@inline function findErrors(
  before: v128,
  v: v128,
  four: bool,
  upper: v128,
  lower: v128,
  second: v128,
  nibble: v128,
  trail: v128,
): v128 {
  const first = shift1(before, v);
  const pair = v128.and(
    v128.and(
      i8x16.swizzle(upper, v128.and(i16x8.shr_u(first, 4), nibble)),
      i8x16.swizzle(lower, v128.and(first, nibble)),
    ),
    i8x16.swizzle(second, v128.and(i16x8.shr_u(v, 4), nibble)),
  );
  // E0 or more two bytes before leaves bit 7 set, and so does F0 or more three bytes before.
  let due = i8x16.sub_sat_u(shift2(before, v), i8x16.splat(0x60));
  if (four) due = v128.or(due, i8x16.sub_sat_u(shift3(before, v), i8x16.splat(0x70)));
  return v128.xor(v128.and(due, trail), pair);
}

/** Where a high half has its second byte, 1010____: bit 4. A low half's is 1011____, which has the same bit. */
@inline function findHigh(errors: v128, v: v128, surrogate: v128): v128 {
  return v128.andnot(v128.and(errors, surrogate), v);
}

/**
 * Takes from the errors the halves that stand where they should: high ones anywhere, and low ones three
 * bytes behind those. What is wrong about halves remains in bit 4.
 */
@inline function pairHalves(errors: v128, highBefore: v128, high: v128): v128 {
  return v128.xor(errors, v128.xor(high, shift3(highBefore, high)));
}

/** Overlong forms in two bytes, but for C0 80. */
@inline function pardonNul(errors: v128, before: v128, v: v128): v128 {
  const isNul = v128.and(i8x16.eq(shift1(before, v), i8x16.splat(<i8>0xc0)), i8x16.eq(v, i8x16.splat(<i8>0x80)));
  return v128.andnot(errors, v128.and(isNul, i8x16.splat(OVERLONG_2)));
}

/**
 * How many of `n` bytes at `p` are surely well-formed: all but an unfinished end, or, where there is an
 * error, up to a boundary less than 24 bytes before it.
 *
 * @param surrogates - One of {@link Surrogates}.
 * @param four - Whether there are four-byte forms.
 * @param nulInTwo - Whether U+0000 is C0 80, and not 00.
 */
@inline export function validate(p: usize, n: usize, surrogates: i32, four: bool, nulInTwo: bool): usize {
  const start = p;
  let end = p + n;
  const upper = v128.load(four ? FIRST_UPPER : FIRST_UPPER_TO_3);
  const lower = v128.load(FIRST_LOWER);
  const second = v128.load(SECOND_UPPER);
  // From memory, since the compiler would make constants anew for each use.
  const nibble = v128.load(NIBBLE);
  const trail = v128.load(TRAIL_BIT);
  const surrogate = v128.load(SURROGATE_BIT);
  const space = i8x16.splat(0x20);
  let before = space;
  let highBefore = i64x2.splat(0);
  while (p < end) {
    let v0 = v128.load(p);
    let v1 = v128.load(p, 16);
    let v2 = v128.load(p, 32);
    let v3 = v128.load(p, 48);
    if (end - p < 64) {
      // Spaces instead of what lies behind the end.
      const mask = WINDOW_MASK + 64 - (end - p);
      v0 = v128.bitselect(v0, space, v128.load(mask));
      v1 = v128.bitselect(v1, space, v128.load(mask, 16));
      v2 = v128.bitselect(v2, space, v128.load(mask, 32));
      v3 = v128.bitselect(v3, space, v128.load(mask, 48));
    }
    let high = highBefore;
    let e0 = i64x2.splat(0);
    let e1 = e0;
    let e2 = e0;
    let e3 = e0;
    if (!i8x16.bitmask(v128.or(v128.or(v0, v1), v128.or(v2, v3)))) {
      // ASCII, at four times the speed of the rest. It must not follow half of something.
      e0 = i8x16.sub_sat_u(before, v128.load(LAST));
      if (surrogates == Surrogates.PAIRED) {
        e0 = v128.or(e0, v128.and(highBefore, v128.load(LAST_HIGH)));
        high = i64x2.splat(0);
      }
    } else {
      e0 = findErrors(before, v0, four, upper, lower, second, nibble, trail);
      e1 = findErrors(v0, v1, four, upper, lower, second, nibble, trail);
      e2 = findErrors(v1, v2, four, upper, lower, second, nibble, trail);
      e3 = findErrors(v2, v3, four, upper, lower, second, nibble, trail);
      if (surrogates == Surrogates.PAIRED) {
        const high0 = findHigh(e0, v0, surrogate);
        const high1 = findHigh(e1, v1, surrogate);
        const high2 = findHigh(e2, v2, surrogate);
        high = findHigh(e3, v3, surrogate);
        e0 = pairHalves(e0, highBefore, high0);
        e1 = pairHalves(e1, high0, high1);
        e2 = pairHalves(e2, high1, high2);
        e3 = pairHalves(e3, high2, high);
      } else if (surrogates == Surrogates.ALLOWED) {
        e0 = v128.andnot(e0, surrogate);
        e1 = v128.andnot(e1, surrogate);
        e2 = v128.andnot(e2, surrogate);
        e3 = v128.andnot(e3, surrogate);
      }
    }
    let errors = v128.or(v128.or(e0, e1), v128.or(e2, e3));
    if (nulInTwo) {
      const least = i8x16.min_u(i8x16.min_u(v0, v1), i8x16.min_u(v2, v3));
      if (v128.any_true(errors) || !i8x16.all_true(least)) {
        // Here C0 80 is right and 00 is wrong. Both are rare, so that all else need not look for them.
        e0 = v128.or(pardonNul(e0, before, v0), i8x16.eq(v0, i64x2.splat(0)));
        e1 = v128.or(pardonNul(e1, v0, v1), i8x16.eq(v1, i64x2.splat(0)));
        e2 = v128.or(pardonNul(e2, v1, v2), i8x16.eq(v2, i64x2.splat(0)));
        e3 = v128.or(pardonNul(e3, v2, v3), i8x16.eq(v3, i64x2.splat(0)));
        errors = v128.or(v128.or(e0, e1), v128.or(e2, e3));
      }
    }
    if (v128.any_true(errors)) {
      const whole = start + wholeLength(start, n, surrogates == Surrogates.PAIRED);
      // Perhaps only the spaces are wrong, behind an unfinished end: then once more without that.
      const isUnfinished = whole < end && end - p < 64;
      if (!isUnfinished) {
        if (!v128.any_true(e0)) p += v128.any_true(e1) ? 16 : v128.any_true(e2) ? 32 : 48;
        return boundaryBefore(start, p, surrogates == Surrogates.PAIRED) - start;
      }
      end = whole;
    } else {
      before = v3;
      highBefore = high;
      p += 64;
    }
  }
  // Nothing may be half done at the end either.
  let errors = i8x16.sub_sat_u(before, v128.load(LAST));
  if (surrogates == Surrogates.PAIRED) errors = v128.or(errors, v128.and(highBefore, v128.load(LAST_HIGH)));
  return (v128.any_true(errors) ? boundaryBefore(start, end, surrogates == Surrogates.PAIRED) : end) - start;
}
