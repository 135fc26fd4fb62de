/** What a file is, by its first bytes: text, compressed text, or nothing that can be read as text. */

/** How the bytes of a file are packed. */
export type Packing = 'gzip' | 'zstd';

/** What a file is if not text. */
export type Kind =
  | { readonly packing: Packing }
  /** What it is and what to do instead, as the end of a sentence that begins with its name. */
  | { readonly refusal: string };

/** How many bytes of a file tell what it is: a block of a Data Pump file. */
export const HEAD = 4096;

/** How many tell it of everything that begins with printable bytes or with a whole signature. */
export const GLANCE = 16;

/** Bytes that a file has at a place. */
interface Signature {
  readonly at?: number;
  /** In hexadecimal digits, `..` for any byte; or text between quotes. */
  readonly bytes: string;
  readonly kind: Kind;
}

const dump = (what: string, command: string): Kind => ({
  refusal: `is ${what}; turn it into text first: ${command}`,
});

const packed = (what: string, command: string): Kind => ({
  refusal: `is compressed with ${what}, which is not read here; unpack it on the way: ${command} FILE | utf8 …`,
});

const wide = (what: string): Kind => ({
  refusal: `is ${what} text, not of this family of encodings; convert it first: iconv -f ${what} -t UTF-8 FILE`,
});

/** What has a longer signature stands before what has a shorter one that is its beginning. */
const signatures: readonly Signature[] = [
  // RFC 1952 §2.3: ID1, ID2, and the one method there is.
  { bytes: '1F 8B 08', kind: { packing: 'gzip' } },
  // RFC 8878 §3.1.1 and §3.1.2, frames with data and frames to skip. pzstd begins with the latter.
  { bytes: '28 B5 2F FD', kind: { packing: 'zstd' } },
  { bytes: '"PGDMP"', kind: dump('a custom-format dump of pg_dump', 'pg_restore -f - FILE') },
  {
    bytes: '"PGCOPY" 0A FF 0D 0A 00',
    kind: { refusal: "is PostgreSQL's binary COPY; unload it again, with COPY … (FORMAT text)" },
  },
  {
    bytes: '"SQLite format 3" 00',
    kind: dump('an SQLite database', 'sqlite3 FILE .dump'),
  },
  // PageHeader or FileMetaData follows, whose first field, in Thrift's compact protocol, is an i32.
  {
    bytes: '"PAR1" 15',
    kind: {
      refusal:
        "is a Parquet file; write its rows as CSV first, as DuckDB does: COPY (FROM 'FILE') TO 'rows.csv'",
    },
  },
  { bytes: '"BZh" .. 31 41 59 26 53 59', kind: packed('bzip2', 'bzip2 -dc') },
  { bytes: '"BZh" .. 17 72 45 38 50 90', kind: packed('bzip2', 'bzip2 -dc') },
  { bytes: 'FD "7zXZ" 00', kind: packed('xz', 'xz -dc') },
  { bytes: '04 22 4D 18', kind: packed('lz4', 'lz4 -dc') },
  { bytes: '02 21 4C 18', kind: packed('lz4', 'lz4 -dc') },
  { bytes: '1F 9D', kind: packed('compress', 'gzip -dc') },
  { bytes: '"7z" BC AF 27 1C', kind: packed('7-Zip', '7z x -so') },
  { bytes: '"PK" 03 04', kind: packed('zip', 'unzip -p') },
  { bytes: '"PK" 05 06', kind: packed('zip', 'unzip -p') },
  { bytes: 'FF FE 00 00', kind: wide('UTF-32') },
  { bytes: '00 00 FE FF', kind: wide('UTF-32') },
  { bytes: 'FF FE', kind: wide('UTF-16') },
  { bytes: 'FE FF', kind: wide('UTF-16') },
  // POSIX ustar, and as GNU's tar writes it. pg_dump -Ft has its table of contents in front.
  {
    at: 257,
    bytes: '"ustar"',
    kind: {
      refusal: 'is a tar archive; pass on the file in it: tar -xOf FILE MEMBER | utf8 …',
    },
  },
];

const tarOfPostgres = dump('a tar-format dump of pg_dump', 'pg_restore -f - FILE');

/** Says what an Oracle dump is, which nothing but Oracle's own import reads. */
const oracle = (what: string, reader: string): Kind => ({
  refusal: `is a dump of Oracle's ${what}, which only ${reader} reads; import it, and spool the tables as CSV`,
});

const patterns = signatures.map(({ at = 0, bytes, kind }) => ({
  at,
  pattern: parse(bytes),
  kind,
}));

/** The bytes of a signature; undefined for any. */
function parse(text: string): readonly (number | undefined)[] {
  return (text.match(/"[^"]*"|\S+/g) ?? []).flatMap((word) => {
    if (word === '..') return [undefined];
    return [...(word.startsWith('"') ? Buffer.from(word.slice(1, -1)) : Buffer.from(word, 'hex'))];
  });
}

/**
 * Tells what a file is.
 *
 * @param head - Its first {@link HEAD} bytes; all of them where there are less.
 * @returns Undefined where it may be text.
 */
export function findKind(head: Uint8Array): Kind | undefined {
  if (isSkippableFrame(head)) return { packing: 'zstd' };
  const found = patterns.find(({ at, pattern }) =>
    pattern.every((byte, i) => (byte === undefined ? at + i < head.length : head[at + i] === byte)),
  )?.kind;
  if (found) return isTarOfPostgres(head) ? tarOfPostgres : found;
  if (isExport(head)) return oracle('exp', 'imp');
  if (isDataPump(head)) return oracle('Data Pump (expdp)', 'impdp');
  return undefined;
}

/** RFC 8878 §3.1.2: sixteen magic numbers. lz4 has the same, in front of frames with its own. */
const isSkippableFrame = (head: Uint8Array): boolean =>
  ((head[0] ?? 0) & 0xf0) === 0x50 && head[1] === 0x2a && head[2] === 0x4d && head[3] === 0x18;

const isTarOfPostgres = (head: Uint8Array): boolean => ascii(head.subarray(0, 8)) === 'toc.dat\0';

/** `03`, the number of the character set in two bytes, and the version: `03 0001 EXPORT:V11.02.00`. */
const isExport = (head: Uint8Array): boolean =>
  head[0] === 0x03 && /^EXPORT:V\d/.test(ascii(head.subarray(3, GLANCE)));

/**
 * The version of the file in two bytes, from `00 01` (10.1) over `03 01` (11.2) on, and, in the same
 * block, the name of the job's table: `"SYSTEM"."SYS_EXPORT_SCHEMA_01"`.
 */
const isDataPump = (head: Uint8Array): boolean =>
  (head[0] ?? 0xff) < 0x10 && head[1] === 0x01 && /"[^"\0]+"\."[^"\0]+"/.test(ascii(head));

const ascii = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
