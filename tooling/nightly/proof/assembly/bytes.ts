/**
 * Drives what a kernel does with bytes from a second module in the same memory, and compares what it says
 * with rows: a call from here takes some nanoseconds, so that all words of four bytes can be tried.
 *
 * A kernel's function that accepts (`validate` and the like) is tried together with the one that converts
 * what was accepted. What they should say is read from the rows by {@link read}, which is deliberately
 * dull: it scans rows and nothing else. The host writes the rows, the classes of bytes and the options
 * into the tables below, and calls {@link words}, {@link places}, {@link strings} or {@link alike}.
 */

import {
  codePointOf,
  countMatches,
  READ,
  REFUSED,
  ROW,
  readRows,
  refusedRows,
  setRows,
  writeBytes,
  writeUnits,
} from './rows';

export { READ, REFUSED, WRITTEN } from './rows';

/** Returns how many of `n` bytes at `p` are surely well-formed. */
@external('kernel', 'accept') declare function accept(p: usize, n: usize): usize;
/** Converts `n` well-formed bytes, and returns how many bytes or code units they became. */
@external('kernel', 'convert') declare function convert(p: usize, n: usize, o: usize): usize;

/** Offsets of the kernel's input and output in memory. */
let input: usize = 0;
let output: usize = 0;
/** True if the kernel converts to UTF-16, and not to the bytes of the rows that write. */
let toUnits: bool = true;

/** All bytes, class by class, and where each class begins. */
export const MEMBERS: usize = memory.data(256);
export const STARTS: usize = memory.data(257);
let classes: i32 = 0;

/** The first error: its kind, its place, the number of bytes, the kernel's answer, and up to which byte. */
export const WRONG: usize = memory.data(4 * 5);
/** The bytes that were tried then. */
export const TRIED: usize = memory.data(16);

export enum Kind {
  /** Accepted more than the rows do, or up to no boundary. */
  UNSOUND = 1,
  /** Refused, or held back more than it may. */
  SHORT = 2,
  /** Converted to another length, or to something else. */
  CONVERTED = 3,
}

/** Most bytes that a kernel may stop before an error. */
const STRETCH: usize = 24;

/** A string to try, and room for the bytes after it. */
const STRING: usize = memory.data(64);
/** Expected output. */
const EXPECTED: usize = memory.data(128);

export function configure(i: usize, o: usize, units: bool, read: usize, refused: usize, written: usize, k: i32): void {
  input = i;
  output = o;
  toUnits = units;
  setRows(read, refused, written);
  classes = k;
}

/** Results of {@link read}: the number of well-formed bytes, the boundaries of characters, and the output. */
let limit: usize = 0;
let boundaries: u64 = 0;
let length: usize = 0;
/** True if the bytes after them could continue. */
let isUnfinished: bool = false;

/** Reads `n` bytes by the rows, up to the first that is not well-formed; and writes what those before it become. */
function read(p: usize, n: usize): void {
  const end = p + n;
  let at = p;
  let previous = p;
  let o = EXPECTED;
  boundaries = 1;
  isUnfinished = false;
  while (at < end) {
    let found: usize = 0;
    let isPrefix = false;
    for (let row = READ; row < readRows; row += ROW) {
      const count = countMatches(row, at, end);
      if (count == load<u8>(row)) found = row;
      else if (at + count == end && !isHopeless(row, previous, at, end)) isPrefix = true;
    }
    for (let row = REFUSED; row < refusedRows; row += ROW) {
      if (countMatches(row, at, end) == load<u8>(row)) found = 0;
    }
    if (!found) {
      isUnfinished = isPrefix;
      break;
    }
    const codePoint = codePointOf(found, at);
    o = toUnits ? writeUnits(codePoint, o) : writeBytes(codePoint, o);
    previous = at;
    at += load<u8>(found);
    boundaries |= <u64>1 << (at - p);
  }
  limit = at - p;
  length = o - EXPECTED;
}

/**
 * Tells whether an end that a row could go on from is a fault, because all that the row could become is refused
 * after the character before it: in WTF-8, a high surrogate and two bytes of a low one.
 */
