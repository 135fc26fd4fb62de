/** The names of entries. */
import { isUtf8 } from 'node:buffer';
import { crc32 } from 'node:zlib';
import * as android from '@utf8/mutf8/android/lite';

/** Bytes 80 to FF of code page 437, the encoding of names without the UTF-8 flag. APPNOTE.TXT D.1. */
const HIGH =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0';

/** Flag of names in UTF-8. APPNOTE.TXT 4.4.4. */
const IS_UTF8 = 1 << 11;
/** The extra field with a name in UTF-8, and the CRC-32 of the name that it replaces. APPNOTE.TXT 4.6.9. */
const UNICODE_PATH = 0x7075;

/**
 * Decodes the name of an entry. Without the flag of UTF-8, the extra field for Unicode comes first. Whatever the
 * flag says, a name is UTF-8 if possible, as the JDK reads it; then CESU-8 or Modified UTF-8, and code page 437.
 */
export function decodeName(
  bytes: Uint8Array,
  flags: number,
  extra: ReadonlyMap<number, Uint8Array>,
): string {
  const isFlagged = (flags & IS_UTF8) !== 0;
  const field = isFlagged ? undefined : findUnicodePath(bytes, extra);
  return (
    (field && decodeSurely(field)) ??
    decodeSurely(bytes) ??
    (isFlagged ? replaceFaults(bytes) : decode437(bytes))
  );
}

/** Decodes UTF-8, CESU-8 or Modified UTF-8; undefined for other bytes. */
const decodeSurely = (bytes: Uint8Array): string | undefined =>
  isUtf8(bytes) ? Buffer.from(bytes).toString() : decodeSurrogates(bytes);

/** Returns the content of the extra field for Unicode if it belongs to the name. */
function findUnicodePath(
  name: Uint8Array,
  extra: ReadonlyMap<number, Uint8Array>,
): Uint8Array | undefined {
  const field = extra.get(UNICODE_PATH);
  if (!field || field.length < 5 || field[0] !== 1) return undefined;
  const view = new DataView(field.buffer, field.byteOffset, field.length);
  return view.getUint32(1, true) === crc32(name) ? field.subarray(5) : undefined;
}

/** Decodes CESU-8, Modified UTF-8, and mixtures of these with UTF-8. Returns undefined for other bytes. */
function decodeSurrogates(bytes: Uint8Array): string | undefined {
  return splitAtNul(bytes).every(android.isValid) ? replaceFaults(bytes) : undefined;
}

const replaceFaults = (bytes: Uint8Array): string =>
  splitAtNul(bytes)
    .map((part) => android.decode(part, { errors: 'replace' }))
    .join('\0');

/** Splits bytes at 00, which CESU-8 contains and Modified UTF-8 does not. */
function splitAtNul(bytes: Uint8Array): Uint8Array[] {
  const parts: Uint8Array[] = [];
  let start = 0;
  for (let end = bytes.indexOf(0); end >= 0; end = bytes.indexOf(0, start)) {
    parts.push(bytes.subarray(start, end));
    start = end + 1;
  }
  return [...parts, bytes.subarray(start)];
}

function decode437(bytes: Uint8Array): string {
  let name = '';
  for (const byte of bytes) name += byte < 0x80 ? String.fromCharCode(byte) : HIGH[byte - 0x80];
  return name;
}

/** Number of sets: one has room for 2^24 hashes. */
const SETS = 256;

/** Paths of the entries in a file: no two are the same. Stores a hash of each. */
export class Paths {
  readonly #sets = Array.from({ length: SETS }, () => new Set<number>());
  /** Random, so that no archive can be crafted with colliding hashes. */
  readonly #seed = Math.floor(Math.random() * 2 ** 32);

  /**
   * Returns a path for an entry: the given one, or, if another entry has it, one with a number.
   *
   * @param number - The number of the entry in its archive, from 1.
   */
  add(path: string, number: number): string {
    let unique = path;
    while (!this.#take(unique)) unique += ` (entry ${number})`;
    return unique;
  }

  /** Adds a path; returns false if it was added before. */
  #take(path: string): boolean {
    let [one, other] = [this.#seed, ~this.#seed];
    for (let i = 0; i < path.length; i++) {
      const unit = path.charCodeAt(i);
      one = Math.imul(one ^ unit, 0x9e3779b1);
      one ^= one >>> 15;
      other = Math.imul(other ^ unit, 0x5f356495);
      other ^= other >>> 13;
    }
    const set = this.#sets[one & (SETS - 1)] as Set<number>;
    // 45 bits, which a double stores exactly, in addition to the eight of the set.
    const hash = (one >>> 11) * 2 ** 32 + (other >>> 0);
    const { size } = set;
    return set.add(hash).size > size;
  }
}
