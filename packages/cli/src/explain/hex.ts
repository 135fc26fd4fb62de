import { UsageError } from '../option/usage-error.js';

/** Bytes in one word, each as `ED`, `0xED`, `\xED` or `%ED`. */
const WORD = /^(?:(?:0x|\\x|%)?[\da-f]{2})+$/i;

/** Reads bytes in hex, separated by spaces, commas or nothing. */
export function parseHex(text: string): Uint8Array {
  const words = text.split(/[\s,]+/).filter((word) => word !== '');
  const odd = words.find((word) => !WORD.test(word));
  if (odd === undefined && words.length > 0) {
    return Buffer.from(words.join('').replace(/0x|\\x|%/gi, ''), 'hex');
  }
  const expected = 'expected bytes of two hex digits each, as in "ED A0 BD"';
  throw new UsageError(`--hex ${JSON.stringify(odd ?? text)}: ${expected}`);
}
