import { UsageError } from '../option/usage-error.js';

/** One byte, as `ED`, `0xED`, `\xED` or `%ED`. */
const BYTE = /(?:0x|\\x|%)?([\da-f]{2})/gi;

/** Several in one word. */
const WORD = /^(?:(?:0x|\\x|%)?[\da-f]{2})+$/i;

/**
 * Reads bytes in hex, separated by spaces, commas or nothing.
 *
 * @throws {@link UsageError} if there are none, or anything else.
 */
export function parseHex(text: string): Uint8Array {
  const words = text.split(/[\s,]+/).filter((word) => word !== '');
  const odd = words.find((word) => !WORD.test(word));
  if (odd !== undefined || words.length === 0) {
    throw new UsageError(
      `--hex ${JSON.stringify(odd ?? text)}: expected bytes of two hex digits each, as in "ED A0 BD"`,
    );
  }
  const digits = words.flatMap((word) => Array.from(word.matchAll(BYTE), ([, byte = '']) => byte));
  return Uint8Array.from(digits, (byte) => Number.parseInt(byte, 16));
}
