/** Strings of Hessian 2: a tag with the length in code units, or chunks. */
import * as lenient from '@utf8/cesu8/lenient';
import { encodeUTF, readUTF, type TextFrame, type UTFOptions } from '@utf8/mutf8/framing';

const short: UTFOptions = { codec: lenient, length: 1, lengthIn: 'units' };
const long: UTFOptions = { codec: lenient, length: 2, lengthIn: 'units' };

/** Most code units of a chunk that is not the last; it never ends within a pair. */
const CHUNK = 0x8000;
/** Largest length that the tag contains, and its two high bits. */
const TINY = 31;
const SMALL = 1023;
const SMALL_TAG = 0x30;

export function writeHessian(text: string): Uint8Array {
  const pieces: Uint8Array[] = [];
  let rest = text;
  while (rest.length > CHUNK) {
    const last = rest.charCodeAt(CHUNK - 1);
    const size = last >= 0xd800 && last <= 0xdbff ? CHUNK - 1 : CHUNK;
    pieces.push(Buffer.from('R'), encodeUTF(rest.slice(0, size), long));
    rest = rest.slice(size);
  }
  if (rest.length <= TINY) pieces.push(encodeUTF(rest, short));
  else {
    const frame = encodeUTF(rest, long);
    if (rest.length <= SMALL) frame[0] = (frame[0] as number) + SMALL_TAG;
    else pieces.push(Buffer.from('S'));
    pieces.push(frame);
  }
  return Buffer.concat(pieces);
}

export function readHessian(bytes: Uint8Array, offset: number): TextFrame {
  const tag = bytes[offset] as number;
  if (tag <= TINY) return readUTF(bytes, offset, short);
  if (tag >= SMALL_TAG && tag <= SMALL_TAG + 3) {
    const copy = bytes.slice(offset);
    copy[0] = tag - SMALL_TAG;
    const { text, next } = readUTF(copy, 0, long);
    return { text, next: offset + next };
  }
  if (tag === 0x53) return readUTF(bytes, offset + 1, long);
  if (tag !== 0x52) throw new RangeError(`no string: ${tag}`);
  const first = readUTF(bytes, offset + 1, long);
  const rest = readHessian(bytes, first.next);
  return { text: first.text + rest.text, next: rest.next };
}
