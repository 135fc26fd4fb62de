/** Recognition of files by their first bytes, whatever their names are, and skipped files. */
import { execFileSync } from 'node:child_process';
import { deflateRawSync } from 'node:zlib';
import {
  type JarEntry,
  type JarError,
  type JarOptions,
  type JarSkip,
  readEntries,
  readJar,
  recognize,
} from '@utf8/classfile/jar';
import { describe, expect, it } from 'vitest';
import { useFolder } from './folder.js';
import { readAll } from './reading.js';
import { classOf, type Item, zip } from './zip.js';

const file = useFolder();

const hex = (text: string): Buffer => Buffer.from(text.replace(/ /g, ''), 'hex');

const dex = Buffer.concat([Buffer.from('dex\n039\0'), Buffer.alloc(104, 1)]);
const table = hex('02000C00 20000000 00000000');
const xml = hex('03000800 10000000 00000000');

describe('a form', () => {
  it.each([
    ['class', 'CAFEBABE 0003002D'],
    ['class', 'CAFEBABE 00000045'],
    ['class', 'CAFEBABE FFFF FFFF'],
    ['class', 'CAFEBABE'],
    ['class', 'CAFEBABE 000000'],
    ['other', 'CAFEBABE 0000002C'],
    ['other', 'CAFEBABE 00000002'],
    ['other', 'CAFEBA'],
    ['other', ''],
    ['archive', '504B0304'],
    ['archive', '504B0506'],
    ['archive', '4A4D0100'],
    ['other', '504B0102'],
    ['other', '4A4D0200'],
    ['jimage', 'CAFEDADA'],
    ['jimage', 'DADAFECA'],
    ['dex', '6465780A 30333500'],
    ['dex', '6465780A 30343100'],
    ['other', '6465780A 303335'],
    ['other', '6465780A 31333500'],
    ['other', '6465780A 30333501'],
    ['other', '63646578 30303100'],
    ['resources', '02000C00'],
    ['resources', '03000800'],
    ['other', '03000900'],
  ])('is %s of %s', (form, text) => {
    const bytes = hex(text);
    expect(recognize(bytes)).toBe(form);
    const padded = Buffer.concat([Buffer.alloc(3), bytes, Buffer.alloc(3)]);
    expect(recognize(padded.subarray(3, 3 + bytes.length))).toBe(form);
    if (bytes.length === 8) expect(recognize(padded.subarray(3))).toBe(form);
  });
});

async function list(path: string, options: JarOptions = {}) {
  const skips: JarSkip[] = [];
  const errors: JarError[] = [];
  const entries: JarEntry[] = [];
  const onError = (error: JarError) => errors.push(error);
  const onSkip = (skip: JarSkip) => skips.push(skip);
  for await (const entry of readEntries(path, { onError, onSkip, ...options })) entries.push(entry);
  return { entries, skips, errors };
}

