/**
 * Strings of Kryo 4 and 5. Short ASCII has no length: the highest bit of its last byte ends it. Else that bit
 * begins a length, which is one more than the code units: six bits in the first byte, then seven.
 */
import * as lenient from '@utf8/cesu8/lenient';
import { encodeUnits, readUnits, type TextFrame } from '@utf8/mutf8/framing';

const MARK = 0x80;
const MORE = 0x40;

/** `mostAscii` is 63 in Kryo 4, and 32 in Kryo 5. */
export function writeKryo(text: string, mostAscii: number): Uint8Array {
  const { bytes, units } = encodeUnits(text, { codec: lenient });
  if (units > 1 && units <= mostAscii && bytes.length === units) {
    bytes[units - 1] = (bytes[units - 1] as number) | MARK;
    return bytes;
  }
  let rest = units + 1;
  const header = [(rest % MORE) | MARK | (rest >= MORE ? MORE : 0)];
  rest = Math.floor(rest / MORE);
  while (rest > 0) {
    header.push((rest & 0x7f) | (rest > 0x7f ? MARK : 0));
    rest >>= 7;
  }
  return Buffer.concat([Uint8Array.from(header), units === 0 ? new Uint8Array() : bytes]);
}

export function readKryo(bytes: Uint8Array, offset: number): TextFrame {
  const first = bytes[offset] as number;
  if (first < MARK) {
    const next = bytes.findIndex((byte, i) => i >= offset && byte >= MARK) + 1;
    if (next === 0) throw new RangeError('no end');
    const text = Buffer.from(bytes.subarray(offset, next).map((byte) => byte & 0x7f));
    return { text: text.toString('latin1'), next };
  }
  let length = first & 0x3f;
  let at = offset + 1;
  for (let shift = 6, more = (first & MORE) > 0; more; shift += 7) {
    const byte = bytes[at++];
    if (byte === undefined) throw new RangeError('no end');
    length += (byte & 0x7f) * 2 ** shift;
    more = byte >= MARK && shift < 27;
  }
  if (!(length > 0)) throw new RangeError('null');
  return readUnits(bytes, at, length - 1, { codec: lenient });
}
