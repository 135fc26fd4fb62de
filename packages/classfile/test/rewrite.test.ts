import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { runInNewContext } from 'node:vm';
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import { type JarError, type Rewrite, type RewriteOptions, rewriteJar } from '@utf8/classfile/jar';
import { describe, expect, it } from 'vitest';
import { dissect } from './dissect.js';
import { useFolder } from './folder.js';
import { readAll } from './reading.js';
import { classOf, type End, type Item, zip } from './zip.js';

const file = useFolder();

/** A class becomes longer, unless its path says that it stays. */
const change: Rewrite = ({ path, bytes }) =>
  /Keep/.test(path) ? undefined : Buffer.concat([bytes, Buffer.from(` changed ${path}`)]);

let counter = 0;

/** Writes an archive, rewrites it, and reads the result. */
async function rewrite(bytes: Uint8Array, by: Rewrite = change, options: RewriteOptions = {}) {
  const folder = `${counter++}`;
  mkdirSync(file(folder));
  const [input, output] = [file(`${folder}/in.jar`, bytes), file(`${folder}/out.jar`)];
  let failure: JarError | undefined;
  const report = await rewriteJar(input, output, by, options).catch((error) => {
    failure = error;
    return undefined;
  });
  // Nothing else is left, and the input is what it was.
  expect(readdirSync(file(folder)).sort()).toEqual(report ? ['in.jar', 'out.jar'] : ['in.jar']);
  expect(readFileSync(input).equals(bytes)).toBe(true);
  return { report, failure, input, output, bytes: report ? readFileSync(output) : Buffer.alloc(0) };
}

const uint32 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [i, value] of values.entries()) bytes.writeUInt32LE(value, 4 * i);
  return bytes;
};

/** An entry whose sizes come after it, in one of the forms that there are. */
function described(name: string, bytes: Buffer, isMarked: boolean, width: 4 | 8): Item {
  const data = deflateRawSync(bytes);
  const sizes = [data.length, bytes.length].flatMap((size) => (width === 4 ? [size] : [size, 0]));
  const descriptor = uint32(...(isMarked ? [0x08074b50] : []), crc32(bytes), ...sizes);
  return { name, bytes, data, claims: { flags: 8, descriptor } };
}

const text = Buffer.from('text, text, text');
const extra = Buffer.from('fecaffff'.padEnd(8, '0'), 'hex').fill(0, 2);

const items: Item[] = [
  { name: 'META-INF/', method: 0 },
  { name: 'META-INF/MANIFEST.MF', bytes: Buffer.from('Manifest-Version: 1.0\r\n\r\n') },
  { name: 'A.class', bytes: classOf('a') },
  { name: 'text.txt', bytes: text, claims: { extra, localExtra: extra } },
  { name: 'Stored.class', bytes: classOf('stored'), method: 0 },
  { name: 'stored.txt', bytes: text, method: 0 },
  { name: 'Keep.class', bytes: classOf('keep') },
  described('D1.class', classOf('d1'), true, 4),
  described('d1.txt', text, true, 4),
  described('D2.class', classOf('d2'), false, 4),
  described('D3.class', classOf('d3'), true, 8),
  described('D4.class', classOf('d4'), false, 8),
  described('d4.txt', text, false, 8),
  { name: 'A.class', bytes: classOf('again') },
  { name: 'encrypted.bin', bytes: text, claims: { flags: 1 } },
  { name: 'odd.bin', bytes: text, claims: { method: 93 } },
];
const plain = zip(items);

describe('an archive in which nothing changes stays what it is', () => {
  const archives: [string, Uint8Array][] = [
    ['plain', plain],
    ['empty', zip([])],
    ['large', zip(items, { isLarge: true })],
    ['jmod', Buffer.concat([Buffer.from('JM\x01\x00', 'latin1'), plain])],
    ['script', Buffer.concat([Buffer.from('#!/bin/sh\n'), plain])],
    [
      'nested',
      zip([
        { name: 'a.jar', bytes: plain },
        { name: 'b.jar', bytes: plain, method: 0 },
      ]),
    ],
  ];

  it.each(archives)('%s', async (name, bytes) => {
    const classes = name === 'empty' ? 0 : name === 'nested' ? 16 : 8;
    for (const by of [
      () => undefined,
      async () => undefined,
      ({ bytes }: { bytes: Uint8Array }) => bytes,
      ({ bytes }: { bytes: Uint8Array }) => Buffer.from(bytes),
      // Changes to the passed array do not count.
      ({ bytes }: { bytes: Uint8Array }) => void bytes.fill(0),
    ] as Rewrite[]) {
      const result = await rewrite(bytes, by);
      expect(result.report).toEqual({ classes, changed: 0, dropped: 0 });
      expect(result.bytes.equals(bytes)).toBe(true);
    }
  });
});