function isHopeless(row: usize, previous: usize, at: usize, end: usize): bool {
  const before = at - previous;
  for (let pair = REFUSED; pair < refusedRows; pair += ROW) {
    const size = <usize>load<u8>(pair);
    if (size != before + load<u8>(row)) continue;
    if (countMatches(pair, previous, end) != end - previous) continue;
    let isCovered = true;
    for (let i = end - previous; i < size; i++) {
      const own = row + i - before;
      if (load<u8>(own, 1) < load<u8>(pair + i, 1) || load<u8>(own, 9) > load<u8>(pair + i, 9)) {
        isCovered = false;
      }
    }
    if (isCovered) return true;
  }
  return false;
}

function fail(kind: Kind, string: usize, size: usize, at: usize, n: usize, said: usize): void {
  if (load<u32>(WRONG)) return;
  store<u32>(WRONG, kind);
  store<u32>(WRONG, <u32>at, 4);
  store<u32>(WRONG, <u32>n, 8);
  store<u32>(WRONG, <u32>said, 12);
  store<u32>(WRONG, <u32>(at + limit), 16);
  memory.copy(TRIED, string, size);
}

/** Character before and after a string, repeated: one, two or three bytes. */
let filler: u32 = 0x20;
let fillerSize: usize = 1;
/** Size of its output, in bytes. */
let filledSize: usize = 0;
const FILLED: usize = memory.data(8);

/** Fills `n` bytes of input so that whole characters end before `at`, where a string goes, and begin after it. */
function fill(character: u32, size: usize, at: usize, string: usize, n: usize): void {
  filler = character;
  fillerSize = size;
  // At the start spaces, where a character has no room.
  const start = at % size;
  memory.fill(input, 0x20, start);
  for (let i = start; i < at; i += size) put(input + i);
  for (let i = at + string; i < n; i += size) put(input + i);
  store<u32>(STRING, character);
  read(STRING, size);
  memory.copy(FILLED, EXPECTED, length);
  filledSize = length;
}

@inline function put(p: usize): void {
  store<u8>(p, <u8>filler);
  if (fillerSize > 1) store<u8>(p, <u8>(filler >> 8), 1);
  if (fillerSize > 2) store<u8>(p, <u8>(filler >> 16), 2);
}

/** Returns the size of the output for the input before a place, in bytes: `at`, or a boundary before it. */
function lengthBefore(place: usize, at: usize): usize {
  const spaces = at % fillerSize;
  if (place <= spaces) return place << (toUnits ? 1 : 0);
  return (spaces << (toUnits ? 1 : 0)) + ((place - spaces) / fillerSize) * filledSize;
}

/**
 * Returns the number of bytes that may be held back: a high surrogate, whose partner would be refused, and a
 * character before it.
 */
@inline function heldBack(): usize {
  return refusedRows > REFUSED ? 7 : 0;
}

/**
 * Compares what the kernel says about `n` bytes, of which a string of `size` stands at `at`, with what
 * {@link read} found: false if it is wrong.
 */
@inline function check(at: usize, size: usize, n: usize, string: usize): bool {
  const said = accept(input, n);
  const isClean = limit >= size;
  if (isClean) {
    // Of an end whose partner may come the kernel leaves the last character.
    const held: usize = at + size + 3 >= n ? heldBack() : 0;
    if (said + held < n || said > n) {
      fail(Kind.SHORT, string, size, at, n, said);
      return false;
    }
    if (!isBoundary(said, at, size)) {
      fail(Kind.UNSOUND, string, size, at, n, said);
      return false;
    }
  } else {
    const most = at + limit;
    if (said > most || !isBoundary(said, at, size)) {
      fail(Kind.UNSOUND, string, size, at, n, said);
      return false;
    }
    let stretch: usize = isUnfinished && at + size == n ? heldBack() : STRETCH;
    // So may the character before an end that begins before the last block of 64.
    if (stretch < STRETCH && most >> 6 != (n - 1) >> 6) stretch = 7;
    if (said + stretch < most) {
      fail(Kind.SHORT, string, size, at, n, said);
      return false;
    }
    // Nothing of the string was accepted, and the rest is tried often enough.
    if (said <= at) return true;
  }
  // The byte after the end may be overwritten.
  const next = load<u8>(input + said);
  const written = convert(input, said, output) << (toUnits ? 1 : 0);
  store<u8>(input + said, next);
  if (!isConverted(at, size, said, written)) {
    fail(Kind.CONVERTED, string, size, at, n, said);
    return false;
  }
  return true;
}

