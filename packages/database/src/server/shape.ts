/**
 * Tells whether all bytes above 7F belong to sequences of UTF-8, CESU-8 or Modified UTF-8. In columns that
 * are declared in another character set, such as latin1, only such text counts as UTF-8; all other text is
 * in the declared character set.
 */
export function hasShapeOfUtf8(bytes: Uint8Array): boolean {
  let trails = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number;
    if (trails > 0) {
      if (byte < 0x80 || byte > 0xbf) return false;
      trails--;
    } else if (byte >= 0x80) {
      if (byte === 0xc0 ? bytes[i + 1] !== 0x80 : byte < 0xc2 || byte > 0xf4) return false;
      trails = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
    }
  }
  return trails === 0;
}
