/** The names of entries. */
import { isUtf8 } from 'node:buffer';
import { crc32 } from 'node:zlib';

/** Bytes 80 to FF of code page 437, in which names are that no flag says are UTF-8. APPNOTE.TXT D.1. */
const HIGH =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0';

/** The flag that says that a name is UTF-8. APPNOTE.TXT 4.4.4. */
const IS_UTF8 = 1 << 11;
/** The extra field with a name in UTF-8, and the CRC-32 of the name that it stands for. APPNOTE.TXT 4.6.9. */
const UNICODE_PATH = 0x7075;

/**
 * The name of an entry: UTF-8 whatever its flag says, as the JDK reads it, or else what an extra field
 * says that it is in Unicode, or else code page 437.
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
