/** Strings of NBT, heap dumps and Java serialization, and what is wrong with such files. */
import { DataError, readData, recognizeData } from '@utf8/classfile/data';
import { describe, expect, it } from 'vitest';
import { Random } from '../../../../tooling/oracles/interop/src/random.js';
import { scale, seed } from '../../../../tooling/tiers/tier.js';
import { compound, hprof, join, list, read, record, stream, tag, u4, utf } from './build.js';

const SMILE = 'EDA0BDEDB880';

const fail = (file: Uint8Array): Promise<DataError> =>
  read(file).then(
    () => expect.fail('no error'),
    (error) => error,
  );

const nbt = compound(
  '',
  compound(
    'Level',
    tag(1, 'byte', 1),
    tag(11, 'ints', u4(2), u4(1), u4(2)),
    compound('Player', tag(8, 'Name', '0006', SMILE), tag(8, 'with.dot', utf('a\0'))),
    tag(9, 'list', 8, u4(2), utf('one'), utf('two')),
    tag(9, 'bytes', 1, u4(3), '010203'),
    tag(9, 'empty', 0, u4(0)),
    tag(9, 'lists', 9, u4(1), 10, u4(2), 0, tag(8, 'x', utf('y')), 0),
  ),
);

/** A class `A` with the fields `n` and `s`, and an object of it. */
const object = join(
  '73 72',
  utf('A'),
  '0000000000000001 02 0002',
  'I'.charCodeAt(0),
  utf('n'),
  'L'.charCodeAt(0),
  utf('s'),
  0x74,
  utf('Ljava/lang/String;'),
  '78 70',
  u4(7),
  0x74,
  utf('text'),
);

const dump = hprof(
  record(0x01, '00007F0000000340', Buffer.from('main')),
  record(0x02, u4(1), '0000000000000001', u4(0), '00007F0000000340'),
  record(0x01, '0000000000000000', '61C080', Buffer.from(SMILE, 'hex')),
  record(0x1c, new Uint8Array(100_000).fill(1)),
  record(0x01, '0000000000000001'),
  record(0x2c),
);

const files = { nbt, dump, stream: stream(object, '77 02 0102', 0x74, utf('last')) };

describe('NBT', () => {
  it('gives names and texts with the paths of their tags', async () => {
    const lines = list(await read(nbt)).map((line) => line.replace(/ \d+ /, ' '));
    expect(lines).toEqual([
      '"" name ""',
      'Level name "Level"',
      'Level.byte name "byte"',
      'Level.ints name "ints"',
      'Level.Player name "Player"',
      'Level.Player.Name name "Name"',
      'Level.Player.Name value "😀"',
      'Level.Player."with.dot" name "with.dot"',
      'Level.Player."with.dot" value "a\\u0000"',
      'Level.list name "list"',
      'Level.list[0] value "one"',
      'Level.list[1] value "two"',
      'Level.bytes name "bytes"',
      'Level.empty name "empty"',
      'Level.lists name "lists"',
      'Level.lists[0][1].x name "x"',
      'Level.lists[0][1].x value "y"',
    ]);
  });

  it('contains the bytes of a string at its offset', async () => {
    for (const { bytes, offset } of await read(nbt)) {
      expect(nbt.subarray(offset, offset + bytes.length)).toEqual(Buffer.from(bytes));
    }
  });

  it('reads a raw 00 and overlongs as Java does, and refuses four bytes as Java does', async () => {
    const file = compound('', tag(8, 'a', '0005 78 00 79 C181'), tag(8, 'b', '0004 F09F9880'));
    const { reason, offset, path, message } = await fail(file);
    expect([reason, offset, path]).toEqual(['malformed-utf8', 20, 'b']);
    expect(message).toBe(
      'Malformed NBT at byte 20: a string is not Modified UTF-8 (DataInput): wrong-form, in b.',
    );
    const strings = await read(file, { errors: 'replace' });
    expect(strings.map(({ string }) => string)).toEqual([
      '',
      'a',
      'x\0yA',
      'b',
      '\ufffd'.repeat(4),
    ]);
    expect(strings.map(({ fault }) => fault?.offset)).toEqual([...Array(4), 20]);
  });

  it('is bounded at the depth of Minecraft, and paths are shortened', async () => {
    const nested = (depth: number): Buffer =>
      join(
        10,
        utf(''),
        ...Array.from({ length: depth - 1 }, () => join(10, utf('abcdefgh'))),
        tag(8, 'x', utf('')),
        new Uint8Array(depth),
      );
    const strings = await read(nested(512));
    expect(strings.length).toBe(514);
    expect(Math.max(...strings.map(({ path }) => path.length))).toBe(129);
    expect((await fail(nested(513))).reason).toBe('depth');
  });

  it.each([
    ['a tag that does not exist', join(10, utf(''), 13), 'not-data', 0],
    ['a tag that does not exist, later', join(10, utf(''), tag(1, 'a', 1), 13), 'invalid-tag', 8],
    ['a negative length', compound('', tag(7, 'a', u4(-1))), 'invalid-value', 7],
    ['elements without a type', compound('', tag(9, 'a', 0, u4(1))), 'invalid-value', 8],
    ['elements of no tag', compound('', tag(9, 'a', 13, u4(1))), 'invalid-tag', 7],
    ['bytes after its end', join(compound('', tag(1, 'a', 1)), 0), 'excess-bytes', 9],
  ])('with %s is refused', async (_, file, reason, offset) => {
    expect(await fail(file)).toMatchObject({ reason, offset });
  });

  it('with bytes after its end is read if it is lenient', async () => {
    const errors: string[] = [];
    const lenient = ({ reason }: DataError) => errors.push(reason);
    expect((await read(join(nbt, 1), { lenient })).length).toBe(17);
    expect(errors).toEqual(['excess-bytes']);
  });
});