/** Checks that only the classes differ, and how. */
function check(before: Buffer, after: Buffer, base = 0, prefix = ''): void {
  const [old, now] = [dissect(before, base), dissect(after, base)];
  expect(after.subarray(0, base).equals(before.subarray(0, base))).toBe(true);
  expect(now.tail).toBe(old.tail);
  expect(now.parts.map(({ name }) => name)).toEqual(old.parts.map(({ name }) => name));
  for (const [i, part] of now.parts.entries()) {
    const was = old.parts[i] as typeof part;
    const isChanged = /\.class$/.test(part.name) && !/Keep/.test(part.name);
    if (!isChanged) {
      expect([part.header, part.record]).toEqual([was.header, was.record]);
      expect(part.data.equals(was.data)).toBe(true);
      continue;
    }
    expect(part.method).toBe(was.method);
    const whole = (data: Buffer) => (part.method === 8 ? inflateRawSync(data) : data);
    const expected = `${whole(was.data)} changed ${prefix}${part.name}`;
    // The second of two entries with one name has another path.
    const text = whole(part.data)
      .toString()
      .replace(/ \(entry \d+\)$/, '');
    expect(text).toBe(expected);
    // Of the headers only checksums and sizes.
    for (const [header, previous, from, to] of [
      [part.header, was.header, 28, 52],
      [part.record, was.record, 32, 56],
    ] as const) {
      expect(header.slice(0, from) + header.slice(to)).toBe(
        previous.slice(0, from) + previous.slice(to),
      );
    }
  }
}

describe('an archive in which classes change has all else as it was', () => {
  it.each([
    ['plain', '', {}],
    ['after the four bytes of a jmod', 'JM\x01\x00', {}],
    ['after a script', '#!/bin/sh\nexec java -jar "$0" "$@"\n', {}],
    ['large', '', { isLarge: true }],
    ['with a comment', '', { comment: Buffer.from('a comment, PK\x05\x06') }],
  ])('%s', async (_, head, end: End) => {
    const { comment = Buffer.alloc(0) } = end;
    const archive = zip(items, end);
    archive.writeUInt16LE(comment.length, archive.length - comment.length - 2);
    const before = Buffer.concat([Buffer.from(head, 'latin1'), archive]);
    const { report, bytes, output } = await rewrite(before);
    expect(report).toEqual({ classes: 8, changed: 7, dropped: 0 });
    check(before, bytes, head.length);
    const { classes, errors } = await readAll(output);
    expect([classes.size, errors]).toEqual([8, []]);
  });

  it('in archives within, stored and compressed, and in those within them', async () => {
    const inner = zip([{ name: 'deep.war', bytes: plain }, ...items]);
    const outer = zip([
      { name: 'lib/a.jar', bytes: inner, method: 0 },
      { name: 'text.txt', bytes: text },
      { name: 'lib/b.jar', bytes: inner },
      { name: 'Keep.jar', bytes: plain },
      { name: 'Main.class', bytes: classOf('main') },
    ]);
    const { report, bytes, output } = await rewrite(outer);
    expect(report).toEqual({ classes: 41, changed: 29, dropped: 0 });
    const [old, now] = [dissect(outer), dissect(bytes)];
    expect(now.parts[0]?.method).toBe(0);
    expect(now.parts[3]?.data.equals(old.parts[3]?.data as Buffer)).toBe(true);
    for (const i of [0, 2]) {
      const data = (parts: typeof old): Buffer => {
        const { data, method } = parts.parts[i] as (typeof parts.parts)[0];
        return method === 8 ? inflateRawSync(data) : data;
      };
      const [a, b] = [dissect(data(old)), dissect(data(now))];
      expect(a.parts.slice(1).map(({ name }) => name)).toEqual(
        b.parts.slice(1).map(({ name }) => name),
      );
      const deep = (parts: typeof a): Buffer => inflateRawSync(parts.parts[0]?.data as Buffer);
      check(deep(a), deep(b), 0, `lib/${i === 0 ? 'a' : 'b'}.jar!/deep.war!/`);
    }
    const { classes, errors } = await readAll(output);
    expect(errors).toEqual([]);
    for (const [path, bytes] of classes) {
      expect(Buffer.from(bytes).toString().endsWith(` changed ${path}`)).toBe(!/Keep/.test(path));
    }
  });

  it('whether entries lie in the order of the directory or not', async () => {
    const bytes = Buffer.from(plain);
    const { parts } = dissect(bytes);
    const end = bytes.lastIndexOf('PK\x05\x06');
    const start = bytes.readUInt32LE(end + 16);
    // The directory backwards.
    const records = parts.map(({ record, offset }) => {
      const record_ = Buffer.from(record, 'hex');
      record_.writeUInt32LE(offset, 42);
      return record_;
    });
    const turned = Buffer.concat([
      bytes.subarray(0, start),
      ...records.reverse(),
      bytes.subarray(end),
    ]);
    check(turned, (await rewrite(turned)).bytes);
  });

  it('even what lies between entries', async () => {
    const gaps = zip([
      { name: 'A.class', bytes: classOf('a'), claims: { descriptor: Buffer.from('a gap') } },
      { name: 'B.class', bytes: classOf('b'), claims: { descriptor: Buffer.from('another') } },
    ]);
    // Their headers have zeros in place of sizes, though no flag says that these come later.
    const { bytes } = await rewrite(gaps);
    expect(bytes.includes('a gapPK\x03\x04')).toBe(true);
    expect(bytes.includes('anotherPK\x01\x02')).toBe(true);
  });
});

