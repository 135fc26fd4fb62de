/** Where strings and comments end: what the databases have in common. */
import { BACKSLASH, LF } from '../ascii.js';

/**
 * Passes a string that ends with the quote that it begins with, and has it doubled within.
 *
 * @returns The index behind it; -1 where it does not end.
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

/** Passes a string in which a backslash escapes, too. */
export function passEscaped(bytes: Buffer, start: number): number {
  const { length } = bytes;
  const quote = bytes[start];
  let i = start + 1;
  while (i < length) {
    const byte = bytes[i++];
    if (byte === BACKSLASH) i++;
    else if (byte === quote) {
      if (bytes[i] !== quote) return i;
      i++;
    }
  }
  return -1;
}

/** Passes the rest of a line; without a line feed all that there is. */
export function passLine(bytes: Buffer, start: number): number {
  const feed = bytes.indexOf(LF, start);
  return feed === -1 ? bytes.length : feed + 1;
}