describe('a heap dump', () => {
  it('gives the strings of its records by their IDs', async () => {
    expect(list(await read(dump))).toEqual([
      '0x7f0000000340 symbol 48 "main"',
      '0x0 symbol 102 "a\\u0000😀"',
      '0x1 symbol 100137 ""',
    ]);
  });

  it('with a string without room for its ID, or an unknown record, loses nothing else if lenient', async () => {
    const file = hprof(
      record(0x01, '000102'),
      record(0x7f, '00'),
      record(0x01, '0000000000000001', Buffer.from('main')),
    );
    expect(await fail(file)).toMatchObject({ reason: 'invalid-value', offset: 36 });
    const errors: [string, number][] = [];
    const lenient = ({ reason, offset }: DataError) => errors.push([reason, offset]);
    expect((await read(file, { lenient })).map(({ string }) => string)).toEqual(['main']);
    expect(errors).toEqual([
      ['invalid-value', 36],
      ['invalid-tag', 43],
    ]);
  });

  it('with IDs of another size is refused', async () => {
    const file = Buffer.from(dump);
    file.writeUInt32BE(3, 19);
    expect(await fail(file)).toMatchObject({ reason: 'invalid-value', offset: 19 });
  });

  it('takes constant memory, however large it is', { tags: ['slow'] }, async () => {
    const segment = record(0x1c, new Uint8Array(1 << 20));
    const text = record(0x01, '0000000000000001', Buffer.from('x'.repeat(100)));
    const chunks = function* (count: number) {
      yield hprof();
      for (let i = 0; i < count; i++) {
        yield segment;
        yield text;
      }
    };
    let count = 0;
    let peak = 0;
    const before = process.memoryUsage().rss;
    for await (const _ of readData(chunks(1000))) {
      count++;
      peak = Math.max(peak, process.memoryUsage().rss);
    }
    expect(count).toBe(1000);
    expect(peak - before).toBeLessThan(64 << 20);
  });
});

describe('Java serialization', () => {
  it('gives strings, names of classes and fields, and types, with their places', async () => {
    expect(list(await read(files.stream))).toEqual([
      '[0] name 8 "A"',
      'A name 23 "n"',
      'A name 27 "s"',
      'A.s descriptor 31 "Ljava/lang/String;"',
      '[0].s value 58 "text"',
      '[2] value 69 "last"',
    ]);
  });

  it('reads a long string, whose length has eight bytes', async () => {
    const text = Buffer.alloc(70_000, 'z');
    const strings = await read(stream(0x7c, u4(0), u4(text.length), text), {}, 1000);
    expect(strings[0]).toMatchObject({ path: '[0]', offset: 13, string: 'z'.repeat(70_000) });
  });

  it('reads lists of 100,000 nested objects, in time and memory of their size', async () => {
    const node = join(
      '72',
      utf('Node'),
      '0000000000000001 02 0001',
      'L'.charCodeAt(0),
      utf('next'),
      0x74,
      utf('LNode;'),
      '78 70',
    );
    // The class has the first handle.
    const more = join('73 71 007E0000');
    const file = stream('73', node, Buffer.alloc(100_000 * more.length, more), 0x74, utf('end'));
    expect((await read(file)).at(-1)?.string).toBe('end');
  });

  it('goes on after an exception of the writer', async () => {
    const file = stream(
      '75 72',
      utf('[Ljava.lang.Object;'),
      '0000000000000001 02 0000 78 70',
      u4(2),
      0x74,
      utf('one'),
      0x7b,
      object,
      0x74,
      utf('last'),
    );
    const lines = list(await read(file)).map((line) => line.replace(/ \d+ /, ' '));
    expect(lines.filter((line) => line.includes('value'))).toEqual([
      '[0][0] value "one"',
      '[0][1].exception.s value "text"',
      '[1] value "last"',
    ]);
  });

  it.each([
    ['a type code that does not exist', stream(0x7f), 'invalid-tag', 4],
    ['a reference to nothing', stream('71 007E0000'), 'invalid-reference', 5],
    [
      'an object whose class is a string',
      stream(0x74, utf('a'), '73 71 007E0000'),
      'invalid-reference',
      10,
    ],
    ['an object without a class', stream('73 70'), 'invalid-reference', 5],
    ['a negative length', stream('7A FFFFFFFF'), 'invalid-value', 5],
    [
      'a field of no type',
      stream('72', utf('A'), '0000000000000001 02 0001 41'),
      'invalid-tag',
      19,
    ],
    ['a length of 64 bits', stream('7C', u4(-1), u4(0)), 'invalid-value', 5],
    ['an end without a beginning', stream(0x78), 'invalid-tag', 4],
    ['another version', Buffer.from('ACED0006', 'hex'), 'invalid-value', 2],
    [
      'an externalizable object of protocol version 1',
      stream('73 72', utf('A'), '0000000000000001 04 0000 78 70 00'),
      'unsupported',
      22,
    ],
    [
      'a class that is its own superclass',
      stream('73 72', utf('A'), '0000000000000001 02 0000 78 71 007E0000'),
      'invalid-reference',
      22,
    ],
  ])('with %s is refused', async (_, file, reason, offset) => {
    expect(await fail(file)).toMatchObject({ reason, offset });
  });
});

