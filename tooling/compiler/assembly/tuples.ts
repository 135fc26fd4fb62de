/**
 * Passes the tuples of an INSERT as dumps write them: values are strings in single quotes, numbers and words, without
 * parentheses, comments or other quotes.
 *
 * The layout of linear memory is that of this module alone:
 *
 *     0x0400  lookup table of bytes (the compiler's data segment)
 *     0x1000  INPUT   64 KiB of SQL, and a margin that loads may reach into
 *             BOUNDS  three numbers for each tuple
 *             TOKENS  two numbers for each string
 */
export const INPUT: usize = 0x1000;
export const INPUT_SIZE: usize = 0x10000;
const MARGIN: usize = 0x100;

// The shortest tuple, `(),`, and the shortest string with what follows it, `'',`, have three bytes.
const MOST: usize = INPUT_SIZE / 3 + 2;

/** Start and end of each tuple, and number of strings before it; after the last one, the number of all strings. */
export const BOUNDS: usize = INPUT + INPUT_SIZE + MARGIN;
/** Start and end of each string. */
export const TOKENS: usize = BOUNDS + 12 * MOST;

/** Kinds of bytes outside of strings. */
namespace Kind {
  export const BLANK = 0;
  export const OTHER = 1;
  export const WORD = 2;
  export const QUOTE = 3;
  export const CLOSE = 4;
  export const MINUS = 5;
  export const COMMA = 6;
  export const STOP = 7;
}

const KINDS = memory.data<u8>([
  7, 7, 7, 7, 7, 7, 7, 7, 7, 0, 0, 0, 0, 0, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
  0, 7, 7, 7, 7, 7, 7, 3, 7, 4, 7, 1, 6, 5, 1, 7, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 7, 7, 7, 7, 7, 7,
  7, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 7, 7, 7, 7, 2,
  7, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 7, 7, 7, 7, 7,
  7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
  7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
  7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
  7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
], 16);

const QUOTE: u8 = 0x27;
const OPEN: u8 = 0x28;
const MINUS: u8 = 0x2d;
const BACKSLASH: u8 = 0x5c;

/**
 * Passes tuples from the start of the input, and writes their places. The one that is not of this form, or does not end
 * in the input, ends the run.
 *
 * @param n - Number of bytes.
 * @param escapes - True if a backslash in a string escapes.
 * @returns The number of tuples that were passed.
 */
export function passTuples(n: usize, escapes: bool): usize {
  const end = INPUT + n;
  let bounds = BOUNDS;
  let tokens = TOKENS;
  let p = INPUT;
  while (p < end && load<u8>(p) == OPEN) {
    store<u32>(bounds, <u32>(p - INPUT));
    store<u32>(bounds, <u32>((tokens - TOKENS) >> 3), 8);
    p = passTuple(p + 1, end, escapes, tokens);
    if (p == 0) break;
    tokens = lastToken;
    store<u32>(bounds, <u32>(p - INPUT), 4);
    bounds += 12;
    p = passBlanks(p, end);
    if (p >= end || load<u8>(KINDS + load<u8>(p)) != Kind.COMMA) break;
    p = passBlanks(p + 1, end);
  }
  store<u32>(bounds, <u32>((tokens - TOKENS) >> 3), 8);
  return (bounds - BOUNDS) / 12;
}

/** The end of the tokens of the last tuple. */
let lastToken: usize = 0;

/** Passes a tuple after its first parenthesis; returns the place after the last one, or 0. */
@inline function passTuple(p: usize, end: usize, escapes: bool, tokens: usize): usize {
  let before: u32 = Kind.OTHER;
  while (p < end) {
    const kind: u32 = load<u8>(KINDS + load<u8>(p));
    if (kind == Kind.QUOTE) {
      // A word before it may change its meaning: `E'…'`.
      if (before == Kind.WORD) return 0;
      const start = p;
      p = passString(p + 1, end, escapes);
      if (p == 0) return 0;
      store<u32>(tokens, <u32>(start - INPUT));
      store<u32>(tokens, <u32>(p - INPUT), 4);
      tokens += 8;
    } else if (kind == Kind.CLOSE) {
      lastToken = tokens;
      return p + 1;
    } else {
      p++;
      if (kind == Kind.STOP) return 0;
      // Two begin a comment.
      if (kind == Kind.MINUS && (p == end || load<u8>(p) == MINUS)) return 0;
    }
    before = kind;
  }
  return 0;
}

/** Passes a string after its first quote; returns the place after the last one, or 0 if the input may end within it. */
@inline function passString(p: usize, end: usize, escapes: bool): usize {
  const quote = i8x16.splat(QUOTE);
  // Quotes, if nothing else is looked for.
  const other = i8x16.splat(escapes ? BACKSLASH : QUOTE);
  while (p < end) {
    const v = v128.load(p);
    const found = i8x16.bitmask(v128.or(i8x16.eq(v, quote), i8x16.eq(v, other)));
    if (found == 0) {
      p += 16;
      continue;
    }
    p += ctz(found);
    if (p + 1 >= end) return 0;
    if (load<u8>(p) == QUOTE && load<u8>(p, 1) != QUOTE) return p + 1;
    p += 2;
  }
  return 0;
}

@inline function passBlanks(p: usize, end: usize): usize {
  while (p < end && load<u8>(KINDS + load<u8>(p)) == Kind.BLANK) p++;
  return p;
}
