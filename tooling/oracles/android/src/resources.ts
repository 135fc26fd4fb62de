/** Chunks of resources put together from numbers, sound or not. */
import { type Bytes, repeat, u2, u4 } from './dex.js';

/** A pool whose strings are all at one place of the data. */
export const pool = (strings: number, offset: number, data: Buffer, flags = 256): Buffer => {
  const start = 28 + 4 * strings;
  return Buffer.concat([
    Buffer.from(u4(0x1c_0001, start + data.length, strings, 0, flags, start, 0)),
    repeat(u4(offset), strings),
    data,
  ]);
};

/** A chunk: its type and the size of its header, other fields of the header, and its content. */
export const chunk = (head: number, fields: Bytes, body: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(u4(head, 8 + fields.length + body.length)),
    Buffer.from(fields),
    body,
  ]);

/** A table with one type, whose entries share a map of so many items. */
export function assembleSharedMap(count: number, items: number): Buffer {
  const text = pool(1, 0, Buffer.from([1, 1, 0x61, 0]));
  const map = Buffer.concat([
    Buffer.from([...u2(16, 1), ...u4(0, 0, items)]),
    repeat([...u4(1), ...u2(8, 0x0300), ...u4(0)], items),
  ]);
  const type = Buffer.concat([
    Buffer.from(u4(0x30_0201, 48 + 4 * count + map.length, 1, count, 48 + 4 * count)),
    Buffer.from(u4(28, 0, 0, 0, 0, 0, 0)),
    repeat(u4(0), count),
    map,
  ]);
  const head = [...u4(0x7f), ...new Array<number>(256).fill(0), ...u4(288, 0, 288, 0, 0)];
  const found = chunk(0x0120_0200, head, Buffer.concat([text, type]));
  return chunk(0x0c_0002, u4(1), Buffer.concat([text, found]));
}
