/**
 * Drives what a kernel does with UTF-16 code units, as `bytes.ts` does for bytes: which of them can be
 * encoded, and what they become.
 */
import { setRows, writeBytes } from './rows';

export { WRITTEN } from './rows';

/** Encodes `n` code units at `p`, and returns how many bytes they became. */
@external('kernel', 'encode') declare function encode(p: usize, n: usize, o: usize): usize;
/** Returns how many of `n` code units come before the first that cannot be encoded. */
@external('kernel', 'encodable') declare function encodable(p: usize, n: usize): usize;

let input: usize = 0;
let output: usize = 0;
/** True if all code units can be encoded: then there is no `encodable`. */
let isTotal: bool = false;

/** The first error: its kind, its place in code units, their number, the kernel's answer and the expected one. */
export const WRONG: usize = memory.data(4 * 5);
/** The code units that were tried then. */
export const TRIED: usize = memory.data(16);

export enum Kind {
  ENCODABLE = 4,
  ENCODED = 5,
}

/** Code units to try, and a space after them. */
const STRING: usize = memory.data(64);
const EXPECTED: usize = memory.data(128);

export function configure(i: usize, o: usize, total: bool, written: usize): void {
  input = i;
  output = o;
  isTotal = total;
  setRows(0, 0, written);
}

/** Results of {@link write}: the number of code units that can be encoded, and of the resulting bytes. */
let limit: usize = 0;
let length: usize = 0;

