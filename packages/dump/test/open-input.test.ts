/** Recognition of files, and contents of compressed files; `UTF8_SEED=1` repeats a run. */

import { spawnSync } from 'node:child_process';
import fs, {
  appendFileSync,
  type BigIntStats,
  createWriteStream,
  mkdirSync,
  readFileSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as zlib from 'node:zlib';
import { createGzip, gzipSync } from 'node:zlib';
import { fromPath } from '@utf8/files';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import loadHash from 'xxhash-wasm';
import { choose, scale, seed } from '../../../tooling/tiers/tier.js';
import { InputError } from '../src/error.js';
import { Intake } from '../src/open/chunks.js';
import { DamageError } from '../src/open/damage.js';
import { gunzip } from '../src/open/gzip.js';
import { type InputOptions, openInput, peek } from '../src/open/input.js';
import { measure, type Source, streamSource } from '../src/open/source.js';
import { unzstd } from '../src/open/zstd.js';
import { hex, onlyIf, useFolder } from './use-folder.js';

const path = useFolder();

const hasNativeZstd = 'createZstdDecompress' in zlib;

/** Bytes as a source that gives no more of them at once than told. */
function createSource(bytes: Uint8Array, most: number = bytes.length): Source {
  let position = 0;
  return {
    name: 'dump',
    size: undefined,
    async read(into) {
      const part = bytes.subarray(position, position + Math.min(most, into.length));
      into.set(part);
      position += part.length;
      return part.length;
    },
    async verify() {},
    async close() {},
  };
}

async function gather(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const copies: Buffer[] = [];
  for await (const chunk of chunks) copies.push(Buffer.from(chunk));
  return Buffer.concat(copies);
}

/** All bytes of an input, read in small parts. */
async function readAll(name: string, options: InputOptions): Promise<Buffer> {
  const source = await openInput(name, options);
  try {
    const parts: Buffer[] = [];
    const memory = Buffer.alloc(1000);
    for (let position = 0; ; ) {
      const count = await source.read(memory, position);
      if (count === 0) return Buffer.concat(parts);
      parts.push(Buffer.from(memory.subarray(0, count)));
      position += count;
    }
  } finally {
    await source.close();
  }
}

const refusalOf = async (bytes: Uint8Array, compressed = true): Promise<string> => {
  writeFileSync(path('refused'), bytes);
  const error = await readAll(path('refused'), { compressed }).catch((error) => error);
  expect(error).toBeInstanceOf(InputError);
  return error.message.replace(`${path('refused')}: `, '');
};

/** Compresses with the program zstd. */
function zstd(bytes: Uint8Array, ...flags: string[]): Buffer {
  const options = { input: bytes, maxBuffer: 2 ** 30 };
  const { stdout, status, error } = spawnSync('zstd', ['-q', '-c', ...flags], options);
  if (error) throw new Error('missing: zstd', { cause: error });
  expect(status).toBe(0);
  return stdout;
}

/** A block of zstd; type 0 is that of bytes as they are, and 1 that of one byte which repeats. */
function createBlock(isLast: boolean, type: number, size: number, body: Uint8Array): Buffer {
  const head = Buffer.alloc(3);
  head.writeUIntLE(Number(isLast) | (type << 1) | (size << 3), 0, 3);
  return Buffer.concat([head, body]);
}

/** A form of header (RFC 8878 §3.1.1): the length of its size, and whether the frame is one segment. */
interface Form {
  readonly size: 0 | 1 | 2 | 4 | 8;
  readonly isSingle: boolean;
  readonly hasChecksum: boolean;
}

/** Bytes in a frame of zstd, as they are. */
async function createFrame(bytes: Uint8Array, form: Form): Promise<Buffer> {
  const { size, isSingle, hasChecksum } = form;
  const flag = { 0: 0, 1: 0, 2: 1, 4: 2, 8: 3 }[size];
  const descriptor = (flag << 6) | (isSingle ? 0x20 : 0) | (hasChecksum ? 4 : 0);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(size === 2 ? bytes.length - 256 : bytes.length));
  const parts = [
    hex('28B52FFD'),
    Buffer.of(descriptor, ...(isSingle ? [] : [0x58])),
    length.subarray(0, size),
  ];
  for (let start = 0; start === 0 || start < bytes.length; start += 1 << 17) {
    const block = bytes.subarray(start, start + (1 << 17));
    parts.push(createBlock(start + (1 << 17) >= bytes.length, 0, block.length, block));
  }
  if (hasChecksum) {
    const sum = Buffer.alloc(4);
    sum.writeUInt32LE(Number((await loadHash()).h64Raw(bytes) & 0xffffffffn));
    parts.push(sum);
  }
  return Buffer.concat(parts);
}