describe('stored entries that are aligned stay so', () => {
  /** Stored entries at multiples of 4, and programs of 4096, as zipalign has them. */
  function align(items: readonly Item[]): Buffer {
    let position = 0;
    const aligned = items.map((item) => {
      const alignment =
        item.method !== 0 || !item.bytes ? 1 : /\.so$/.test(`${item.name}`) ? 4096 : 4;
      const start = position + 30 + item.name.length;
      const padding = (alignment - (start % alignment)) % alignment;
      const data = item.method === 0 ? item.bytes : deflateRawSync(item.bytes as Uint8Array);
      position = start + padding + (data?.length ?? 0);
      return { ...item, claims: { localExtra: Buffer.alloc(padding) } };
    });
    return zip(aligned);
  }

  it('by an extra field, or by fewer zeros', async () => {
    const aligned = align([
      { name: 'classes.dex', bytes: text, method: 0 },
      { name: 'A.class', bytes: classOf('a') },
      { name: 'resources.arsc', bytes: text, method: 0 },
      { name: 'B.class', bytes: classOf('b'), method: 0 },
      { name: 'lib/x.so', bytes: Buffer.alloc(5000, 1), method: 0 },
      { name: 'text.txt', bytes: text },
      { name: 'raw/a', bytes: text, method: 0 },
    ]);
    for (let length = 0; length < 9; length++) {
      const by: Rewrite = ({ bytes }) => Buffer.concat([bytes, Buffer.alloc(length, 'x')]);
      const { bytes, output } = await rewrite(aligned, by);
      const [old, now] = [dissect(aligned), dissect(bytes)];
      for (const [i, { name, method, start, data }] of now.parts.entries()) {
        if (method === 0) expect(start % (/\.so$/.test(name) ? 4096 : 4), name).toBe(0);
        if (!/class$/.test(name)) expect(data.equals(old.parts[i]?.data as Buffer)).toBe(true);
      }
      expect((await readAll(output)).errors).toEqual([]);
      // And it does not grow with each time.
      const again = await rewrite(bytes, ({ bytes }) => bytes.slice(0, bytes.length - length));
      if (length > 0) expect(again.bytes.length).toBeLessThanOrEqual(bytes.length + 16);
      expect(dissect(again.bytes).parts.map(({ start }) => start % 4)).toEqual(
        dissect(again.bytes).parts.map(({ start, method }) => (method === 0 ? 0 : start % 4)),
      );
    }
  });

  it('but not those without bytes', async () => {
    const folders = ['a/', 'ab/', 'abc/', 'abcd/'].map((name) => ({ name, method: 0 }));
    const aligned = align([
      { name: 'classes.dex', bytes: text, method: 0 },
      { name: 'A.class', bytes: classOf('a') },
      ...folders,
      { name: 'resources.arsc', bytes: text, method: 0 },
    ]);
    const [old, now] = [aligned, (await rewrite(aligned)).bytes].map((each) => dissect(each).parts);
    for (const i of [2, 3, 4, 5]) expect(now?.[i]?.header).toBe(old?.[i]?.header);
    expect(now?.[6]?.start).not.toBe(old?.[6]?.start);
    expect((now?.[6]?.start as number) % 4).toBe(0);
  });
});