@inline function isHigh(unit: u32): bool {
  return unit >= 0xd800 && unit <= 0xdbff;
}
@inline function isLow(unit: u32): bool {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** Writes `n` code units by the rows: a pair as a character if there is a row for it, otherwise each alone. */
function write(p: usize, n: usize): void {
  let o = EXPECTED;
  let i: usize = 0;
  while (i < n) {
    const unit = <u32>load<u16>(p + 2 * i);
    const next = i + 1 < n ? <u32>load<u16>(p + 2 * i, 2) : 0;
    if (isHigh(unit) && isLow(next)) {
      const written = writeBytes(0x10000 + (unit - 0xd800) * 0x400 + (next - 0xdc00), o);
      if (written) {
        o = written;
        i += 2;
        continue;
      }
    }
    const written = writeBytes(unit, o);
    if (!written) break;
    o = written;
    i++;
  }
  limit = i;
  length = o - EXPECTED;
}

let filler: u16 = 0x20;
let filledSize: usize = 1;
const FILLED: usize = memory.data(4);

/** Fills the input with one character. */
function fill(character: u16, units: usize): void {
  filler = character;
  store<u16>(STRING, character);
  write(STRING, 1);
  memory.copy(FILLED, EXPECTED, 4);
  filledSize = length;
  for (let i: usize = 0; i < units; i++) store<u16>(input + 2 * i, character);
}

function fail(kind: Kind, size: usize, at: usize, n: usize, said: usize, expected: usize): void {
  if (load<u32>(WRONG)) return;
  store<u32>(WRONG, kind);
  store<u32>(WRONG, <u32>at, 4);
  store<u32>(WRONG, <u32>n, 8);
  store<u32>(WRONG, <u32>said, 12);
  store<u32>(WRONG, <u32>expected, 16);
  memory.copy(TRIED, STRING, 2 * size);
}

/** Tries the code units in {@link STRING} at a place, with `after` fillers after them. */
function check(size: usize, at: usize, after: usize): bool {
  memory.copy(input + 2 * at, STRING, 2 * size);
  if (after) store<u16>(STRING + 2 * size, filler);
  write(STRING, size + (after ? 1 : 0));
  const isAll = limit >= size;
  if (limit > size) length -= filledSize;
  const n = at + size + after;
  const expected = isAll ? n : at + limit;
  let said = n;
  if (!isTotal) {
    // Units after the end do not count, but are overwritten.
    const kept = load<u64>(input + 2 * n);
    said = encodable(input, n);
    store<u64>(input + 2 * n, kept);
  }
  if (said != expected) {
    fail(Kind.ENCODABLE, size, at, n, said, expected);
    return false;
  }
  const end = input + 2 * said;
  const kept = v128.load(end);
  const keptNext = v128.load(end, 16);
  const written = encode(input, said, output);
  v128.store(end, kept);
  v128.store(end, keptNext, 16);
  const before = at * filledSize;
  const all = before + length + (isAll ? after * filledSize : 0);
  if (written != all || !isEncoded(before, at, isAll && after > 0)) {
    fail(Kind.ENCODED, size, at, n, written, all);
    return false;
  }
  return true;
}

function isEncoded(before: usize, at: usize, goesOn: bool): bool {
  const o = output + before;
  if (memory.compare(o, EXPECTED, length)) return false;
  if (at && memory.compare(o - filledSize, FILLED, filledSize)) return false;
  return !goesOn || !memory.compare(o + length, FILLED, filledSize);
}

/** Puts fillers back where a string was. */
@inline function clear(size: usize, at: usize): void {
  for (let i: usize = 0; i < size; i++) store<u16>(input + 2 * (at + i), filler);
}

/**
 * Tries every code unit, among fillers, at the places `from` to `to`, and as the last one.
 *
 * @returns How many were wrong.
 */
export function units(character: u16, from: usize, to: usize): u32 {
  let wrong: u32 = 0;
  fill(character, 160);
  for (let at = from; at < to; at++) {
    for (let unit: u32 = 0; unit < 0x10000; unit++) {
      store<u16>(STRING, unit);
      if (!check(1, at, 40)) wrong++;
      if (!check(1, at, 0)) wrong++;
    }
    clear(1, at);
  }
  return wrong;
}

/**
 * Tries all pairs of code units whose first is from `first` up to `last`, among fillers: at one of 16 places
 * that differs from pair to pair, or, if `places` is not 0, at so many.
 *
 * @returns How many were wrong.
 */
export function pairs(first: u32, last: u32, character: u16, places: usize): u32 {
  let wrong: u32 = 0;
  fill(character, 160);
  for (let unit = first; unit <= last; unit++) {
    for (let next: u32 = 0; next < 0x10000; next++) {
      store<u32>(STRING, unit | (next << 16));
      const turn = <usize>((unit * 0x9e3779b1 + next * 0x85ebca6b) >> 24);
      const from: usize = places ? 0 : turn & 31;
      const to: usize = places ? places : from + 1;
      for (let at = from; at < to; at++) {
        if (!check(2, at, 16)) wrong++;
        clear(2, at);
      }
    }
  }
  return wrong;
}

const DIGITS: usize = memory.data(16);
const KINDS: u8 = 6;
let turn: u32 = 1;

/** U+0000, and a code unit of one, two or three bytes, or a high or low surrogate. */
function unitOf(kind: u32): u32 {
  turn = turn * 1664525 + 1013904223;
  const some = turn >> 8;
  if (kind == 0) return 0;
  if (kind == 1) return 1 + (some % 0x7f);
  if (kind == 2) return 0x80 + (some % 0x780);
  if (kind == 3) {
    const unit = 0x800 + (some % 0xf000);
    return unit >= 0xd800 && unit <= 0xdfff ? unit - 0x1000 : unit;
  }
  return (kind == 4 ? 0xd800 : 0xdc00) + (some & 0x3ff);
}

/**
 * Tries all strings of `size` kinds of code units that begin with a kind, with one of each, at the places
 * `from` to `to`.
 *
 * @returns How many were wrong.
 */
export function strings(size: usize, first: u8, character: u16, from: usize, to: usize): u32 {
  let wrong: u32 = 0;
  fill(character, 160);
  for (let at = from; at < to; at++) {
    memory.fill(DIGITS, 0, 16);
    store<u8>(DIGITS, first);
    do {
      for (let i: usize = 0; i < size; i++) {
        store<u16>(STRING + 2 * i, unitOf(load<u8>(DIGITS + i)));
      }
      if (!check(size, at, 16)) wrong++;
      if (!check(size, at, 0)) wrong++;
    } while (step(size) && load<u8>(DIGITS) == first);
    clear(size, at);
  }
  return wrong;
}

/** The next string of kinds; false after the last. */
function step(size: usize): bool {
  for (let i = size; i-- > 0; ) {
    const next = load<u8>(DIGITS + i) + 1;
    if (next < KINDS) {
      store<u8>(DIGITS + i, next);
      return true;
    }
    store<u8>(DIGITS + i, 0);
  }
  return false;
}