/** Tells whether a character ends here, or begins. */
@inline function isBoundary(place: usize, at: usize, size: usize): bool {
  if (place < at) return place < at % fillerSize || (at - place) % fillerSize == 0;
  if (place > at + size) return (place - at - size) % fillerSize == 0;
  return <bool>((boundaries >> (place - at)) & 1);
}

/** Tells whether the output is the one that {@link read} expects, with the filler before and after it. */
@inline function isConverted(at: usize, size: usize, said: usize, written: usize): bool {
  if (said < at) return written == lengthBefore(said, at);
  const before = lengthBefore(at, at);
  let own = length;
  if (said < at + size) {
    // Accepted in part: then the output is a prefix of the expected one.
    if (written < before || written - before > length) return false;
    own = written - before;
  } else if (written != before + own + ((said - at - size) / fillerSize) * filledSize) return false;
  const o = output + before;
  for (let i: usize = 0; i + 8 <= own; i += 8) {
    if (load<u64>(o + i) != load<u64>(EXPECTED + i)) return false;
  }
  for (let i = own & ~7; i < own; i++) {
    if (load<u8>(o + i) != load<u8>(EXPECTED + i)) return false;
  }
  // One character on either side, which the string could have spoiled.
  if (at >= fillerSize + at % fillerSize && !isFilled(o - filledSize)) return false;
  return said < at + size + fillerSize || isFilled(o + own);
}

@inline function isFilled(o: usize): bool {
  for (let i: usize = 0; i < filledSize; i++) {
    if (load<u8>(o + i) != load<u8>(FILLED + i)) return false;
  }
  return true;
}

/**
 * Tries the 2^24 words of four bytes that begin with a byte: with spaces around them at each of the first
 * `lanes` places of one of the four vectors in a block, which one differs from word to word, and so that the
 * word ends the input, at one place.
 *
 * @returns How many were wrong.
 */
export function words(lead: u32, lanes: usize): u32 {
  let wrong: u32 = 0;
  fill(0x20, 1, 0, 0, 192);
  for (let rest: u32 = 0; rest < 1 << 24; rest++) {
    // The second byte varies slowest: in memory the first byte is the lowest.
    const word = lead | (bswap(rest) & 0xffffff00);
    const hash = word * 0x9e3779b1;
    const vector = <usize>(hash >> 30) << 4;
    store<u64>(STRING, 0x20202020_00000000 | <u64>word);
    read(STRING, 8);
    // The four spaces are not part of the word.
    const spaces: usize = limit == 8 ? 4 : 0;
    limit -= spaces;
    length -= spaces << (toUnits ? 1 : 0);
    for (let lane: usize = 0; lane < lanes; lane++) {
      const at = vector + lane;
      store<u32>(input + at, word);
      if (!check(at, 4, at > 60 ? 80 : 64, STRING)) wrong++;
      store<u32>(input + at, 0x20202020);
    }
    const at = <usize>(hash >> 24) & 63;
    read(STRING, 4);
    store<u32>(input + at, word);
    if (!check(at, 4, at + 4, STRING)) wrong++;
    store<u32>(input + at, 0x20202020);
  }
  return wrong;
}

/** Counter that selects another byte of a class each time. */
let turn: u32 = 1;

@inline function memberOf(k: i32): u8 {
  const start = <u32>load<u8>(STARTS + k);
  // The last class ends at 256, which is not a byte.
  const end: u32 = k + 1 == classes ? 256 : load<u8>(STARTS + k + 1);
  turn = turn * 1664525 + 1013904223;
  return load<u8>(MEMBERS + start + ((turn >> 8) % (end - start)));
}

