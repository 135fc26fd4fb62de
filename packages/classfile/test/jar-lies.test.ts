import { deflateRawSync } from 'node:zlib';
import { JarError, type JarOptions, readJar } from '@utf8/classfile/jar';
import { describe, expect, it } from 'vitest';
import { useFolder } from './folder.js';
import { readAll } from './reading.js';
import { classOf, type Item, zip } from './zip.js';

const file = useFolder();

const good: Item = { name: 'Good.class', bytes: classOf('good') };
const bytes = classOf('a class, a class.');

/** An archive with a bad entry between two good ones. */
const around = (...bad: Item[]): Buffer => zip([good, ...bad, { ...good, name: 'Last.class' }]);

/** Two stored entries with the same bytes: 1000 in an archive of 1300. */
const big = classOf(Buffer.alloc(992, 7));
const sharing: Item[] = [
  { name: 'A.class', bytes: big, method: 0 },
  {
    name: 'B.class',
    bytes: big,
    data: new Uint8Array(),
    method: 0,
    claims: { offset: 0, compressed: 1000 },
  },
];

describe('an entry that cannot be read', () => {
  const cases: [string, Item, string, string, JarOptions?][] = [
    [
      'encrypted',
      { name: 'B.class', bytes, claims: { flags: 1 } },
      'encrypted',
      'is encrypted; decrypt the archive first',
    ],
    [
      'method 99',
      { name: 'B.class', bytes, claims: { method: 99 } },
      'method',
      'is compressed with method 99; only 0 (stored) and 8 (deflate) are supported; create the archive again with one of them',
    ],
    [
      'a bad checksum',
      { name: 'B.class', bytes, claims: { crc: 0xbad } },
      'checksum',
      'is damaged: its CRC-32 is 2159DBC6, but should be 00000BAD; get a complete copy of the archive',
    ],
    [
      'a bad checksum of a stored one',
      { name: 'B.class', bytes, method: 0, claims: { crc: 0xbad } },
      'checksum',
      'is damaged: its CRC-32 is 2159DBC6, but should be 00000BAD; get a complete copy of the archive',
    ],
    [
      'less than claimed',
      { name: 'B.class', bytes, claims: { size: 26 } },
      'size',
      'states a size of 26 bytes, but has only 25; create the archive again',
    ],
    [
      'more than claimed',
      { name: 'B.class', bytes, claims: { size: 24 } },
      'size',
      'inflates to more than the 24 bytes that it states; create the archive again',
    ],
    [
      'something where nothing is claimed',
      { name: 'B.class', bytes, claims: { size: 0 } },
      'size',
      'inflates to more than the 0 bytes that it states; create the archive again',
    ],
    [
      'two sizes of a stored one',
      { name: 'B.class', bytes, method: 0, claims: { size: 24 } },
      'size',
      'is stored, but states the sizes 25 and 24; create the archive again',
    ],
    [
      'more than deflate can make of it',
      { name: 'B.class', bytes: Buffer.alloc(0), claims: { size: 60_000_000 } },
      'size',
      'states that 2 bytes inflate to 60000000, which is impossible; create the archive again',
    ],
    [
      'no deflate stream',
      { name: 'B.class', bytes, data: Buffer.from('no deflate stream') },
      'data',
      'is damaged: its bytes cannot be inflated; create the archive again',
    ],
    [
      'a deflate stream that breaks off',
      { name: 'B.class', bytes, data: deflateRawSync(bytes).subarray(0, 5) },
      'data',
      'is damaged: its bytes cannot be inflated; create the archive again',
    ],
    [
      'a claim above the limit',
      { name: 'B.class', bytes, claims: { size: 0xfffffff0 } },
      'too-large',
      'is 4294967280 bytes, more than the 67108864 of maxClassBytes; unpack it if you trust it, or raise the limit',
    ],
    [
      'a size above the limit that is asked for',
      { name: 'B.class', bytes },
      'too-large',
      'is 25 bytes, more than the 24 of maxClassBytes; unpack it if you trust it, or raise the limit',
      { maxClassBytes: 24 },
    ],
    [
      'no header where the directory says',
      { name: 'B.class', bytes, claims: { offset: 1 } },
      'header',
      'is not at the offset in the directory: expected a header that begins with 0x04034b50, found 0x1404034b at 1; get a complete copy of the archive',
    ],
    [
      'a place after the end',
      { name: 'B.class', bytes, claims: { offset: 0xfffffff0 } },
      'header',
      'is not at the offset in the directory: the archive ends before byte 4294967310; get a complete copy of the archive',
    ],
    [
      'an archive that is none',
      { name: 'b.jar', bytes: Buffer.from('no archive') },
      'not-an-archive',
      'is not a zip archive, or is truncated: the directory at its end is missing; get a complete copy of it',
    ],
    [
      'an archive that is none, stored',
      { name: 'b.jar', bytes: Buffer.from('no archive'), method: 0 },
      'not-an-archive',
      'is not a zip archive, or is truncated: the directory at its end is missing; get a complete copy of it',
    ],
    [
      'an encrypted archive',
      { name: 'b.jar', bytes: zip([good]), method: 0, claims: { flags: 1 } },
      'encrypted',
      'is encrypted; decrypt the archive first',
    ],
    [
      'an archive that inflates to too much',
      { name: 'b.jar', bytes: Buffer.alloc(1001) },
      'too-large',
      'is 1001 bytes, more than the 1000 of maxJarBytes; unpack it if you trust it, or raise the limit',
      { maxJarBytes: 1000 },
    ],
  ];

  it.each(cases)('%s', async (name, item, reason, what, options = {}) => {
    const path = file(`${name}.zip`, around(item));
    const { classes, errors } = await readAll(path, options);
    expect([...classes.keys()]).toEqual(['Good.class', 'Last.class']);
    expect(errors.map(({ reason, message }) => [reason, message])).toEqual([
      [reason, `${path}!/${item.name}: ${what}`],
    ]);
    expect(errors[0]).toBeInstanceOf(JarError);
    expect(errors[0]).toMatchObject({ code: 'ERR_JAR', file: path, path: item.name });
    // Without `onError` the same error ends the reading.
    await expect(readAll(path, { ...options, onError: undefined })).rejects.toMatchObject({
      reason,
      message: errors[0]?.message,
    });
  });

  it('in an archive within costs nothing else of that', async () => {
    const inner = around({ name: 'B.class', bytes, claims: { crc: 1 } });
    const path = file('within.jar', around({ name: 'b.jar', bytes: inner }));
    const { classes, errors } = await readAll(path);
    expect([...classes.keys()]).toEqual([
      'Good.class',
      'b.jar!/Good.class',
      'b.jar!/Last.class',
      'Last.class',
    ]);
    expect(errors.map(({ path }) => path)).toEqual(['b.jar!/B.class']);
  });

  it('does not matter where it is no class', async () => {
    const claims = { crc: 1, flags: 1, method: 99, offset: 1, size: 1 };
    const path = file('resource.jar', around({ name: 'text.txt', bytes, claims }));
    expect((await readAll(path)).errors).toEqual([]);
  });
});