const digest = 'SHA-256-Digest: 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';
const manifest = [
  'Manifest-Version: 1.0',
  'Created-By: SHA-256-Digest: not one',
  '',
  'Name: A.class',
  digest,
  'X-Own: kept',
  '',
  'Name: a/very/long/name/that/goes/on/in/the/next/line/since/lines/have/72/b',
  ' ytes.txt',
  'SHA-512-Digest: aGVsbG8gaGVsbG8gaGVsbG8gaGVsbG8gaGVsbG8gaGVsbG8gaGVsbG8gaGVsbG8gaGVs',
  ' bG8gaGVsbG8gaGVsbG8=',
  '',
  '',
].join('\r\n');

const signed = zip([
  { name: 'META-INF/MANIFEST.MF', bytes: Buffer.from(manifest) },
  { name: 'META-INF/SIGNER.SF', bytes: Buffer.from('Signature-Version: 1.0\r\n\r\n') },
  { name: 'META-INF/SIGNER.RSA', bytes: Buffer.from('0') },
  { name: 'META-INF/SIG-OTHER', bytes: Buffer.from('0') },
  { name: 'META-INF/kept/SIGNER.SF', bytes: text },
  { name: 'A.class', bytes: classOf('a') },
  { name: 'text.txt', bytes: text },
]);

describe('a signed archive', () => {
  it('is refused if a class in it changes', async () => {
    const { failure, input } = await rewrite(signed);
    expect(failure).toMatchObject({
      code: 'ERR_JAR',
      reason: 'signed',
      path: undefined,
      message: `${input}: is signed, and its signature does not match other classes; drop signatures, and sign the output`,
    });
    const nested = zip([{ name: 'n.jar', bytes: signed }]);
    expect((await rewrite(nested)).failure).toMatchObject({ reason: 'signed', path: 'n.jar' });
  });

  it('is copied if none does, though one around it changes', async () => {
    expect((await rewrite(signed, () => undefined)).bytes.equals(signed)).toBe(true);
    const around = zip([
      { name: 'Keep.jar', bytes: signed, method: 0 },
      { name: 'A.class', bytes: classOf('a') },
    ]);
    const { report, bytes } = await rewrite(around);
    expect(report).toEqual({ classes: 2, changed: 1, dropped: 0 });
    expect(dissect(bytes).parts[0]?.data.equals(signed)).toBe(true);
  });

  it('loses its signature on request, and nothing else', async () => {
    const { report, bytes } = await rewrite(signed, change, { signatures: 'drop' });
    expect(report).toEqual({ classes: 1, changed: 1, dropped: 3 });
    const { parts } = dissect(bytes);
    expect(parts.map(({ name }) => name)).toEqual([
      'META-INF/MANIFEST.MF',
      'META-INF/kept/SIGNER.SF',
      'A.class',
      'text.txt',
    ]);
    expect(inflateRawSync(parts[0]?.data as Buffer).toString()).toBe(
      manifest.replace(`${digest}\r\n`, '').replace(/SHA-512-Digest.*\r\n .*\r\n/, ''),
    );
    const none = await rewrite(signed, () => undefined, { signatures: 'drop' });
    expect(none.bytes.equals(signed)).toBe(true);
  });

  it('may be an APK with a block before its directory', async () => {
    const bytes = zip([
      { name: 'A.class', bytes: classOf('a') },
      { name: 'text.txt', bytes: text },
    ]);
    const end = bytes.length - 22;
    const directory = bytes.readUInt32LE(end + 16);
    const block = Buffer.alloc(100, 'signature');
    block.writeBigUInt64LE(92n, 0);
    block.writeBigUInt64LE(92n, 76);
    block.write('APK Sig Block 42', 84, 'latin1');
    const apk = Buffer.concat([bytes.subarray(0, directory), block, bytes.subarray(directory)]);
    apk.writeUInt32LE(directory + 100, end + 100 + 16);
    expect((await rewrite(apk)).failure).toMatchObject({ reason: 'signed' });
    expect((await rewrite(apk, () => undefined)).bytes.equals(apk)).toBe(true);
    const dropped = await rewrite(apk, change, { signatures: 'drop' });
    expect(dropped.report).toEqual({ classes: 1, changed: 1, dropped: 1 });
    check(bytes, dropped.bytes);
    expect(dropped.bytes.includes('APK Sig')).toBe(false);
  });
});

