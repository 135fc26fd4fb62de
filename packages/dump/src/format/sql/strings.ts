/** Ends of strings and comments in any database. */
import { BACKSLASH, isEscaped, LF } from '../shared/ascii.js';

/**
 * Passes a string in which its quote is doubled.
 *
 * @returns The index after it; -1 if it does not end.
 */
export function passQuoted(bytes: Buffer, start: number): number {
  const quote = bytes[start] as number;
  let i = start;
  do {
    i = bytes.indexOf(quote, i + 1);
    if (i === -1) return -1;
  } while (bytes[++i] === quote);
  return i;
}

/**
 * Passes a string in which a backslash escapes, too. Only the bytes before each quote are looked at:
 * 1.4 times as fast as a loop over all bytes (Node 20).
 */
export function passEscaped(bytes: Buffer, start: number): number {
  const quote = bytes[start] as number;
  let i = start;
  for (;;) {
    i = bytes.indexOf(quote, i + 1);
    if (i === -1) return -1;
    if (bytes[i - 1] === BACKSLASH && isEscaped(bytes, start + 1, i)) continue;
    if (bytes[++i] !== quote) return i;
  }
}

/** Passes the rest of a line, or of the bytes. */
export function passLine(bytes: Buffer, start: number): number {
  const feed = bytes.indexOf(LF, start);
  return feed === -1 ? bytes.length : feed + 1;
}