/** Zeros in zstd: 4 bytes for each block of 128 KiB. */
function createZeros(blocks: number): Buffer {
  const parts = [hex('28B52FFD 00 58')];
  for (let i = 1; i <= blocks; i++) {
    parts.push(createBlock(i === blocks, 1, 1 << 17, Buffer.alloc(1)));
  }
  return Buffer.concat(parts);
}

/** Text as a dump has it, some of it alike and some of it not. */
function generateText(length: number): Buffer {
  let state = seed | 1;
  const lines: string[] = [];
  for (let size = 0; size < length; size += lines.at(-1)?.length ?? 0) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    lines.push(`${lines.length}\t${state.toString(36)}\t한국어 ${state % 100}\t😀\n`);
  }
  const text = Buffer.from(lines.join(''));
  // Whole lines: a seed in some would else cut a character.
  return text.subarray(0, text.lastIndexOf('\n', length - 1) + 1);
}

describe('a file that is no text is refused with what it is and what to do instead', () => {
  const restore = 'convert it to text first: pg_restore -f - FILE';

  it.each<[string, Buffer, string]>([
    [
      'pg_dump -Fc',
      Buffer.from('PGDMP\x01\x0e\x00\x04\x08'),
      `is a custom-format dump of pg_dump; ${restore}`,
    ],
    [
      'UTF-16',
      Buffer.from('\uFEFFid,name\n', 'utf16le'),
      'is UTF-16 text; convert it first: iconv -f UTF-16 -t UTF-8 FILE',
    ],
  ])('%s', async (_, bytes, sentence) => {
    expect(await refusalOf(bytes)).toBe(sentence);
    expect(await refusalOf(gzipSync(bytes))).toBe(`its decompressed content ${sentence}`);
  });

  it('a directory of pg_dump -Fd', async () => {
    mkdirSync(path('folder'));
    await expect(openInput(path('folder'), { compressed: true })).rejects.toThrow(
      'is a directory; specify the files in it',
    );
    writeFileSync(path('folder/toc.dat'), 'PGDMP');
    await expect(openInput(path('folder'), { compressed: true })).rejects.toThrow(
      `${path('folder')}: is a directory-format dump of pg_dump; ${restore}`,
    );
  });

  it('gzip and zstd where a file has to be read from any place', async () => {
    expect(await refusalOf(gzipSync('text'), false)).toBe(
      'is compressed with gzip and cannot be read from an arbitrary position; decompress it first: gzip -dk FILE',
    );
    expect(await refusalOf(hex('28 B5 2F FD 00 58 29 00 00'), false)).toBe(
      'is compressed with zstd and cannot be read from an arbitrary position; decompress it first: zstd -d FILE',
    );
  });

  it('gzip in gzip', async () => {
    expect(await refusalOf(gzipSync(gzipSync('text')))).toBe(
      'its decompressed content is compressed with gzip again; decompress it first: gzip -dk FILE',
    );
  });
});

describe('text is text', () => {
  it.each([
    ['nothing', ''],
    ['a byte', 'P'],
    ['a byte order mark', '\uFEFFid,name\n'],
    ['words that begin signatures', 'PAR12,5\nPGDM\nBZh9 31415926\nPK,7z\nSQLite format 3.1'],
    ['each beginning alone', 'PAR1'],
    ['C0 controls', '\x01\x01"a"."b\n'],
    ['the words of exp', 'EXPORT:V11.02.00\n'],
    ['the word of tar', `${'x'.repeat(200)}ustar`],
    ['NUL', '\0\0\0\0text'],
  ])('%s', async (_, text) => {
    writeFileSync(path('text'), text);
    for (const compressed of [true, false]) {
      expect((await readAll(path('text'), { compressed })).toString()).toBe(text);
    }
  });

  it('keeps its size, and so can be read from any place', async () => {
    writeFileSync(path('text'), 'abcdef');
    const source = await openInput(path('text'), { compressed: true });
    const byte = new Uint8Array(1);
    await source.read(byte, 3);
    expect([source.size, byte[0]]).toEqual([6, 0x64]);
    await source.close();
  });
});

