/** Bytes as people write them down. */
import { UsageFailure } from './failure.js';

/** One byte, as `ED`, `0xED`, `\xED` or `%ED`. */
const BYTE = /(?:0x|\\x|%)?([\da-f]{2})/gi;

/** Several in one word. */
const WORD = /^(?:(?:0x|\\x|%)?[\da-f]{2})+$/i;

/**
 * Reads bytes in hex, with spaces, commas or nothing between them.
 *
 * @throws {@link UsageFailure} where there are none, or something else.
 */
export function parseHex(text: string): Uint8Array {
  const words = text.split(/[\s,]+/).filter((word) => word !== '');
  const odd = words.find((word) => !WORD.test(word));
  if (odd !== undefined || words.length === 0) {
    throw new UsageFailure(
      `--hex takes bytes of two hex digits each, as in "ED A0 BD", not ${JSON.stringify(odd ?? text)}`,
    );
  }
  const digits = words.flatMap((word) => Array.from(word.matchAll(BYTE), ([, byte = '']) => byte));
  return Uint8Array.from(digits, (byte) => Number.parseInt(byte, 16));
}