describe('what is read whatever it is named', () => {
  it('is no folder where bytes lie in it, whatever size it claims', async () => {
    const item: Item = { name: 'H.class/', bytes: classOf('H'), claims: { size: 0 } };
    const path = file('folder.jar', zip([item]));
    const { entries, errors } = await list(path);
    expect([entries.length, errors.map(({ reason }) => reason)]).toEqual([0, ['size']]);
    const lenient = await list(path, { lenient: () => {} });
    expect(lenient.entries.map(({ path }) => path)).toEqual(['H.class/']);
  });

  const inner = zip([{ name: 'x/In.class', bytes: classOf('in') }]);
  const named = [
    'A.classdata',
    'A.esclazz',
    'A.SCL.lombok',
    'H.class/',
    'noname',
    'a.txt',
    'a.png',
  ];
  const archives = ['hpi', 'jpi', 'rar', 'nbm', 'kar', 'sar', 'apk', 'aab', 'JAR', 'bin', 'txt'];

  it.each([0, 8])('classes, archives, DEX files and resources, by method %d', async (method) => {
    const items: Item[] = [
      ...named.map((name) => ({ name, bytes: classOf(name), method })),
      ...archives.map((name) => ({ name: `n.${name}`, bytes: inner, method })),
      { name: 'classes.dex', bytes: dex, method },
      { name: 'other.jet', bytes: dex, method },
      { name: 'resources.arsc', bytes: table, method },
      { name: 'AndroidManifest.xml', bytes: xml, method },
      { name: 'text.xml', bytes: Buffer.from('<?xml version="1.0"?>'), method },
    ];
    const path = file('forms.jar', zip(items));
    const { entries, skips, errors } = await list(path);
    expect([errors, skips]).toEqual([[], []]);
    expect(entries.map(({ path, form }) => [path, form])).toEqual([
      ...named.map((name) => [name, 'class']),
      ...archives.map((name) => [`n.${name}!/x/In.class`, 'class']),
      ['classes.dex', 'dex'],
      ['other.jet', 'dex'],
      ['resources.arsc', 'resources'],
      ['AndroidManifest.xml', 'resources'],
    ]);
    expect(entries.find(({ form }) => form === 'dex')?.bytes).toEqual(new Uint8Array(dex));

    const told: JarSkip[] = [];
    const paths: string[] = [];
    for await (const each of readJar(path, { onSkip: (skip) => told.push(skip) })) {
      expect(Object.keys(each)).toEqual(['path', 'bytes', 'progress']);
      paths.push(each.path);
    }
    expect(paths).toHaveLength(named.length + archives.length);
    expect(told).toEqual([
      { path: 'classes.dex', reason: 'form', what: 'is a DEX file, which readEntries reads' },
      { path: 'other.jet', reason: 'form', what: 'is a DEX file, which readEntries reads' },
      ...['resources.arsc', 'AndroidManifest.xml'].map((path) => ({
        path,
        reason: 'form',
        what: "is a file of Android's resources, which readEntries reads",
      })),
    ]);
  });

  it('even archives after a script, which only their names tell', async () => {
    const bytes = Buffer.concat([Buffer.from('#!/bin/sh\n'), inner]);
    for (const method of [0, 8]) {
      const items = [
        { name: 'run.jar', bytes, method },
        { name: 'run.sh', bytes, method },
      ];
      const { entries, errors } = await list(file('script.jar', zip(items)));
      expect([entries.map(({ path }) => path), errors]).toEqual([['run.jar!/x/In.class'], []]);
    }
  });

  it('even where the stream begins with blocks without bytes', async () => {
    const none = Buffer.from('000000ffff'.repeat(5000), 'hex');
    const data = Buffer.concat([none, deflateRawSync(classOf('late'))]);
    const item = { name: 'late.bin', bytes: classOf('late'), data };
    const { entries } = await list(file('late.jar', zip([item])));
    expect(entries.map(({ path }) => path)).toEqual(['late.bin']);
    // Beyond some length the search ends, which is reported.
    const longer = { ...item, data: Buffer.concat([none, none, none, data]) };
    const { entries: rest, skips } = await list(file('later.jar', zip([longer])));
    expect([rest, skips.map(({ reason }) => reason)]).toEqual([[], ['unreadable']]);
    const asClass = { ...longer, name: 'late.class' };
    expect((await list(file('late.jar', zip([asClass])))).entries).toHaveLength(1);
  });
});

