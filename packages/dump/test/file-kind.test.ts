/** Recognition of files by their first bytes. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scale, seed } from '../../../tooling/tiers/tier.js';
import { FILE_HEAD, findFileKind, isFileKindDecided } from '../src/open/file-kind.js';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

describe('findFileKind refuses a file that is not text', () => {
  const tar = (name: string): Buffer => {
    const block = Buffer.alloc(1024);
    block.write(name);
    block.write('ustar', 257);
    return block;
  };
  const dataPump = (version: number, job: string): Buffer => {
    const block = Buffer.alloc(8192);
    block.writeUInt16BE(version, 0);
    block.write(`${job}\0x86_64/Linux 2.4.xx\0ORCL\0UTF8\0`, 300);
    return block;
  };
  const restore = 'convert it to text first: pg_restore -f - FILE';
  const packed = (what: string, command: string): string =>
    `is compressed with ${what}, which is not supported; decompress it first: ${command} FILE | utf8 …`;
  const oracle = (what: string, reader: string): string =>
    `is a dump of Oracle's ${what}, which only ${reader} can read; import it, and export the tables as CSV`;
  const wide = (what: string): string =>
    `is ${what} text; convert it first: iconv -f ${what} -t UTF-8 FILE`;

  const rows = (what: string, how: string): string =>
    `is ${what}; export its rows as text first${how}`;
  const classes = (what: string): string =>
    `is ${what}; list the strings in it with utf8 strings FILE`;
  const bson = hex('19 00 00 00 02 6E 61 6D 65 00 0A 00 00 00 68 69 20 ED A0 BD ED B8 80 00 00');
  const dbf = Buffer.concat([
    hex('03 7C 01 1F 02 00 00 00 41 00 0B 00'),
    Buffer.alloc(20),
    Buffer.from('NAME\0\0\0\0\0\0\0C'),
    Buffer.alloc(30),
    hex('0D'),
  ]);

  it.each<[string, Buffer, string]>([
    [
      'pg_dump -Fc',
      Buffer.from('PGDMP\x01\x0e\x00\x04\x08'),
      `is a custom-format dump of pg_dump; ${restore}`,
    ],
    ['pg_dump -Ft', tar('toc.dat'), `is a tar-format dump of pg_dump; ${restore}`],
    [
      'tar',
      tar('rows.csv'),
      'is a tar archive; extract the file in it: tar -xOf FILE MEMBER | utf8 …',
    ],
    [
      'binary COPY',
      hex('50 47 43 4F 50 59 0A FF 0D 0A 00 00 00 00 00 00 00 00 00 FF FF'),
      "is PostgreSQL's binary COPY; unload it again with COPY … (FORMAT text)",
    ],
    [
      'SQLite',
      Buffer.from('SQLite format 3\0\x10\x00\x01\x01'),
      'is an SQLite database; convert it to text first: sqlite3 FILE .dump',
    ],
    [
      'Parquet',
      hex('50 41 52 31 15 04 15 10'),
      "is a Parquet file; export its rows as CSV first, in DuckDB: COPY (FROM 'FILE') TO 'rows.csv'",
    ],
    // As exp 11.2 in US7ASCII, in UTF8 (871) and in ZHS16GBK (852) begins.
    ['exp', Buffer.from('\x03\x00\x01EXPORT:V11.02.00\nDSYS\n', 'latin1'), oracle('exp', 'imp')],
    ['exp', Buffer.from('\x03\x03\x67EXPORT:V10.02.01\nDSYS\n', 'latin1'), oracle('exp', 'imp')],
    ['exp', Buffer.from('\x03\x03TEXPORT:V08.01.07\nUSCOTT\n', 'latin1'), oracle('exp', 'imp')],
    [
      'expdp',
      dataPump(0x0301, '"SYSTEM"."SYS_EXPORT_SCHEMA_01"'),
      oracle('Data Pump (expdp)', 'impdp'),
    ],
    ['expdp', dataPump(0x0001, '"SCOTT"."NIGHTLY"'), oracle('Data Pump (expdp)', 'impdp')],
    ['bzip2', hex('42 5A 68 39 31 41 59 26 53 59 C1 C0 80 E2 00 00'), packed('bzip2', 'bzip2 -dc')],
    [
      'bzip2 of nothing',
      hex('42 5A 68 39 17 72 45 38 50 90 00 00 00 00'),
      packed('bzip2', 'bzip2 -dc'),
    ],
    ['xz', hex('FD 37 7A 58 5A 00 00 04 E6 D6 B4 46 02 00'), packed('xz', 'xz -dc')],
    ['lz4', hex('04 22 4D 18 64 40 A7 06 00 00 80'), packed('lz4', 'lz4 -dc')],
    ['lz4 of old', hex('02 21 4C 18 06 00 00 00'), packed('lz4', 'lz4 -dc')],
    ['compress', hex('1F 9D 90 68 CA B0 61 F3'), packed('compress', 'gzip -dc')],
    ['7-Zip', hex('37 7A BC AF 27 1C 00 04'), packed('7-Zip', '7z x -so')],
    ['zip', hex('50 4B 03 04 14 00 08 00 08 00'), packed('zip', 'unzip -p')],
    ['an empty zip', hex('50 4B 05 06 00 00 00 00'), packed('zip', 'unzip -p')],
    ['resources', hex('02 00 0C 00 2C 01 00 00'), classes("a table of Android's resources")],
    ['binary XML', hex('03 00 08 00 2C 01 00 00'), classes('binary XML of Android')],
    ['HPROF', Buffer.from('JAVA PROFILE 1.0.2\0\0\0\0\x08'), classes('a heap dump')],
    ['serialization', hex('AC ED 00 05 74 00 01 61'), classes('a serialized Java object')],
    ['NBT', hex('0A 00 00 08 00 01 61 00 00 00'), classes('an NBT file')],
    ['UTF-16', Buffer.from('\uFEFFid,name\n', 'utf16le'), wide('UTF-16')],
    ['UTF-16', Buffer.from('\uFEFFid,name\n', 'utf16le').swap16(), wide('UTF-16')],
    ['UTF-32', hex('FF FE 00 00 41 00 00 00'), wide('UTF-32')],
    ['UTF-32', hex('00 00 FE FF 00 00 00 41'), wide('UTF-32')],
    ['UTF-16LE', Buffer.from('id,name\r\n'.repeat(9), 'utf16le'), wide('UTF-16LE')],
    ['UTF-16BE', Buffer.from('id,name\r\n'.repeat(9), 'utf16le').swap16(), wide('UTF-16BE')],
    ['BSON', bson, rows('BSON', ': bsondump FILE')],
    [
      'long BSON',
      Buffer.concat([hex('00 50 00 00 05 62 00'), Buffer.alloc(5000, 'x')]),
      rows('BSON', ': bsondump FILE'),
    ],
    ['Avro', hex('4F 62 6A 01 04 14 61 76'), rows('an Avro file', ': avro-tools tojson FILE')],
    ['ORC', hex('4F 52 43 0A 0B 0A 03 00 00 00'), rows('an ORC file', ': orc-contents FILE')],
    [
      'Arrow',
      hex('41 52 52 4F 57 31 00 00 FF FF FF FF'),
      rows('an Arrow file', " as CSV, with pyarrow's csv.write_csv"),
    ],
    [
      'Arrow',
      hex('FF FF FF FF 70 00 00 00 10 00'),
      rows('an Arrow stream', " as CSV, with pyarrow's csv.write_csv"),
    ],
    ['dBASE', dbf, rows('a dBASE file', ' as CSV, in the program that wrote it')],
    ['class', hex('CA FE BA BE 00 00 00 34'), classes('a class file')],
    ['dex', Buffer.from('dex\n035\0'), classes('a dex file')],
    [
      'jar',
      Buffer.concat([
        hex('50 4B 03 04'),
        Buffer.alloc(22),
        hex('09 00 00 00'),
        Buffer.from('META-INF/'),
      ]),
      classes('an archive of classes'),
    ],
  ])('%s', (_, bytes, refusal) => {
    expect(findFileKind(bytes.subarray(0, FILE_HEAD))).toMatchObject({ refusal });
  });
});

it.each([
  ['gzip', '1F 8B 08 00'],
  ['zstd', '28 B5 2F FD'],
  ['zstd', '50 2A 4D 18'],
  ['zstd', '5F 2A 4D 18'],
])('findFileKind recognises %s by %s', (packing, bytes) => {
  expect(findFileKind(hex(bytes))).toEqual({ packing });
});

describe('findFileKind accepts text', () => {
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
    ['NUL between letters', 'a\0b\0c\0'.repeat(20)],
    ['words that begin other files', 'ORC,Obj,dex\n1,2,3\n'],
    ['a length and no document', '\x10\0\0\0\x02name\n'],
  ])('%s', (_, text) => {
    expect(findFileKind(Buffer.from(text))).toBeUndefined();
  });

  const character = fc.integer({ max: 0x10_ffff, min: 0 }).filter((n) => n < 0xd800 || n > 0xdfff);
  const anyText = fc
    .array(character, { maxLength: 400 })
    .map((codePoints) => String.fromCodePoint(...codePoints));

  it('findFileKind accepts any well-formed text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        fc.pre((text.codePointAt(0) ?? 0) > 0x0f);
        expect(findFileKind(Buffer.from(text))).toBeUndefined();
      }),
      { seed, numRuns: scale(300) },
    );
  });
});

it.each([
  ['', false],
  ['68', true],
  ['50 0A', true],
  ['42 5A 0A', true],
  ['1F', false],
  ['28 B5', false],
  ['51 2A 4D', false],
  ['FF FE', false],
  ['50 47 43 4F', false],
  ['01', false],
])('isFileKindDecided of the first bytes %j is %s', (bytes, isDecided) => {
  expect(isFileKindDecided(hex(bytes))).toBe(isDecided);
});

it('isFileKindDecided is true for FILE_HEAD bytes', () => {
  expect(isFileKindDecided(new Uint8Array(FILE_HEAD))).toBe(true);
});