describe('an archive that cannot be read on', () => {
  const end =
    'is not a zip archive, or is truncated: the directory at its end is missing; get a complete copy of it';
  const cases: [string, Uint8Array, string, string, string[]][] = [
    ['nothing', new Uint8Array(), 'not-an-archive', end, []],
    ['a text', Buffer.alloc(100_000, 'text'), 'not-an-archive', end, []],
    ['half an archive', around().subarray(0, 100), 'not-an-archive', end, []],
    ['all but the last byte', around().subarray(0, -1), 'not-an-archive', end, []],
    [
      'more bytes behind it than it says',
      zip([good], { comment: Buffer.from('more') }),
      'directory',
      'its directory cannot be read after entry 0: its end record states a comment of 0 bytes, but 4 follow; get a complete copy of it',
      [],
    ],
    [
      'a directory elsewhere',
      zip([good], { offset: 55 }),
      'directory',
      'its directory cannot be read after entry 0: expected a record that begins with 0x02014b50, found 0x1402014b at 55; get a complete copy of it',
      [],
    ],
    [
      'a directory after the end',
      zip([good], { offset: 0xffff_fff0 }),
      'directory',
      'its directory cannot be read after entry 0: the file ends before the next one; get a complete copy of it',
      [],
    ],
    [
      'more entries than there are',
      zip([good], { count: 9 }),
      'directory',
      'the number of entries is 1 in its directory, but 9 in its end record; create it again',
      ['Good.class'],
    ],
    [
      'fewer entries than there are',
      zip([good, good, good], { count: 1 }),
      'directory',
      'its directory has 168 bytes, but its entries (1) have 56; create it again',
      ['Good.class'],
    ],
    [
      'one of several disks',
      zip([good], { disk: 3 }),
      'directory',
      'its directory cannot be read after entry 0: it is disk 3 of several; get a complete copy of it',
      [],
    ],
    [
      'extra fields that run over',
      around({ name: 'B.class', bytes, claims: { extra: Buffer.from([1, 0, 9, 0]) } }),
      'directory',
      'its directory cannot be read after entry 1: the extra fields of B.class run over their end; get a complete copy of it',
      ['Good.class'],
    ],
    [
      'entries that share bytes',
      zip(sharing),
      'overlap',
      'its entries up to B.class claim 2000 bytes, but it has 1202: they overlap, as in a zip bomb; do not trust it',
      ['A.class'],
    ],
  ];

  it.each(cases)('%s', async (name, archive, reason, what, paths) => {
    const path = file(`${name}.zip`, archive);
    const found: string[] = [];
    const reported: JarError[] = [];
    const reading = (async () => {
      const onError = (error: JarError) => reported.push(error);
      for await (const each of readJar(path, { onError })) found.push(each.path);
    })();
    const error: JarError = await reading.then(
      () => expect.unreachable(),
      (error) => error,
    );
    expect(error).toBeInstanceOf(JarError);
    expect([error.reason, error.path, found, reported]).toEqual([reason, undefined, paths, []]);
    expect(error.message).toContain(`${path}: ${what}`);
  });

  it.each(cases)('%s, within another', async (name, inner, reason, what, paths) => {
    for (const method of [0, 8]) {
      const path = file(`${name}.ear`, around({ name: 'b.jar', bytes: inner, method }));
      const { classes, errors } = await readAll(path);
      const within = paths.map((path) => `b.jar!/${path}`);
      expect([...classes.keys()]).toEqual(['Good.class', ...within, 'Last.class']);
      expect(errors.map(({ reason, path }) => [reason, path])).toEqual([[reason, 'b.jar']]);
      const sentence = what.replace('up to ', 'up to b.jar!/');
      expect(errors[0]?.message).toContain(`${path}!/b.jar: ${sentence}`);
    }
  });

  it('cut anywhere ends in an error, or has lost only what is behind its end', async () => {
    const whole = around({ name: 'b.jar', bytes: zip([good]) });
    for (let length = 0; length < whole.length; length++) {
      const path = file('cut.zip', whole.subarray(0, length));
      const error = await readAll(path).then(
        () => undefined,
        (error) => error,
      );
      // In the middle lies a whole archive, which is all there is where the file ends with it.
      if (error) expect(error).toBeInstanceOf(JarError);
      else expect(whole.indexOf('PK\x05\x06') + 22).toBe(length);
    }
  });
});