describe('what is passed over', () => {
  const cases: [string, Item, string, string][] = [
    [
      'no class',
      { name: 'A.class', bytes: hex('25504446 00') },
      'not-a-class',
      'begins with 25 50 44 46, and no class does',
    ],
    ['an empty class', { name: 'A.class' }, 'not-a-class', 'is empty, and no class is'],
    [
      'pack200',
      { name: 'a.pack', bytes: hex('CAFED00D 07960000') },
      'format',
      'is classes packed by pack200; unpack them first',
    ],
    [
      'pack200, packed again',
      { name: 'a.pack.gz', bytes: hex('1F8B0800') },
      'format',
      'is classes packed by pack200; unpack them first',
    ],
    [
      '7z',
      { name: 'a.7z', bytes: hex('377ABCAF271C0004') },
      'format',
      'is a 7z archive; unpack it first',
    ],
    [
      'RAR named as a resource adapter',
      { name: 'a.rar', bytes: hex('526172211A070100') },
      'format',
      'is a RAR archive; unpack it first',
    ],
    ['gzip', { name: 'a', bytes: hex('1F8B0800') }, 'format', 'is a gzip file; unpack it first'],
    ['xz', { name: 'a', bytes: hex('FD377A585A00') }, 'format', 'is an xz file; unpack it first'],
    [
      'tar',
      { name: 'a.tar', bytes: Buffer.from('name') },
      'format',
      'is a tar archive; unpack it first',
    ],
    [
      'jimage',
      { name: 'lib/modules', bytes: hex('DADAFECA 00000100') },
      'format',
      'is a jimage, all modules of a JDK in one file; extract it with jimage first',
    ],
    [
      'cdex',
      { name: 'a.dex', bytes: Buffer.from('cdex001\0') },
      'format',
      'is compact DEX; convert it to DEX first',
    ],
    [
      'vdex',
      { name: 'a.vdex', bytes: Buffer.from('vdex027\0') },
      'format',
      'is DEX for ART (vdex); extract the DEX first',
    ],
    [
      'odex',
      { name: 'a.odex', bytes: Buffer.from('\x7fELF') },
      'format',
      'is a program for ART; extract the DEX first',
    ],
    [
      'resources of a bundle',
      { name: 'base/resources.pb', bytes: Buffer.from('x') },
      'format',
      'is resources of an Android App Bundle; build an APK of it first',
    ],
    [
      'encrypted',
      { name: 'a.bin', bytes: classOf(), claims: { flags: 1 } },
      'encrypted',
      'is encrypted; decrypt the archive first',
    ],
    [
      'method 93',
      { name: 'a.bin', bytes: classOf(), claims: { method: 93 } },
      'method',
      'is compressed with method 93; only 0 (stored) and 8 (deflate) are supported; create the archive again with one of them',
    ],
    [
      'no deflate stream',
      { name: 'a.bin', data: hex('FF') },
      'unreadable',
      'is damaged: its bytes cannot be inflated; create the archive again',
    ],
    [
      'elsewhere',
      { name: 'a.bin', claims: { offset: 1 } },
      'unreadable',
      'is not at the offset in the directory: expected a header that begins with 0x04034b50, found 0x1404034b at 1; get a complete copy of the archive',
    ],
  ];

  it.each(cases)('%s is told', async (name, item, reason, what) => {
    const bytes = zip([{ name: 'a.txt' }, item, { name: 'Z.class', bytes: classOf() }]);
    const path = file(`${name}.jar`, zip([{ name: 'in.jar', bytes, method: 0 }]));
    const { entries, skips, errors } = await list(path);
    expect(errors).toEqual([]);
    expect(skips).toEqual([{ path: `in.jar!/${item.name}`, reason, what }]);
    expect(entries.map(({ path }) => path)).toEqual(['in.jar!/Z.class']);
    // And without a listener nothing happens.
    expect((await readAll(path)).errors).toEqual([]);
  });

  it('is not told of folders, whatever their names and headers are', async () => {
    for (const method of [0, 8]) {
      const names = ['a/', 'a.tar/', 'a.jar/', 'A.class/', 'resources.pb/'];
      const items = names.map((name) => ({ name, method, data: hex(''), claims: { offset: 1 } }));
      const { entries, skips, errors } = await list(file('folders.jar', zip(items)));
      expect([entries, skips, errors]).toEqual([[], [], []]);
    }
  });

  it('is waited for', async () => {
    const order: string[] = [];
    const onSkip = async () => {
      await new Promise(setImmediate);
      order.push('skip');
    };
    const items = [{ name: 'A.class' }, { name: 'B.class', bytes: classOf() }];
    for await (const { path } of readJar(file('wait.jar', zip(items)), { onSkip }))
      order.push(path);
    expect(order).toEqual(['skip', 'B.class']);
  });

  it('is not told of ordinary resources, nor are they inflated', async () => {
    // Whole they would be more than the file may inflate to.
    const big = deflateRawSync(Buffer.alloc(1 << 20, 'text'));
    const items = Array.from({ length: 3000 }, (_, i) => ({
      name: `${i}.txt`,
      bytes: new Uint8Array(),
      data: big,
      claims: { size: 1 << 20, crc: 0 },
    }));
    const path = file('resources.jar', zip([...items, { name: 'A.class', bytes: classOf() }]));
    const limits = { maxClassBytes: 100, maxJarBytes: 100, maxRatio: 0 };
    const { entries, skips, errors } = await list(path, limits);
    expect([entries.length, skips, errors]).toEqual([1, [], []]);
  });
});