describe('what cannot be written is refused, and nothing is left', () => {
  const good: Item = { name: 'Good.class', bytes: classOf('good') };
  const bytes = classOf('bad');

  it.each<[string, Uint8Array, string, string | undefined, RewriteOptions?]>([
    ['no archive', text, 'not-an-archive', undefined],
    ['half of one', plain.subarray(0, 200), 'not-an-archive', undefined],
    [
      'a bad checksum',
      zip([good, { name: 'B.class', bytes, claims: { crc: 1 } }]),
      'checksum',
      'B.class',
    ],
    [
      'an encrypted class',
      zip([good, { name: 'B.class', bytes, claims: { flags: 1 } }]),
      'encrypted',
      'B.class',
    ],
    ['no archive within', zip([good, { name: 'b.jar', bytes: text }]), 'not-an-archive', 'b.jar'],
    [
      'half of one within',
      zip([good, { name: 'b', bytes: plain.subarray(0, 200) }]),
      'not-an-archive',
      'b',
    ],
    ['depth', zip([good, { name: 'b.jar', bytes: plain }]), 'depth', 'b.jar', { maxDepth: 0 }],
    ['a large class', zip([good]), 'too-large', 'Good.class', { maxClassBytes: 5 }],
    ['a wrong count', zip([good], { count: 2 }), 'directory', undefined],
    ['a wrong place', zip([good, { name: 'b', bytes, claims: { offset: 0xfff0 } }]), 'header', 'b'],
    [
      'no descriptor',
      zip([good, { name: 'B.class', bytes, claims: { flags: 8 } }]),
      'header',
      'B.class',
    ],
    ['one entry twice', zip([good, { name: 'b', claims: { offset: 0 } }]), 'overlap', 'Good.class'],
  ])('%s', async (_, archive, reason, path, options) => {
    const { failure, input } = await rewrite(archive, change, options);
    expect(failure).toMatchObject({ code: 'ERR_JAR', reason, path });
    expect(failure?.message.startsWith(path ? `${input}!/${path}: ` : `${input}: `)).toBe(true);
  });

  it('a function that throws, or returns anything else', async () => {
    const cause = new Error('no way');
    const throwing = await rewrite(zip([good]), () => {
      throw cause;
    });
    expect(throwing.failure).toMatchObject({
      reason: 'rewrite',
      path: 'Good.class',
      message: `${throwing.input}!/Good.class: was not rewritten: no way`,
      cause,
    });
    for (const value of [null, 'text', 1, {}, [1]]) {
      const { failure } = await rewrite(zip([good]), () => value as unknown as Uint8Array);
      expect(failure?.message).toMatch(
        /Good\.class: was rewritten as \w+; return a Uint8Array, or undefined/,
      );
    }
    const rejecting = await rewrite(zip([good]), () => Promise.reject(cause));
    expect(rejecting.failure?.cause).toBe(cause);
  });

  it.each([0, 8])('not a class that another realm made, by method %i', async (method) => {
    const make = (bytes: Uint8Array): Uint8Array =>
      runInNewContext('Uint8Array.from(bytes)', { bytes: [...bytes, 1] });
    const { report, bytes } = await rewrite(zip([{ ...good, method }]), ({ bytes }) => make(bytes));
    expect(report?.changed).toBe(1);
    const { classes } = await readAll(file('other-realm.jar', bytes));
    expect(classes.get('Good.class')).toEqual(Uint8Array.of(...(good.bytes as Buffer), 1));
  });

  it('options that are none', async () => {
    const wrong = { signatures: 'keep' } as unknown as RewriteOptions;
    expect((await rewrite(plain, change, wrong)).failure).toEqual(
      new RangeError("signatures is 'refuse' or 'drop', not keep"),
    );
    expect((await rewrite(plain, change, { maxDepth: -1 })).failure).toBeInstanceOf(RangeError);
    const noFunction = 'class' as unknown as Rewrite;
    expect((await rewrite(plain, noFunction)).failure).toBeInstanceOf(TypeError);
  });
});