describe('bombs', () => {
  const zeros = (size: number) => ({ bytes: classOf(Buffer.alloc(size - 8)) });

  it('that claim little are inflated no further than they claim', async () => {
    const item = { name: 'B.class', ...zeros(64 << 20), claims: { size: 1000, crc: 0 } };
    const path = file('quiet.zip', zip([item]));
    const before = process.memoryUsage().rss;
    const { errors } = await readAll(path);
    expect(errors.map(({ message }) => message)).toEqual([
      `${path}!/B.class: inflates to more than the 1000 bytes that it states; create the archive again`,
    ]);
    expect(process.memoryUsage().rss - before).toBeLessThan(32 << 20);
  });

  it('of many entries end when they come to more than the file may', async () => {
    const item = (_: unknown, i: number) => ({ name: `${i}.class`, ...zeros(1 << 16) });
    const path = file('many.zip', zip(Array.from({ length: 100 }, item)));
    const limits = { maxClassBytes: 1 << 16, maxJarBytes: 1 << 18, maxRatio: 2 };
    const found: string[] = [];
    const reading = (async () => {
      for await (const each of readJar(path, { ...limits, onError: () => {} }))
        found.push(each.path);
    })();
    await expect(reading).rejects.toMatchObject({
      reason: 'bomb',
      path: '4.class',
      message: `${path}!/4.class: with it the file inflates to more than 262144 bytes, which maxRatio allows for its size; unpack it if you trust it`,
    });
    expect(found).toHaveLength(4);
    expect((await readAll(path, { ...limits, maxRatio: 1000 })).classes.size).toBe(100);
  });

  it('within archives count as well', async () => {
    const inner = zip(
      Array.from({ length: 8 }, (_, i) => ({ name: `${i}.class`, ...zeros(1 << 16) })),
    );
    const items = Array.from({ length: 8 }, (_, i) => ({ name: `${i}.jar`, bytes: inner }));
    const path = file('nested.zip', zip(items));
    const limits = { maxClassBytes: 1 << 16, maxJarBytes: 1 << 20, maxRatio: 1 };
    await expect(readAll(path, limits)).rejects.toMatchObject({
      reason: 'bomb',
      path: '1.jar!/7.class',
    });
  });
});

describe('limits', () => {
  it.each([
    ['maxClassBytes', -1],
    ['maxJarBytes', Number.NaN],
    ['maxDepth', '3'],
    ['maxRatio', null],
  ])('%s is not %j', async (key, value) => {
    const reading = readAll(file('any.jar', zip([])), { [key]: value });
    if (value === null) return expect(await reading).toMatchObject({ errors: [] });
    return expect(reading).rejects.toEqual(
      new RangeError(`${key} must be a number, 0 or more, not ${value}`),
    );
  });
});

it('an end that is cut short is not taken for one, nor read beyond', async () => {
  const whole = zip([]);
  for (let length = 4; length < 22; length++) {
    const path = file('short.zip', whole.subarray(0, length));
    await expect(readAll(path)).rejects.toMatchObject({ reason: 'not-an-archive' });
  }
});