/** Sets the filler around a string: 0 a space, 1 C3 A9, 2 E4 B8 AD. */
@inline function fillWith(kind: i32, at: usize, size: usize): void {
  const character = kind == 0 ? 0x20 : kind == 1 ? 0xa9c3 : 0xadb8e4;
  fill(character, kind + 1, at, size, at + size + 256);
}

/** Tries the bytes in {@link STRING} at a place: within a full block of 64, within the last one, and as its end. */
@inline function tryString(at: usize, size: usize): u32 {
  memory.copy(input + at, STRING, size);
  const after = fillerSize * 12;
  const block = fillerSize * 64;
  // One character after it shows whether it continues.
  memory.copy(STRING + size, input + at + size, fillerSize);
  read(STRING, size + fillerSize);
  let wrong: u32 = 0;
  if (limit == size + fillerSize) {
    limit = size;
    length -= filledSize;
  }
  // A sequence that takes the filler in has no place here, since no filler begins with a trail.
  if (!check(at, size, at + size + after, STRING)) wrong++;
  if (!check(at, size, at + size + block, STRING)) wrong++;
  read(STRING, size);
  if (!check(at, size, at + size, STRING)) wrong++;
  return wrong;
}

/** Input that the host passes to {@link places}. */
export const GIVEN: usize = memory.data(16);

/** Tries the bytes in {@link GIVEN} at the places `from` to `to`, and returns how many were wrong. */
export function places(size: usize, from: usize, to: usize, kind: i32): u32 {
  let wrong: u32 = 0;
  for (let at = from; at < to; at++) {
    fillWith(kind, at, size);
    memory.copy(STRING, GIVEN, size);
    wrong += tryString(at, size);
  }
  return wrong;
}

const DIGITS: usize = memory.data(16);

/** The next string of classes; false after the last. */
function step(size: usize): bool {
  for (let i = size; i-- > 0; ) {
    const next = load<u8>(DIGITS + i) + 1;
    if (<i32>next < classes) {
      store<u8>(DIGITS + i, next);
      return true;
    }
    store<u8>(DIGITS + i, 0);
  }
  return false;
}

/**
 * Tries all strings of `size` classes whose first is `first`, with one byte of each class, at the places
 * `from` to `to`, within characters of one, two or three bytes.
 *
 * @returns How many were wrong.
 */
export function strings(size: usize, first: u8, from: usize, to: usize, kind: i32): u32 {
  let wrong: u32 = 0;
  for (let at = from; at < to; at++) {
    fillWith(kind, at, size);
    memory.fill(DIGITS, 0, 16);
    store<u8>(DIGITS, first);
    do {
      for (let i: usize = 0; i < size; i++) store<u8>(STRING + i, memberOf(load<u8>(DIGITS + i)));
      wrong += tryString(at, size);
    } while (step(size) && load<u8>(DIGITS) == first);
  }
  return wrong;
}

/**
 * Tries all strings of `size` classes whose first is `first` with every byte of one class after the
 * other, and the first byte of the other classes.
 *
 * @returns How many were wrong.
 */
export function alike(size: usize, first: u8, at: usize): u32 {
  let wrong: u32 = 0;
  fillWith(0, at, size);
  memory.fill(DIGITS, 0, 16);
  store<u8>(DIGITS, first);
  do {
    for (let i: usize = 0; i < size; i++) {
      store<u8>(STRING + i, load<u8>(MEMBERS + load<u8>(STARTS + load<u8>(DIGITS + i))));
    }
    for (let i: usize = 0; i < size; i++) {
      const k = <i32>load<u8>(DIGITS + i);
      const own = load<u8>(STRING + i);
      const end: u32 = k + 1 == classes ? 256 : load<u8>(STARTS + k + 1);
      for (let member = <u32>load<u8>(STARTS + k); member < end; member++) {
        store<u8>(STRING + i, load<u8>(MEMBERS + member));
        wrong += tryString(at, size);
      }
      store<u8>(STRING + i, own);
    }
  } while (step(size) && load<u8>(DIGITS) == first);
  return wrong;
}
