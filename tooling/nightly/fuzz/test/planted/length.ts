/** A reader of frames that is off by one where the high byte of a length is not 0. */
import {
  encodeUTF,
  type FrameOptions,
  readUTF,
  type TextFrame,
  writeUTF,
} from '@utf8/mutf8/framing';
import { compose } from '../../src/input.js';
import type { Target } from '../../src/target.js';
import { checkWriting } from '../../src/targets/framing.js';

function read(bytes: Uint8Array, offset: number, options: FrameOptions): TextFrame {
  const { text, next } = readUTF(bytes, offset, options);
  return { text, next: bytes[offset] === 0 ? next : next - 1 };
}

const frame = { read, write: writeUTF, encode: encodeUTF, isUnique: true, countsUnits: false };

export const target: Target = {
  title: 'a reader with a fault',
  maxLength: 600,
  *seeds() {
    yield compose('a\0b\0', 0, 0, 0, 0, 0, 0);
  },
  run(input) {
    checkWriting(frame, input);
  },
};
