/**
 * Validation by lookup. Malformed pairs of adjacent bytes are looked up by three nibbles, each in a table of
 * 16 bytes whose bits are kinds of error; a pair has an error if all three tables have its bit. The tables
 * are derived from a grammar (`../src/lookup.ts`). A saturating subtraction finds the places of third and
 * fourth bytes. Nothing branches except on runs of ASCII.
 *
 * Lineage: J. Keiser and D. Lemire, "Validating UTF-8 In Less Than One Instruction Per Byte", 2021, as in
 * simdjson. The departures: the bit of a surrogate is not an error at first; a vector shift by three bytes
 * and an XOR remove pairs (CESU-8 and dumps that mix it with UTF-8); F0 to FF can be refused; C0 80 can be
 * accepted, and 00 refused.
 */
import { boundaryBefore, wholeLength } from './boundary';

/** The treatment of ED A0..BF xx. */
export namespace Surrogates {
  /** The tables alone decide: surrogates are faults in UTF-8, and well-formed in Modified UTF-8. */
  export const UNMARKED = 0;
  /** A high surrogate and the low one after it are a character; unpaired surrogates are faults: CESU-8. */
  export const PAIRED = 1;
  /** A high surrogate and the low one after it are a fault; unpaired surrogates are characters: WTF-8. */
  export const UNPAIRED = 2;
}

/** Bits of the tables that are treated separately; see `lookup.ts`. */
const SURROGATE: u8 = 1 << 4;
const OVERLONG_2: u8 = 1 << 5;

/**
 * The greatest byte allowed at each of 16 places: a greater one begins a sequence that continues after them.
 */
const LAST = memory.data<u8>([
  255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0xef, 0xdf, 0xbf,
], 16);
/** Places of second bytes of high surrogates whose low surrogate begins after these 16 bytes. */
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

/**
 * Returns the errors of each byte with the byte before it. Bit 7 marks a third or fourth byte that is
 * unexpected or missing.
 */
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

/**
 * Marks the second byte of a high surrogate, 1010____, in bit 4. A low surrogate, with 1011____, has the same
 * bit in `errors`.
 */
@inline function findHigh(errors: v128, v: v128, surrogate: v128): v128 {
  return v128.andnot(v128.and(errors, surrogate), v);
}

/**
 * Removes paired surrogates from the errors: high ones anywhere, and low ones three bytes after a high one.
 * Bit 4 remains for unpaired surrogates.
 */
@inline function pairSurrogates(errors: v128, highBefore: v128, high: v128): v128 {
  return v128.xor(errors, v128.xor(high, shift3(highBefore, high)));
}

/** Keeps of the errors in bit 4 only low surrogates three bytes after a high one. */
@inline function refusePairs(errors: v128, highBefore: v128, high: v128, surrogate: v128): v128 {
  const low = v128.and(v128.xor(v128.and(errors, surrogate), high), shift3(highBefore, high));
  return v128.or(v128.andnot(errors, surrogate), low);
}

/** Removes C0 80 from the errors. */
@inline function pardonNul(errors: v128, before: v128, v: v128): v128 {
  const isNul = v128.and(i8x16.eq(shift1(before, v), i8x16.splat(<i8>0xc0)), i8x16.eq(v, i8x16.splat(<i8>0x80)));
  return v128.andnot(errors, v128.and(isNul, i8x16.splat(OVERLONG_2)));
}

/**
 * Returns the number of bytes, of `n` at `p`, that are certainly well-formed: all except an unfinished end
 * and at most one character before it or, if there is an error, up to a boundary less than 24 bytes before
 * the error.
 *
 * @param surrogates - One of {@link Surrogates}.
 * @param four - True if there are sequences of four bytes.
 * @param pardonsNul - True if C0 80 is well-formed, although the tables mark it as overlong.
 * @param refusesNul - True if 00 is an error.
 * @param tables - Address of the three tables: by the first byte's upper nibble, by its lower nibble, and by
 *   the second byte's upper nibble.
 */
