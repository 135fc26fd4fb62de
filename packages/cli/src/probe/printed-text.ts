/** Decoder for the output of a program, to code points. */
import { RAW } from '@utf8/vectors/probe';

export const printForms = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'utf-32le',
  'utf-32be',
  'json',
] as const;

export type PrintForm = (typeof printForms)[number];

/** Returns the number of bytes that a lead announces, up to the longest sequences of Perl. */
const announced = (lead: number): number =>
  lead < 0xc0 ? 1 : lead < 0xfe ? Math.clz32(~(lead << 24)) : lead === 0xfe ? 7 : 13;

/** Reads all that anyone calls UTF-8; a byte that fits nowhere counts as {@link RAW} plus the byte. */
function readLenient(bytes: Uint8Array): number[] {
  const text: number[] = [];
  for (let offset = 0; offset < bytes.length; ) {
    const lead = bytes[offset] as number;
    const length = announced(lead);
    const trails = bytes.subarray(offset + 1, offset + length);
    const isWhole =
      lead < 0x80 ||
      (length > 1 &&
        trails.length === length - 1 &&
        trails.every((byte) => (byte & 0xc0) === 0x80));
    if (!isWhole) {
      text.push(RAW + lead);
      offset++;
      continue;
    }
    const first = length === 1 ? lead : length > 6 ? 0 : lead & (0x7f >> length);
    text.push(trails.reduce((value, byte) => value * 0x40 + (byte & 0x3f), first));
    offset += length;
  }
  return text;
}

/** Reads units of two or four bytes. Bytes left at the end count as stray bytes, as in UTF-8. */
function readUnits(bytes: Uint8Array, size: 2 | 4, isLittle: boolean): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = Math.floor(bytes.length / size);
  const units = Array.from({ length: count }, (_, i) =>
    size === 2 ? view.getUint16(2 * i, isLittle) : view.getUint32(4 * i, isLittle),
  );
  return [...units, ...Array.from(bytes.subarray(count * size), (byte) => RAW + byte)];
}

const units: Readonly<Record<string, readonly [2 | 4, boolean]>> = {
  'utf-16le': [2, true],
  'utf-16be': [2, false],
  'utf-32le': [4, true],
  'utf-32be': [4, false],
};

/** Reads the output of a program; undefined if it is not a JSON string. */
export function readPrinted(bytes: Uint8Array, form: PrintForm): number[] | undefined {
  const [size, isLittle] = units[form] ?? [];
  if (size !== undefined) return readUnits(bytes, size, isLittle as boolean);
  if (form === 'utf-8') return readLenient(bytes);
  try {
    const text: unknown = JSON.parse(Buffer.from(bytes).toString());
    if (typeof text !== 'string') return undefined;
    return Array.from(text, (character) => character.codePointAt(0) as number);
  } catch {
    return undefined;
  }
}