describe('gzip', () => {
  const text = generateText(scale(1 << 19));

  it.each([1 << 20, 1 << 14, 1000, 7])('is unpacked from reads of %i bytes', async (most) => {
    expect((await gather(gunzip(createSource(gzipSync(text), most)))).equals(text)).toBe(true);
  });

  it('of several members, and with padding of zeros, as on tapes', async () => {
    const members = Buffer.concat(
      [text.subarray(0, 999), text.subarray(999)].map((x) => gzipSync(x)),
    );
    const padded = Buffer.concat([members, Buffer.alloc(300_000)]);
    for (const most of [1 << 20, 4096, 1000]) {
      expect((await gather(gunzip(createSource(members, most)))).equals(text)).toBe(true);
      expect((await gather(gunzip(createSource(padded, most)))).equals(text)).toBe(true);
    }
  });

  it('of nothing is nothing', async () => {
    expect(await gather(gunzip(createSource(gzipSync(''))))).toHaveLength(0);
  });

  it('truncated anywhere is said to be', async () => {
    const small = gzipSync(text.subarray(0, 300));
    for (const members of [small, Buffer.concat([small, small])]) {
      for (const length of choose([...members.keys()], scale(400))) {
        if (length < 3 || length === small.length) continue;
        const cut = gather(gunzip(createSource(members.subarray(0, length))));
        await expect(cut, `${length} bytes`).rejects.toThrow(
          'dump: its gzip data is truncated; copy the whole file again',
        );
      }
    }
  });

  it('damaged in any byte is never taken for whole', async () => {
    const good = gzipSync(text.subarray(0, 300));
    // Time, flags and system, which say nothing of the data.
    const harmless = new Set([4, 5, 6, 7, 8, 9]);
    for (const i of choose([...good.keys()].slice(3), scale(400))) {
      const bad = Buffer.from(good);
      bad[i] = (bad[i] as number) ^ 0x55;
      const unpacked = gather(gunzip(createSource(bad)));
      if (harmless.has(i)) await unpacked;
      else await expect(unpacked, `byte ${i}`).rejects.toThrow(/^dump: its gzip data is [^\n]*$/);
    }
  });

  it.each([
    ['text', Buffer.from('text')],
    ['padding and a member', Buffer.concat([Buffer.alloc(10), gzipSync('lost')])],
    ['much padding and a member', Buffer.concat([Buffer.alloc(300_000), gzipSync('lost')])],
  ])('followed by %s does not lose it', async (_, rest) => {
    const bytes = Buffer.concat([gzipSync(text), rest]);
    for (const most of [bytes.length, 4096, 1000, gzipSync(text).length]) {
      await expect(gather(gunzip(createSource(bytes, most)))).rejects.toThrow(
        /^dump: its gzip data is damaged \((followed by other data|incorrect header check)\); copy the file again$/,
      );
    }
  });

  it('a source that fails while it is read says so', async () => {
    const source = { ...createSource(gzipSync(text), 1000) };
    let reads = 0;
    const { read } = source;
    source.read = async (into, position) => {
      if (++reads > 3) throw new InputError('dump: input/output error; check the device');
      return read(into, position);
    };
    await expect(gather(gunzip(source))).rejects.toThrow(
      'dump: input/output error; check the device',
    );
  });

  it('can be left before its end', async () => {
    writeFileSync(path('long.gz'), gzipSync(Buffer.alloc(1 << 24)));
    const source = await openInput(path('long.gz'), { compressed: true });
    expect(await source.read(new Uint8Array(10), 0)).toBe(10);
    await source.close();
  });
});