@inline export function validate(
  p: usize,
  n: usize,
  surrogates: i32,
  four: bool,
  pardonsNul: bool,
  refusesNul: bool,
  tables: usize,
): usize {
  const start = p;
  let end = p + n;
  const upper = v128.load(tables);
  const lower = v128.load(tables, 16);
  const second = v128.load(tables, 32);
  const looksAhead = surrogates != Surrogates.UNMARKED;
  // From memory, because the compiler would create constants again for each use.
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
      // Spaces replace the bytes after the end.
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
      // ASCII, at four times the speed of the rest. It must not follow an incomplete sequence.
      e0 = i8x16.sub_sat_u(before, v128.load(LAST));
      if (surrogates == Surrogates.PAIRED) e0 = v128.or(e0, v128.and(highBefore, v128.load(LAST_HIGH)));
      if (looksAhead) high = i64x2.splat(0);
    } else {
      e0 = findErrors(before, v0, four, upper, lower, second, nibble, trail);
      e1 = findErrors(v0, v1, four, upper, lower, second, nibble, trail);
      e2 = findErrors(v1, v2, four, upper, lower, second, nibble, trail);
      e3 = findErrors(v2, v3, four, upper, lower, second, nibble, trail);
      if (looksAhead) {
        const high0 = findHigh(e0, v0, surrogate);
        const high1 = findHigh(e1, v1, surrogate);
        const high2 = findHigh(e2, v2, surrogate);
        high = findHigh(e3, v3, surrogate);
        if (surrogates == Surrogates.PAIRED) {
          e0 = pairSurrogates(e0, highBefore, high0);
          e1 = pairSurrogates(e1, high0, high1);
          e2 = pairSurrogates(e2, high1, high2);
          e3 = pairSurrogates(e3, high2, high);
        } else {
          e0 = refusePairs(e0, highBefore, high0, surrogate);
          e1 = refusePairs(e1, high0, high1, surrogate);
          e2 = refusePairs(e2, high1, high2, surrogate);
          e3 = refusePairs(e3, high2, high, surrogate);
        }
      }
    }
    let errors = v128.or(v128.or(e0, e1), v128.or(e2, e3));
    if (pardonsNul || refusesNul) {
      const least = i8x16.min_u(i8x16.min_u(v0, v1), i8x16.min_u(v2, v3));
      if (v128.any_true(errors) || (refusesNul && !i8x16.all_true(least))) {
        // C0 80 and 00 are rare, so other text is not searched for them.
        if (pardonsNul) {
          e0 = pardonNul(e0, before, v0);
          e1 = pardonNul(e1, v0, v1);
          e2 = pardonNul(e2, v1, v2);
          e3 = pardonNul(e3, v2, v3);
        }
        if (refusesNul) {
          e0 = v128.or(e0, i8x16.eq(v0, i64x2.splat(0)));
          e1 = v128.or(e1, i8x16.eq(v1, i64x2.splat(0)));
          e2 = v128.or(e2, i8x16.eq(v2, i64x2.splat(0)));
          e3 = v128.or(e3, i8x16.eq(v3, i64x2.splat(0)));
        }
        errors = v128.or(v128.or(e0, e1), v128.or(e2, e3));
      }
    }
    if (v128.any_true(errors)) {
      const whole = start + wholeLength(start, n, looksAhead);
      // The spaces may be the only error, after an unfinished end: validate once more without that end.
      const isUnfinished = whole < end && end - p < 64;
      if (!isUnfinished) {
        if (!v128.any_true(e0)) p += v128.any_true(e1) ? 16 : v128.any_true(e2) ? 32 : 48;
        return boundaryBefore(start, p, looksAhead) - start;
      }
      end = whole;
    } else {
      before = v3;
      highBefore = high;
      p += 64;
    }
  }
  // No sequence may be unfinished at the end.
  let errors = i8x16.sub_sat_u(before, v128.load(LAST));
  // The bytes after a high surrogate at the end decide about it.
  if (surrogates == Surrogates.UNPAIRED) end = start + wholeLength(start, end - start, true);
  if (looksAhead) errors = v128.or(errors, v128.and(highBefore, v128.load(LAST_HIGH)));
  return (v128.any_true(errors) ? boundaryBefore(start, end, looksAhead) : end) - start;
}
