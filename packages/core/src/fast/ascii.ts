/**
 * Loops over ASCII at the start of a window, four characters at a time: half the time of general loops. Within
 * those, they would slow down all other characters by a third (Node 20 and 26). U+0000 counts as ASCII only if
 * `first`, the first code point of the identity row, is 0.
 */
import type { CodeUnits } from './loops.js';

/** Tells whether four code units are ASCII. Less 1, U+0000 has all high bits. */
const areAscii = (a: number, b: number, c: number, d: number, first: number): boolean =>
  ((a | b | c | d | (a - first) | (b - first) | (c - first) | (d - first)) & ~0b111_1111) === 0;

/** Returns an index up to which `source[from..to)` is ASCII. */
export function skipAscii(source: Uint8Array, from: number, to: number, first: number): number {
  let i = from;
  for (; i + 4 <= to; i += 4) {
    const a = source[i] as number;
    const b = source[i + 1] as number;
    const c = source[i + 2] as number;
    const d = source[i + 3] as number;
    if (!areAscii(a, b, c, d, first)) break;
  }
  return i;
}

/** Copies ASCII at the start of `source[from..to)` to `target[at..]`, and returns an index up to which it did. */
export function decodeAscii(
  source: Uint8Array,
  from: number,
  to: number,
  first: number,
  target: CodeUnits,
  at: number,
): number {
  let i = from;
  for (; i + 4 <= to; i += 4) {
    const a = source[i] as number;
    const b = source[i + 1] as number;
    const c = source[i + 2] as number;
    const d = source[i + 3] as number;
    if (!areAscii(a, b, c, d, first)) break;
    target[at] = a;
    target[at + 1] = b;
    target[at + 2] = c;
    target[at + 3] = d;
    at += 4;
  }
  return i;
}

/** Copies ASCII at the start of `text[from..to)` to `target[at..]`, and returns the index at which it stopped. */
export function encodeAscii(
  text: string,
  from: number,
  to: number,
  first: number,
  target: Uint8Array,
  at: number,
): number {
  let i = from;
  for (; i + 4 <= to; i += 4) {
    const a = text.charCodeAt(i);
    const b = text.charCodeAt(i + 1);
    const c = text.charCodeAt(i + 2);
    const d = text.charCodeAt(i + 3);
    if (!areAscii(a, b, c, d, first)) break;
    target[at] = a;
    target[at + 1] = b;
    target[at + 2] = c;
    target[at + 3] = d;
    at += 4;
  }
  for (; i < to; i++) {
    const one = text.charCodeAt(i);
    if (one > 0x7f || one < first) break;
    target[at++] = one;
  }
  return i;
}