describe.each(Object.entries(files))('%s', (_, file) => {
  it('is read alike in chunks of any size', async () => {
    const whole = await read(file);
    for (const size of [1, 2, 7, 1000]) expect(await read(file, {}, size)).toEqual(whole);
  });

  it('is refused if it is cut anywhere, after the strings before the cut', async () => {
    const whole = await read(file);
    const step = file.length > 1000 ? 997 : 1;
    for (let end = 1; end < file.length; end += step) {
      const found: string[] = [];
      let reason: string | undefined;
      try {
        for await (const { string } of readData([file.subarray(0, end)])) found.push(string);
      } catch (error) {
        ({ reason } = error as DataError);
      }
      const before = whole.filter(({ offset, bytes }) => offset + bytes.length <= end);
      // Between two objects, and between two records, a file may end.
      if (reason === undefined) expect(found.length).toBe(before.length);
      else if (reason !== 'not-data') {
        expect(reason, `cut at ${end}`).toBe('truncated');
        expect(found).toEqual(before.map(({ string }) => string));
      }
    }
  });

  it('costs a malformed string only itself', async () => {
    const strings = await read(file);
    for (const { bytes, offset, index } of strings) {
      if (bytes.length === 0) continue;
      const bad = Buffer.from(file);
      bad[offset] = 0xff;
      const again = await read(bad, { errors: 'replace' });
      expect(again.map(({ offset }) => offset)).toEqual(strings.map(({ offset }) => offset));
      expect(again[index]?.fault?.offset).toBe(offset);
      expect(again.filter(({ fault }) => fault).length).toBe(1);
    }
  });
});

it('files with faults are read, or refused with a typed error, alike in chunks of any size', async () => {
  const random = new Random(seed);
  const attempt = (file: Uint8Array, size?: number) =>
    read(file, { errors: 'replace', lenient: () => {} }, size).catch((error) => {
      if (!(error instanceof DataError)) throw error;
      return error.message;
    });
  const originals = [nbt, files.stream, dump.subarray(0, 130)];
  let refused = 0;
  const count = scale(1500);
  for (let i = 0; i < count; i++) {
    const file = Buffer.from(random.pick(originals));
    for (let left = random.between(1, 3); left > 0; left--) {
      file[random.below(file.length)] = random.pick([
        0,
        1,
        8,
        0x70,
        0x73,
        0x7b,
        0xff,
        random.below(256),
      ]);
    }
    const whole = await attempt(file);
    if (typeof whole === 'string') refused++;
    expect(await attempt(file, random.between(1, 9))).toEqual(whole);
  }
  expect(refused).toBeGreaterThan(count / 10);
  expect(refused).toBeLessThan(count);
});

describe('recognition', () => {
  it.each([
    ['\nSome text', undefined],
    ['\n\n\n\n', undefined],
    ['\n', undefined],
    ['', undefined],
    ['JAVA PROFILE 1.0.1\0', 'hprof'],
    ['\xac\xed\0\x05', 'serialization'],
    ['\n\0\0\0', 'nbt'],
    ['\n\0\0\0\0', undefined],
    ['\n\0\x01\xff\x01\0', 'nbt'],
    [`\n\x05\x01${'\xff'.repeat(0x501)}\x01`, undefined],
    ['\n\0\x05Level\x0a\0\x04', 'nbt'],
    ['\n\0\0\x0d\0\0', undefined],
  ])('of %j is %s', (text, form) => {
    expect(recognizeData(Buffer.from(text, 'latin1'))).toBe(form);
  });

  it('refuses a file of another format', async () => {
    expect(await fail(Buffer.from('text'))).toMatchObject({ reason: 'not-data', offset: 0 });
  });
});