describe('a little that unpacks to very much', () => {
  const MIB = 1 << 20;
  /** A quarter of what comes out. What has been let go of and not yet collected counts as well. */
  const LIMIT = 256 * MIB;

  /** The most memory that buffers take while an input is read to its end, and its length. */
  async function watch(name: string): Promise<{ length: number; peak: number }> {
    const source = await openInput(name, { compressed: true });
    const memory = new Uint8Array(MIB);
    let length = 0;
    let peak = 0;
    for (;;) {
      const count = await source.read(memory, length);
      peak = Math.max(peak, process.memoryUsage().arrayBuffers);
      if (count === 0) break;
      length += count;
    }
    await source.close();
    return { length, peak };
  }

  it('1 GiB of zeros in gzip takes constant memory', { tags: ['slow'] }, async () => {
    const zeros = new Array(1024).fill(new Uint8Array(MIB));
    const packed = createWriteStream(path('zeros.gz'));
    await pipeline(Readable.from(zeros), createGzip({ level: 1 }), packed);
    const { length, peak } = await watch(path('zeros.gz'));
    expect(length).toBe(1024 * MIB);
    expect(peak).toBeLessThan(LIMIT);
  });

  it('1 GiB of zeros in zstd takes constant memory', { tags: ['slow'] }, async () => {
    writeFileSync(path('zeros.zst'), createZeros(8192));
    const { length, peak } = await watch(path('zeros.zst'));
    expect(length).toBe(1024 * MIB);
    expect(peak).toBeLessThan(LIMIT);
  });

  it.each([
    ['gzip', async () => gzipSync(generateText(MIB), { level: 0 }), gunzip],
    [
      'zstd',
      () => createFrame(generateText(MIB), { size: 0, isSingle: false, hasChecksum: true }),
      unzstd,
    ],
  ])('is unpacked from %s no further than it is taken', async (_, pack, unpack) => {
    const bytes = await pack();
    const source = createSource(bytes, 1 << 14);
    let read = 0;
    const counting = {
      ...source,
      async read(into: Uint8Array, position: number) {
        const count = await source.read(into, position);
        read += count;
        return count;
      },
    };
    const chunks = unpack(counting)[Symbol.asyncIterator]();
    const first = await chunks.next();
    expect(first.value?.length).toBeGreaterThan(0);
    // Wherever the stream of the system stops, all turns that it takes by itself are over.
    for (let turns = 0; turns < 100; turns++) await new Promise((done) => setImmediate(done));
    expect(read).toBeLessThan(bytes.length * 0.75);
    await chunks.return?.(undefined);
  });
});

