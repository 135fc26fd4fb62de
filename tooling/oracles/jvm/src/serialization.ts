/** A string of Java serialization, alone in a stream. */

import { byteLength } from '@utf8/mutf8';
import * as dataInput from '@utf8/mutf8/data-input';
import {
  encodeLongUTF,
  encodeUTF,
  readLongUTF,
  readUTF,
  type TextFrame,
} from '@utf8/mutf8/framing';

const header = Uint8Array.of(0xac, 0xed, 0x00, 0x05);
const TC_STRING = 0x74;
const TC_LONGSTRING = 0x7c;

export function writeObject(text: string): Uint8Array {
  const isLong = byteLength(text) > 0xffff;
  const frame = isLong ? encodeLongUTF(text) : encodeUTF(text);
  return Buffer.concat([header, Uint8Array.of(isLong ? TC_LONGSTRING : TC_STRING), frame]);
}

export function readObject(bytes: Uint8Array): TextFrame {
  if (Buffer.compare(bytes.subarray(0, 4), header) !== 0) throw new RangeError('no stream');
  const options = { codec: dataInput };
  if (bytes[4] === TC_STRING) return readUTF(bytes, 5, options);
  if (bytes[4] === TC_LONGSTRING) return readLongUTF(bytes, 5, options);
  throw new RangeError('no string');
}
