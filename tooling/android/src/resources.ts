/** Chunks of resources put together from numbers, sound or not. */
import { repeat } from './class.js';
import { type Bytes, u4 } from './dex.js';

export const pool = (strings: number, offset: number, data: Buffer, flags = 256): Buffer => {
  const start = 28 + 4 * strings;
  return Buffer.concat([
    Buffer.from(u4(0x1c_0001, start + data.length, strings, 0, flags, start, 0)),
    repeat(u4(offset), strings),
    data,
  ]);
};

export const chunk = (head: number, fields: Bytes, body: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(u4(head, 8 + fields.length + body.length)),
    Buffer.from(fields),
    body,
  ]);