describe('the end of an archive', () => {
  const items = [{ name: 'A.class', bytes: classOf() }];

  it('is not what looks like one in its comment', async () => {
    const comment = Buffer.concat([Buffer.from('PK\x05\x06'), Buffer.alloc(40)]);
    const bytes = zip(items, { comment });
    bytes.writeUInt16LE(comment.length, bytes.length - comment.length - 2);
    const { entries, errors } = await list(file('comment.jar', bytes));
    expect([entries.length, errors]).toEqual([1, []]);
  });

  it.each([0, 1, 0xffff])(
    'may have a comment of %i bytes, and all its numbers in 64 bits',
    async (length) => {
      const full = { count: 0xffff, size: 0xffff_ffff, offset: 0xffff_ffff };
      const comment = Buffer.alloc(length, 'c');
      for (const end of [{}, { isLarge: true }, { isLarge: true, ...full }]) {
        const bytes = zip(items, { ...end, comment });
        bytes.writeUInt16LE(length, bytes.length - length - 2);
        const { entries, skips, errors } = await list(file('full.jar', bytes));
        expect([entries.length, skips, errors]).toEqual([1, [], []]);
      }
    },
  );

  it('is that of 64 bits only where both agree', async () => {
    // The JDK passes over a large one that says something else.
    for (const [at, value] of [
      [32, 2],
      [40, 1],
      [48, 1],
    ] as const) {
      const bytes = zip(items, { isLarge: true });
      bytes.writeUInt32LE(value, bytes.length - 22 - 76 + at);
      const { entries, errors } = await list(file('disagrees.jar', bytes));
      expect([entries.length, errors]).toEqual([1, []]);
    }
  });

  it('may count 65,536 entries too few, as old tools write it', { tags: ['slow'] }, async () => {
    const many = Array.from({ length: 65_536 }, () => ({ name: 'a', method: 0 }));
    const { entries, errors } = await list(file('old.jar', zip([...many, ...items])));
    expect([entries.length, errors]).toEqual([1, []]);
  });

  it.each(['', 'JM\x01\x00', '#!/bin/sh\n'])(
    'may be that of a large one, after %j',
    async (head) => {
      const bytes = Buffer.concat([Buffer.from(head, 'latin1'), zip(items, { isLarge: true })]);
      const { entries, errors } = await list(file('large.jar', bytes));
      expect([entries.length, errors]).toEqual([1, []]);
    },
  );
});

describe('Python', { tags: ['slow'] }, () => {
  it('reads the same names: code page 437 and Unicode', async () => {
    const script = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as zip:
    sys.stdout.buffer.write('\\n'.join(zip.namelist()).encode())
`;
    // Names that are valid UTF-8 by chance are UTF-8 here and in the JDK.
    const names = Array.from({ length: 128 }, (_, i) =>
      Buffer.from([0x61 + (i % 26), 0x80 + i, 0x2e]),
    );
    const items = names.map((name) => ({ name, bytes: classOf() }));
    const path = file('names.jar', zip(items));
    const listed = execFileSync('python3', ['-c', script, path]).toString().split('\n');
    expect((await list(path)).entries.map(({ path }) => path)).toEqual(listed);
  });

  it('makes archives with numbers of 64 bits, which are read', async () => {
    const script = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED) as zip:
    for name in ['a/A.class', '한/B.class']:
        with zip.open(name, 'w', force_zip64=True) as entry:
            entry.write(bytes.fromhex('CAFEBABE0000003D') + name.encode() * 100)
`;
    const path = file('python.jar');
    execFileSync('python3', ['-c', script, path]);
    const { entries, errors } = await list(path);
    expect(errors).toEqual([]);
    expect(entries.map(({ path, bytes }) => [path, bytes.length])).toEqual([
      ['a/A.class', 908],
      ['한/B.class', 1108],
    ]);
  });
});
