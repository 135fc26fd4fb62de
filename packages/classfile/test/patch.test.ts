/** Numbers in headers, in 32 bits and in 64: archives of 4 GiB take too long to make. */
import { describe, expect, it } from 'vitest';
import {
  alignLocal,
  patchCentral,
  patchEnd,
  patchLargeEnd,
  patchLocal,
  patchLocator,
  RoomError,
  readChecksum,
} from '../src/jar/patch.js';

const FULL = 0xffff_ffff;
const LARGE = 0x12_3456_789a;

/** An extra field. */
function field(id: number, content: Uint8Array): Buffer {
  const bytes = Buffer.alloc(4 + content.length);
  bytes.writeUInt16LE(id, 0);
  bytes.writeUInt16LE(content.length, 2);
  bytes.set(content, 4);
  return bytes;
}

const wide = (...values: number[]): Buffer => {
  const content = Buffer.alloc(8 * values.length);
  for (const [i, value] of values.entries()) content.writeBigUInt64LE(BigInt(value), 8 * i);
  return field(1, content);
};

const name = 'A.class';

interface Header {
  readonly size?: number;
  readonly compressedSize?: number;
  readonly offset?: number;
  readonly extra?: Uint8Array;
}

const common = (bytes: Buffer, at: number, { size = 1, compressedSize = 2, extra }: Header) => {
  bytes.writeUInt32LE(0xabcd, at);
  bytes.writeUInt32LE(compressedSize, at + 4);
  bytes.writeUInt32LE(size, at + 8);
  bytes.writeUInt16LE(name.length, at + 12);
  bytes.writeUInt16LE(extra?.length ?? 0, at + 14);
};

function local(header: Header = {}): Buffer {
  const bytes = Buffer.alloc(30, 0xee);
  common(bytes, 14, header);
  return Buffer.concat([bytes, Buffer.from(name), header.extra ?? Buffer.alloc(0)]);
}

function central(header: Header = {}): Buffer {
  const bytes = Buffer.alloc(46, 0xee);
  common(bytes, 16, header);
  bytes.writeUInt32LE(header.offset ?? 3, 42);
  return Buffer.concat([bytes, Buffer.from(name), header.extra ?? Buffer.alloc(0)]);
}

/** Lists the offsets at which bytes differ, with the new bytes. */
function differ(before: Buffer, after: Buffer): [offset: number, byte: number][] {
  expect(after.length).toBe(before.length);
  return Array.from(after.entries()).filter(([i, byte]) => byte !== before[i]);
}

describe('the header of an entry', () => {
  const other = field(0xcafe, Buffer.from('other'));

  it('has numbers of 32 bits, and nothing else changes', () => {
    const header = local({ extra: other });
    const changed = Buffer.from(header);
    patchLocal(changed, { checksum: 0x01020304, compressedSize: 0x11121314, size: 0x21222324 });
    const expected = Buffer.from(header);
    expected.writeUInt32LE(0x01020304, 14);
    expected.writeUInt32LE(0x11121314, 18);
    expected.writeUInt32LE(0x21222324, 22);
    expect(differ(expected, changed)).toEqual([]);
    expect(readChecksum(changed)).toBe(0x01020304);
  });

  it('in the directory has an offset, too, and only what is given is written', () => {
    for (const [key, at] of [
      ['checksum', 16],
      ['compressedSize', 20],
      ['size', 24],
      ['offset', 42],
    ] as const) {
      const header = central({ extra: other });
      const changed = Buffer.from(header);
      patchCentral(changed, { [key]: 0x01020304 });
      const expected = Buffer.from(header);
      expected.writeUInt32LE(0x01020304, at);
      expect(differ(expected, changed)).toEqual([]);
    }
  });

  it('has those in 64 bits that are full in 32, in their order', () => {
    const all = { checksum: 1, size: LARGE, compressedSize: LARGE + 1, offset: LARGE + 2 };
    for (let full = 1; full < 8; full++) {
      const keys = (['size', 'compressedSize', 'offset'] as const).filter(
        (_, i) => full & (1 << i),
      );
      const fields = Object.fromEntries(keys.map((key) => [key, FULL]));
      const header = central({
        ...fields,
        extra: Buffer.concat([other, wide(...keys.map(() => 7)), wide(8, 9)]),
      });
      const wanted = { ...Object.fromEntries(keys.map((key) => [key, all[key]])), checksum: 1 };
      const changed = Buffer.from(header);
      patchCentral(changed, wanted);
      const expected = Buffer.from(header);
      expected.writeUInt32LE(1, 16);
      expected.set(wide(...keys.map((key) => all[key])), 46 + name.length + other.length);
      expect(differ(expected, changed)).toEqual([]);
    }
    const header = local({ size: FULL, compressedSize: FULL, extra: wide(0, 0) });
    patchLocal(header, { checksum: 1, size: LARGE, compressedSize: LARGE + 1 });
    expect(header.subarray(30 + name.length)).toEqual(wide(LARGE, LARGE + 1));
  });

  it('has no room in 32 bits for what needs 64, nor where the extra field is too short', () => {
    for (const key of ['size', 'compressedSize', 'offset']) {
      expect(() => patchCentral(central(), { [key]: FULL })).toThrow(RoomError);
      expect(() => patchCentral(central(), { [key]: FULL - 1 })).not.toThrow();
    }
    const short = central({ size: FULL, extra: field(1, Buffer.alloc(7)) });
    expect(() => patchCentral(short, { size: LARGE })).toThrow(RoomError);
    const elsewhere = central({ size: FULL, extra: field(2, Buffer.alloc(8)) });
    expect(() => patchCentral(elsewhere, { size: LARGE })).toThrow(RoomError);
  });
});