describe('the output', () => {
  it('is never the input, by whatever name', async () => {
    mkdirSync(file('same'));
    const input = file('same/in.jar', plain);
    symlinkSync('in.jar', file('same/link.jar'));
    symlinkSync('link.jar', file('same/link-of-link.jar'));
    linkSync(input, file('same/hard.jar'));
    symlinkSync('.', file('same/folder'));
    for (const name of ['in.jar', 'link.jar', 'link-of-link.jar', 'hard.jar', 'folder/in.jar']) {
      const output = file(`same/${name}`);
      for (const [a, b] of [
        [input, output],
        [output, input],
      ] as const) {
        await expect(rewriteJar(a, b, change)).rejects.toMatchObject({
          reason: 'output',
          message: `${a}: the output ${b} is the same file; choose another one`,
        });
      }
    }
    expect(readFileSync(input).equals(plain)).toBe(true);
    expect(readdirSync(file('same'))).toHaveLength(5);
  });

  it('is no folder, and no device', async ({ skip }) => {
    const input = file('regular.jar', plain);
    await expect(rewriteJar(input, file('.'), change)).rejects.toMatchObject({ reason: 'output' });
    await expect(rewriteJar(input, file('none/out.jar'), change)).rejects.toMatchObject({
      code: 'ENOENT',
    });
    if (process.platform === 'win32') skip('no device that is a file');
    await expect(rewriteJar(input, '/dev/null', change)).rejects.toMatchObject({
      reason: 'output',
    });
  });

  it('replaces what is there, through a link, and only when it is whole', async () => {
    mkdirSync(file('old'));
    const input = file('old/in.jar', plain);
    const output = file('old/out.jar', Buffer.from('old'));
    symlinkSync('out.jar', file('old/link.jar'));
    const bad = file('old/bad.jar', plain.subarray(0, 300));
    await expect(rewriteJar(bad, output, change)).rejects.toMatchObject({ code: 'ERR_JAR' });
    expect(readFileSync(output, 'utf8')).toBe('old');
    const during: string[] = [];
    await rewriteJar(input, file('old/link.jar'), (each) => {
      during.push(readFileSync(output, 'utf8'));
      return change(each);
    });
    expect(new Set(during)).toEqual(new Set(['old']));
    check(plain, readFileSync(output));
    expect(readdirSync(file('old')).sort()).toEqual(['bad.jar', 'in.jar', 'link.jar', 'out.jar']);
    expect(statSync(file('old/link.jar')).ino).toBe(statSync(output).ino);
  });

  it('is what a link leads to, though there is nothing yet', async () => {
    mkdirSync(file('new'));
    const input = file('new/in.jar', plain);
    symlinkSync('second', file('new/first'));
    symlinkSync('out.jar', file('new/second'));
    await rewriteJar(input, file('new/first'), change);
    check(plain, readFileSync(file('new/out.jar')));
    expect(readlinkSync(file('new/first'))).toBe('second');
    expect(readdirSync(file('new')).sort()).toEqual(['first', 'in.jar', 'out.jar', 'second']);
  });

  it.skipIf(process.platform === 'win32')('has the permissions of the input', async () => {
    const input = file('mode.jar', plain);
    for (const mode of [0o644, 0o755, 0o600, 0o440]) {
      chmodSync(input, mode);
      await rewriteJar(input, file('mode-out.jar'), change);
      expect(statSync(file('mode-out.jar')).mode & 0o777).toBe(mode);
    }
  });

  it('does not come of an input that changes meanwhile', async () => {
    mkdirSync(file('moving'));
    const input = file('moving/in.jar', plain);
    for (const bytes of [
      Buffer.concat([plain, text]),
      plain.subarray(0, plain.length - 4),
      plain,
    ]) {
      const rewriting = rewriteJar(input, file('moving/out.jar'), (each) => {
        writeFileSync(input, bytes);
        return change(each);
      });
      await expect(rewriting).rejects.toMatchObject({ code: 'ERR_JAR', reason: 'changed' });
      writeFileSync(input, plain);
      expect(existsSync(file('moving/out.jar'))).toBe(false);
    }
  });

  it('may have a name as long as names may be', async () => {
    const output = file(`${'x'.repeat(251)}.jar`);
    await rewriteJar(file('long.jar', plain), output, change);
    check(plain, readFileSync(output));
  });

  it('gets what is passed over as it is, and tells it', async () => {
    const told: string[] = [];
    await rewrite(plain, change, { onSkip: ({ path }) => told.push(path) });
    expect(told).toEqual(['encrypted.bin', 'odd.bin']);
  });
});

it('is refused where its two ends say different things, which programs read differently', async () => {
  const bytes = zip([{ name: 'A.class', bytes: classOf('a') }], { isLarge: true });
  bytes.writeUInt32LE(2, bytes.length - 22 - 76 + 32);
  expect((await rewrite(bytes)).failure).toMatchObject({ reason: 'directory' });
  expect((await rewrite(bytes, () => undefined)).bytes.equals(bytes)).toBe(true);
});
