/** The names of entries. */
import { isUtf8 } from 'node:buffer';
import { crc32 } from 'node:zlib';

/** Bytes 80 to FF of code page 437, the encoding of names without the UTF-8 flag. APPNOTE.TXT D.1. */
const HIGH =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0';

/** Flag of names in UTF-8. APPNOTE.TXT 4.4.4. */
const IS_UTF8 = 1 << 11;
/** The extra field with a name in UTF-8, and the CRC-32 of the name that it replaces. APPNOTE.TXT 4.6.9. */
const UNICODE_PATH = 0x7075;

/**
 * Decodes the name of an entry: as UTF-8 if possible, whatever its flag says, as the JDK does; otherwise from
 * the extra field for Unicode; otherwise as code page 437.
 */
export function decodeName(
  bytes: Uint8Array,
  flags: number,
  extra: ReadonlyMap<number, Uint8Array>,
): string {
  const raw = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (isUtf8(raw) || flags & IS_UTF8) return raw.toString();
  const field = extra.get(UNICODE_PATH);
  if (field && field.length >= 5 && field[0] === 1) {
    const view = new DataView(field.buffer, field.byteOffset, field.length);
    if (view.getUint32(1, true) === crc32(raw)) return Buffer.from(field.subarray(5)).toString();
  }
  let name = '';
  for (const byte of raw) name += byte < 0x80 ? String.fromCharCode(byte) : HIGH[byte - 0x80];
  return name;
}