describe('the end of an archive', () => {
  const numbers = { count: 0x1_0203, size: 0x11121314, offset: 0x21222324 };

  it('has the last 16 bits of the count, and numbers of 32 bits', () => {
    const end = Buffer.alloc(22, 0xff);
    patchEnd(end, numbers, false);
    const expected = Buffer.alloc(22, 0xff);
    expected.set(Buffer.from('0302 0302 14131211 24232221'.replaceAll(' ', ''), 'hex'), 8);
    expect(end).toEqual(expected);
    for (const key of ['size', 'offset']) {
      expect(() => patchEnd(end, { ...numbers, [key]: FULL }, false)).toThrow(RoomError);
    }
  });

  it('stays full where there is a large one', () => {
    const full = Buffer.alloc(22, 0xff);
    patchEnd(full, { count: 1, size: LARGE, offset: LARGE }, true);
    expect(full).toEqual(Buffer.alloc(22, 0xff));
    const end = Buffer.alloc(22);
    patchEnd(end, numbers, true);
    expect(end.toString('hex', 8, 20)).toBe('030203021413121124232221');
  });

  it('has all numbers in 64 bits where it is large', () => {
    const end = Buffer.alloc(56, 0xee);
    patchLargeEnd(end, { count: LARGE, size: LARGE + 1, offset: LARGE + 2 });
    const expected = Buffer.alloc(56, 0xee);
    expected.set(wide(LARGE, LARGE, LARGE + 1, LARGE + 2).subarray(4), 24);
    expect(end).toEqual(expected);
    const locator = Buffer.alloc(20, 0xee);
    patchLocator(locator, LARGE);
    expect(locator).toEqual(
      Buffer.concat([Buffer.alloc(8, 0xee), wide(LARGE).subarray(4), Buffer.alloc(4, 0xee)]),
    );
  });
});

describe('an aligned entry', () => {
  const other = field(0xcafe, Buffer.from('other'));
  const start = 30 + name.length;

  it('begins at a multiple, by a field that says which', () => {
    for (const alignment of [4, 16, 4096]) {
      for (let position = 0; position < 40; position++) {
        const header = local({ extra: other });
        const aligned = Buffer.from(alignLocal(header, position, alignment));
        expect((position + aligned.length) % alignment).toBe(0);
        const padding = aligned.length - header.length;
        // The least that there is: none, or a whole field.
        expect(padding === 0 || (padding >= 6 && padding < alignment + 6)).toBe(true);
        const expected = Buffer.concat([header, Buffer.alloc(padding)]);
        expected.writeUInt16LE(other.length + padding, 28);
        if (padding > 0) {
          expected.writeUInt16LE(0xd935, header.length);
          expected.writeUInt16LE(padding - 4, header.length + 2);
          expected.writeUInt16LE(alignment, header.length + 4);
        }
        expect(aligned.equals(expected)).toBe(true);
      }
    }
  });

  it.each([
    ['a field of its own', field(0xd935, Buffer.from([4, 0, 0, 0, 0]))],
    ['zeros that make a field', field(0, Buffer.alloc(9))],
    ['zeros that are too few for one', Buffer.alloc(3)],
    ['both', Buffer.concat([field(0xd935, Buffer.from([4, 0])), Buffer.alloc(4)])],
  ])('loses what aligned it before: %s', (_, extra) => {
    for (const before of [[other, extra], [extra]]) {
      const all = Buffer.concat(before);
      const kept = before.length > 1 ? other : Buffer.alloc(0);
      const position = 4096 - start - kept.length;
      const aligned = Buffer.from(alignLocal(local({ extra: all }), position, 4096));
      expect(aligned.subarray(start)).toEqual(kept);
      expect(aligned.readUInt16LE(28)).toBe(kept.length);
    }
  });

  it('keeps what is no padding', () => {
    const odd = Buffer.concat([field(0, Buffer.from([0, 1])), other, Buffer.from([0, 5])]);
    const aligned = Buffer.from(alignLocal(local({ extra: odd }), 4096 - start - odd.length, 4096));
    expect(aligned.subarray(start)).toEqual(odd);
  });

  it('has room for no more than 16 bits', () => {
    const extra = field(0xcafe, Buffer.alloc(0xffff - 4 - 6));
    const position = 4096 - ((start + 0xffff) % 4096);
    expect(alignLocal(local({ extra }), position, 4096)).toHaveLength(start + 0xffff);
    expect(() => alignLocal(local({ extra }), position - 1, 4096)).toThrow(RoomError);
  });
});
