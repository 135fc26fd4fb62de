/** Expected result of the last step of a walk-through for a rejected text, without the code under test. */

/** A pair, an unpaired surrogate, U+0000 in two bytes, and the other faults that are planted. */
const PARTS =
  /\xed[\xa0-\xaf][\x80-\xbf]\xed[\xb0-\xbf][\x80-\xbf]|\xed[\xa0-\xbf][\x80-\xbf]|\xc0\x80|\xc1\x81|[\xfc\xff]|\xe2\x82(?![\x80-\xbf])/g;

/**
 * Returns a text in UTF-8: an unpaired surrogate as `\ud83d`, U+0000 as U+FFFD.
 *
 * @param legacy - What other malformed bytes become, which are characters of ISO 8859-1 here.
 */
export function decide(text: Buffer, legacy: (bytes: string) => string = (bytes) => bytes): Buffer {
  const latin = text.toString('latin1').replace(PARTS, (part) => {
    const units = [...part.matchAll(/\xed([\xa0-\xbf])([\x80-\xbf])/g)].map(
      ([, a = '', b = '']) => 0xd000 | ((a.charCodeAt(0) & 0x3f) << 6) | (b.charCodeAt(0) & 0x3f),
    );
    if (units.length === 1) return `\\u${units[0]?.toString(16)}`;
    const character = part === '\xc0\x80' ? '\ufffd' : legacy(part);
    const result = units.length === 2 ? String.fromCharCode(...units) : character;
    return Buffer.from(result).toString('latin1');
  });
  return Buffer.from(latin, 'latin1');
}

/** Decodes bytes as Windows-1252. Of the planted bytes, only 82 differs in ISO 8859-1. */
export const toWindows1252 = (bytes: string): string => bytes.replaceAll('\x82', '\u201a');

/** Bytes as `\xff`. */
export const toBackslashes = (bytes: string): string =>
  bytes.replace(/./gs, (byte) => `\\x${byte.charCodeAt(0).toString(16)}`);

/** Counts the pairs in some texts. */
export const countPairs = (texts: readonly (Buffer | null)[]): number =>
  texts
    .map((text) => text?.toString('latin1').match(PARTS) ?? [])
    .reduce((sum, parts) => sum + parts.filter(({ length }) => length === 6).length, 0);