describe.each([['fzstd', false], ...(hasNativeZstd ? ([['Node', true]] as const) : [])] as const)(
  'zstd with %s',
  (_, isNative) => {
    const unpack = (bytes: Uint8Array, most?: number): Promise<Buffer> =>
      gather(unzstd(createSource(bytes, most), isNative));

    const frames = {
      nothing: hex('28B52FFD2400010000 99E9D851'),
      hello: hex('28B52FFD045829000068656C6C6F A36D9F88'),
      'hello without a checksum': hex('28B52FFD005829000068656C6C6F'),
      'a frame to skip': hex('502A4D18 05000000 68656C6C6F'),
    };

    it('frames that are written down here', async () => {
      expect((await unpack(frames.nothing)).toString()).toBe('');
      expect((await unpack(frames.hello)).toString()).toBe('hello');
      expect((await unpack(frames['hello without a checksum'])).toString()).toBe('hello');
      expect((await unpack(frames['a frame to skip'])).toString()).toBe('');
      const all = Buffer.concat([...Object.values(frames), ...Object.values(frames)]);
      for (const most of [all.length, 5, 1]) {
        expect((await unpack(all, most)).toString()).toBe('hello'.repeat(4));
      }
    });

    it('many small frames', async () => {
      const count = scale(3000);
      const all = Buffer.concat(Array.from({ length: count }, () => frames.hello));
      expect(await unpack(all)).toHaveLength(5 * count);
    });

    it('truncated anywhere is said to be', async () => {
      const all = Buffer.concat([frames.hello, frames['a frame to skip'], frames.hello]);
      const whole = [0, 18, 31, 49];
      for (let length = 0; length < all.length; length++) {
        const cut = unpack(all.subarray(0, length));
        if (whole.includes(length)) await cut;
        else {
          await expect(cut, `${length} bytes`).rejects.toThrow(
            'dump: its zstd data is truncated; copy the whole file again',
          );
        }
      }
    });

    it('with a wrong checksum, or anything after it, is damaged', async () => {
      const wrong = Buffer.from(frames.hello);
      wrong[wrong.length - 1] = 0;
      await expect(unpack(wrong)).rejects.toThrow(
        /^dump: its zstd data is damaged \([^\n]+\); copy/,
      );
      await expect(unpack(Buffer.concat([frames.hello, Buffer.from('more')]))).rejects.toThrow(
        'dump: its zstd data is damaged (followed by other data); copy the file again',
      );
    });

    it('beyond what can be unpacked says so', async () => {
      await expect(unpack(hex('28B52FFD 04 90 010000'))).rejects.toThrow(
        'dump: its zstd data was compressed with --long=28 or more; decompress it first: zstd -dc --long=31 FILE | utf8 …',
      );
      await expect(unpack(hex('28B52FFD E0 0000000001000000 010000'))).rejects.toThrow('--long=28');
      await expect(unpack(hex('28B52FFD 01 58 07 010000'))).rejects.toThrow(
        'dump: its zstd data needs a dictionary; decompress it first: zstd -dc -D DICTIONARY FILE | utf8 …',
      );
    });

    it.each([
      [0, 1, 255],
      [0, 2, 256],
      [0, 2, 65_791],
      [0, 4, 65_792],
      [0, 4, 131_073],
      [0, 8, 300_000],
    ] as const)('frames of every header: with %i or %i bytes for the size %i', async (...sizes) => {
      const [none, some, length] = sizes;
      const bytes = generateText(length + 100).subarray(0, length);
      for (const size of [none, some]) {
        for (const hasChecksum of [false, true]) {
          // A header with a size of one byte has no window.
          const isSingle = size === 1 || (size > 0 && hasChecksum);
          const frame = await createFrame(bytes, { size, isSingle, hasChecksum });
          for (const most of [frame.length, 1009]) {
            expect((await unpack(frame, most)).equals(bytes)).toBe(true);
          }
        }
      }
    });

    it('a byte that repeats', async () => {
      expect((await unpack(createZeros(20))).equals(Buffer.alloc(20 << 17))).toBe(true);
    });

    describe('of compressed blocks', () => {
      const packed = readFileSync(new URL('recorded/lines.zst', import.meta.url));
      const lines = Array.from({ length: 40 }, (_, i) => {
        const word = (Math.imul(i + 1, 2_654_435_761) >>> 0).toString(36);
        return `${i}\t${word}\t한국어 ${(i * 37) % 100}\t😀\n`;
      });
      const text = Buffer.from(lines.join(''));

      it('is unpacked from reads of any size', async () => {
        for (const most of [packed.length, 100, 1]) {
          expect((await unpack(packed, most)).equals(text)).toBe(true);
        }
      });

      it('damaged in any byte is never taken for whole', async () => {
        for (const i of choose([...packed.keys()].slice(4), scale(1000))) {
          const bad = Buffer.from(packed);
          bad[i] = (bad[i] as number) ^ 0x10;
          const error = await unpack(bad).catch((error) => error);
          if (Buffer.isBuffer(error)) expect(error.equals(text), `byte ${i}`).toBe(true);
          else expect(error.message, `byte ${i}`).toMatch(/^dump: its zstd data [^\n]+$/);
        }
      });
    });

    describe('as the program zstd writes it', { tags: ['slow'] }, () => {
      it.each([0, 1, 255, 256, 65_791, 65_792, 131_072, 131_073, 3_000_000])(
        '%i bytes of text, at several levels',
        async (length) => {
          const text = generateText(length);
          for (const flags of [['-1'], ['-3', '--no-check'], ['-19'], ['--long=27', '-5']]) {
            const bytes = zstd(text, ...flags);
            for (const most of [bytes.length || 1, 1009]) {
              const unpacked = await unpack(bytes, most);
              expect(unpacked.equals(text), `${flags} ${most}`).toBe(true);
            }
          }
        },
      );

      it('bytes that repeat, and bytes that never do', async () => {
        let state = seed | 1;
        const noise = Buffer.alloc(700_000).map(() => {
          state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
          return state >>> 24;
        });
        for (const bytes of [Buffer.alloc(5_000_000), noise, Buffer.concat([noise, noise])]) {
          expect((await unpack(zstd(bytes))).equals(bytes)).toBe(true);
        }
      });
    });
  },
);

describe('an input that changes while it is read', () => {
  const sentence = (name: string): string =>
    `${path(name)}: changed while it was read; run again when no program writes to it`;

  /** Reads half of a file, changes it, and reads the rest. */
  async function readWhile(change: (file: string) => void, size = 100_000): Promise<string> {
    const file = path('changing');
    writeFileSync(file, Buffer.alloc(size, 'text\n'));
    // Clocks of file systems tick slowly: a change would else have the same time.
    utimesSync(file, 1, 1);
    const source = await openInput(file);
    try {
      const memory = new Uint8Array(size / 2);
      let position = await source.read(memory, 0);
      change(file);
      for (;;) {
        const count = await source.read(memory, position);
        if (count === 0) break;
        position += count;
      }
      await source.verify();
      return '';
    } catch (error) {
      expect(error).toBeInstanceOf(DamageError);
      return (error as Error).message;
    } finally {
      await source.close();
    }
  }

  it.each<[string, (file: string) => void]>([
    ['is truncated', (file) => truncateSync(file, 60_000)],
    ['is truncated before what was read', (file) => truncateSync(file, 10)],
    ['grows', (file) => appendFileSync(file, 'more\n')],
    ['is edited', (file) => writeFileSync(file, Buffer.alloc(100_000, 'TEXT\n'))],
  ])('%s', async (_, change) => {
    expect(await readWhile(change)).toBe(sentence('changing'));
  });

  it('is edited, and gets its time back', async () => {
    const real = fs.fstatSync;
    // The system tells that something of the file has changed, and when.
    const spy = vi.spyOn(fs, 'fstatSync');
    try {
      const found = await readWhile((file) => {
        writeFileSync(file, Buffer.alloc(100_000, 'TEXT\n'));
        utimesSync(file, 1, 1);
        spy.mockImplementation(((...args: Parameters<typeof real>) => {
          const stats = real(...args) as BigIntStats;
          return Object.assign(stats, { ctimeNs: stats.ctimeNs + 1n });
        }) as typeof real);
        syncBuiltinESMExports();
      });
      expect(found).toBe(sentence('changing'));
    } finally {
      spy.mockRestore();
      syncBuiltinESMExports();
    }
  });

  it('is refused at once where it ends too early or too late', async () => {
    for (const change of [truncateSync, (file: string) => appendFileSync(file, 'x')]) {
      writeFileSync(path('short'), 'some text');
      const source = await openInput(path('short'));
      change(path('short'));
      await expect(source.read(new Uint8Array(100), 0)).rejects.toThrow(sentence('short'));
      await source.close();
    }
  });

  it('also through gzip', async () => {
    writeFileSync(path('changing.gz'), gzipSync('text'));
    const source = await openInput(path('changing.gz'));
    expect(await source.read(new Uint8Array(10), 0)).toBe(4);
    utimesSync(path('changing.gz'), 1, 1);
    await expect(source.verify()).rejects.toThrow(sentence('changing.gz'));
    await source.close();
  });

  onlyIf(process.platform === 'linux')(
    'is no file of /proc or /sys, which have no size',
    async () => {
      for (const name of [
        '/proc/self/stat',
        '/proc/uptime',
        '/sys/kernel/mm/hugepages',
        '/sys/kernel/uevent_seqnum',
      ]) {
        if (!statSync(name, { throwIfNoEntry: false })?.isFile()) continue;
        const source = await openInput(name);
        expect(await source.read(new Uint8Array(10_000), 0)).toBeGreaterThan(0);
        expect(await source.read(new Uint8Array(10_000), 10_000)).toBe(0);
        await source.verify();
        await source.close();
      }
    },
  );

  it('is none that stays the same', async () => {
    expect(await readWhile(() => {})).toBe('');
    writeFileSync(path('empty'), '');
    const source = await openInput(path('empty'));
    expect(await source.read(new Uint8Array(10), 0)).toBe(0);
    await source.verify();
    await source.close();
  });
});

describe('an input that any command may look at', () => {
  it('is what it is', async () => {
    for (const bytes of [
      Buffer.from('\uFEFFid,name\n', 'utf16le'),
      Buffer.from('SQLite format 3\0\x10\x00'),
      hex('50 4B 03 04 14 00'),
    ]) {
      writeFileSync(path('any'), bytes);
      expect(await readAll(path('any'), { refuseBinary: false })).toEqual(bytes);
      writeFileSync(path('any'), gzipSync(bytes));
      expect(await readAll(path('any'), { refuseBinary: false })).toEqual(bytes);
      writeFileSync(path('any'), gzipSync(gzipSync(bytes)));
      expect(await readAll(path('any'), { refuseBinary: false })).toEqual(gzipSync(bytes));
    }
  });

  it('is decided by its first read where that is text', async () => {
    for (const text of ['h', 'hi\n', 'P\n', 'BZ\n', '\xf0', '{"a":1}\n']) {
      let reads = 0;
      const source = createSource(Buffer.from(text, 'latin1'));
      const { read } = source;
      source.read = async (into, position) => (++reads === 1 ? read(into, position) : 0);
      expect((await peek(source)).head).toHaveLength(text.length);
      expect(reads, text).toBe(1);
    }
    for (const start of ['1F', '28 B5', '51 2A 4D', 'FF FE', '50 47 43 4F']) {
      const { head } = await peek(
        createSource(Buffer.concat([hex(start), Buffer.alloc(9, 'x')]), 1),
      );
      expect(head.length, start).toBeGreaterThan(start.split(' ').length);
    }
  });

  onlyIf(process.platform === 'linux')('has a name of bytes', async () => {
    const name = Buffer.concat([Buffer.from(path('')), hex('FF 61')]);
    writeFileSync(name, 'text');
    expect((await readAll(fromPath(name), {})).toString()).toBe('text');
    await expect(readAll(`${fromPath(name)}-missing`, {})).rejects.toThrow(
      '\uDCFFa-missing: no such file; check the name',
    );
  });

  it('is closed while a read waits for it', async () => {
    const pipe = new PassThrough();
    pipe.write(gzipSync('text').subarray(0, 10));
    const origin = streamSource('-', pipe[Symbol.asyncIterator](), {
      async verify() {},
      async close() {
        pipe.destroy();
      },
    });
    const source = streamSource('-', gunzip(origin), origin);
    const reading = source.read(new Uint8Array(10), 0).catch(() => 0);
    await source.close();
    expect(await reading).toBe(0);
  });

  it('gives one piece of advice where it is truncated', async () => {
    writeFileSync(path('cut.gz'), gzipSync(generateText(100_000)).subarray(0, -4));
    const error = await readAll(path('cut.gz'), {}).catch((error) => error);
    expect(error).toBeInstanceOf(DamageError);
    expect(error.message.split(';')).toHaveLength(2);
  });
});

describe('an intake', () => {
  it('gives every length from sources of every speed', () =>
    fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 300 }),
        fc.integer({ min: 1, max: 300 }),
        fc.array(fc.tuple(fc.constantFrom('take', 'skip'), fc.nat(120)), { maxLength: 8 }),
        async (bytes, most, steps) => {
          const intake = new Intake(createSource(bytes, most));
          let rest = bytes;
          for (const [step, length] of steps) {
            if (step === 'take') {
              expect([...(await intake.take(length))]).toEqual([...rest.subarray(0, length)]);
            } else {
              expect(await intake.skip(length)).toBe(length <= rest.length);
            }
            rest = rest.subarray(length);
          }
        },
      ),
      { seed },
    ));
});

describe('the size of inputs', () => {
  it('is that of all files together', () => {
    writeFileSync(path('three'), 'abc');
    writeFileSync(path('five'), 'abcde');
    expect(measure([path('three'), path('five'), path('three')])).toBe(11);
    expect(measure([])).toBe(0);
    // A missing file is reported when it is opened.
    expect(measure([path('three'), path('missing')])).toBe(3);
  });

  it('is unknown if one of them is no file', () => {
    writeFileSync(path('three'), 'abc');
    for (const other of ['-', path('.'), '/dev/null']) {
      expect(measure([path('three'), other, path('three')])).toBeUndefined();
    }
  });
});
