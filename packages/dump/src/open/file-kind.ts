/** Recognises files that are compressed or not text, by their first bytes. */

/** A supported compression. */
export type Packing = 'gzip' | 'zstd';

/** A file that is compressed, or not text. */
export type FileKind =
  | {
      /** The compression of the file. */
      readonly packing: Packing;
    }
  | {
      /** The kind of file and the command that reads it; follows the file's name in a message. */
      readonly refusal: string;
    };

/** Number of bytes that identify every kind: one block of a Data Pump file. */
export const FILE_HEAD = 4096;

/** Bytes at a fixed offset that identify a kind. */
interface Signature {
  readonly at?: number;
  /** Hex digits, `..` for any byte, or text in quotes. */
  readonly bytes: string;
  readonly kind: FileKind;
}

const dump = (what: string, command: string): FileKind => ({
  refusal: `is ${what}; convert it to text first: ${command}`,
});

/** A container of rows, which another program can export. */
const rows = (what: string, how: string): FileKind => ({
  refusal: `is ${what}; export its rows as text first${how}`,
});

const classes = (what: string): FileKind => ({
  refusal: `is ${what}; list the strings in it with utf8 strings FILE`,
});

const packed = (what: string, command: string): FileKind => ({
  refusal: `is compressed with ${what}, which is not supported; decompress it first: ${command} FILE | utf8 …`,
});

const zip = packed('zip', 'unzip -p');

const wide = (what: string): FileKind => ({
  refusal: `is ${what} text; convert it first: iconv -f ${what} -t UTF-8 FILE`,
});

/** A longer signature comes before its own prefix. */
const signatures: readonly Signature[] = [
  // RFC 1952 §2.3: ID1, ID2, and the only method.
  { bytes: '1F 8B 08', kind: { packing: 'gzip' } },
  // RFC 8878 §3.1.1; `isSkippableFrame` recognises the other frames.
  { bytes: '28 B5 2F FD', kind: { packing: 'zstd' } },
  { bytes: '"PGDMP"', kind: dump('a custom-format dump of pg_dump', 'pg_restore -f - FILE') },
  {
    bytes: '"PGCOPY" 0A FF 0D 0A 00',
    kind: { refusal: "is PostgreSQL's binary COPY; unload it again with COPY … (FORMAT text)" },
  },
  {
    bytes: '"SQLite format 3" 00',
    kind: dump('an SQLite database', 'sqlite3 FILE .dump'),
  },
  // PageHeader or FileMetaData follows; its first field in Thrift's compact protocol is an i32.
  {
    bytes: '"PAR1" 15',
    kind: {
      refusal:
        "is a Parquet file; export its rows as CSV first, in DuckDB: COPY (FROM 'FILE') TO 'rows.csv'",
    },
  },
  // Apache Avro 1.12, Object Container Files; Arrow, IPC file format; JVMS §4.1; Android's dex format.
  { bytes: '"Obj" 01', kind: rows('an Avro file', ': avro-tools tojson FILE') },
  {
    bytes: '"ARROW1" 00 00',
    kind: rows('an Arrow file', " as CSV, with pyarrow's csv.write_csv"),
  },
  // A continuation, and a length of metadata below 64 KiB.
  {
    bytes: 'FF FF FF FF .. .. 00 00',
    kind: rows('an Arrow stream', " as CSV, with pyarrow's csv.write_csv"),
  },
  { bytes: 'CA FE BA BE', kind: classes('a class file') },
  { bytes: '"dex" 0A .. .. .. 00', kind: classes('a dex file') },
  // Android's ResourceTypes.h: a table or an XML tree, each with the size of its header.
  { bytes: '02 00 0C 00', kind: classes("a table of Android's resources") },
  { bytes: '03 00 08 00', kind: classes('binary XML of Android') },
  // HotSpot's heapDumper.cpp; Java Object Serialization, section 6.4.2; the root of NBT, with an empty name.
  { bytes: '"JAVA PROFILE 1.0"', kind: classes('a heap dump') },
  { bytes: 'AC ED 00 05', kind: classes('a serialized Java object') },
  { bytes: '0A 00 00 ..', kind: classes('an NBT file') },
  { bytes: '"BZh" .. 31 41 59 26 53 59', kind: packed('bzip2', 'bzip2 -dc') },
  { bytes: '"BZh" .. 17 72 45 38 50 90', kind: packed('bzip2', 'bzip2 -dc') },
  { bytes: 'FD "7zXZ" 00', kind: packed('xz', 'xz -dc') },
  { bytes: '04 22 4D 18', kind: packed('lz4', 'lz4 -dc') },
  { bytes: '02 21 4C 18', kind: packed('lz4', 'lz4 -dc') },
  { bytes: '1F 9D', kind: packed('compress', 'gzip -dc') },
  { bytes: '"7z" BC AF 27 1C', kind: packed('7-Zip', '7z x -so') },
  { bytes: '"PK" 03 04', kind: zip },
  { bytes: '"PK" 05 06', kind: zip },
  // Unicode 16.0, section 23.8, Table 23-4.
  { bytes: 'FF FE 00 00', kind: wide('UTF-32') },
  { bytes: '00 00 FE FF', kind: wide('UTF-32') },
  { bytes: 'FF FE', kind: wide('UTF-16') },
  { bytes: 'FE FF', kind: wide('UTF-16') },
  // POSIX ustar, and as GNU's tar writes it. pg_dump -Ft begins with its table of contents.
  {
    at: 257,
    bytes: '"ustar"',
    kind: {
      refusal: 'is a tar archive; extract the file in it: tar -xOf FILE MEMBER | utf8 …',
    },
  },
];

/** Names of the first entry of archives whose strings can be listed, and the length of the header before a name. */
const CLASSES = /^META-INF\/|^AndroidManifest\.xml$|^classes\d*\.dex$|\.class$/;
const ENTRY = 30;

const bson = rows('BSON', ': bsondump FILE');
const orc = rows('an ORC file', ': orc-contents FILE');
const dbf = rows('a dBASE file', ' as CSV, in the program that wrote it');

const tarOfPostgres = dump('a tar-format dump of pg_dump', 'pg_restore -f - FILE');

/** Only Oracle's own import reads an Oracle dump. */
const oracle = (what: string, reader: string): FileKind => ({
  refusal: `is a dump of Oracle's ${what}, which only ${reader} can read; import it, and export the tables as CSV`,
});

const patterns = signatures.map(({ at = 0, bytes, kind }) => ({ at, pattern: parse(bytes), kind }));

/** Parses a signature; undefined stands for any byte. */
function parse(text: string): readonly (number | undefined)[] {
  return (text.match(/"[^"]*"|\S+/g) ?? []).flatMap((word) => {
    if (word === '..') return [undefined];
    if (!word.startsWith('"')) return [Number.parseInt(word, 16)];
    return [...word.slice(1, -1)].map((character) => character.charCodeAt(0));
  });
}

/**
 * Finds the kind of a file.
 *
 * @param head - The first {@link FILE_HEAD} bytes of the file, or all of them.
 * @returns The kind; undefined if the file may be text.
 */
export function findFileKind(head: Uint8Array): FileKind | undefined {
  if (isSkippableFrame(head)) return { packing: 'zstd' };
  const found = patterns.find(
    ({ at, pattern }) => head.length >= at + pattern.length && matches(head.subarray(at), pattern),
  )?.kind;
  if (found) {
    if (found === zip && CLASSES.test(nameEntry(head))) return classes('an archive of classes');
    return ascii(head.subarray(0, 8)) === 'toc.dat\0' ? tarOfPostgres : found;
  }
  if (isExport(head)) return oracle('exp', 'imp');
  if (isDataPump(head)) return oracle('Data Pump (expdp)', 'impdp');
  if (isBson(head)) return bson;
  if (isOrc(head)) return orc;
  if (isDbf(head)) return dbf;
  const order = findWideOrder(head);
  return order && wide(`UTF-16${order}`);
}

/**
 * Tells whether more bytes of a file can no longer change the result of {@link findFileKind}.
 *
 * @param head - The first bytes of the file.
 */
export function isFileKindDecided(head: Uint8Array): boolean {
  // Text does not begin with bytes below the tab; the kinds without a fixed signature do.
  if (head.length === 0 || head.some((byte) => byte < 0x09)) return head.length >= FILE_HEAD;
  const mayBeFrame = isSkippableFrame(Uint8Array.of(...head, ...SKIPPABLE.subarray(head.length)));
  return (
    !(head.length < SKIPPABLE.length && mayBeFrame) &&
    !patterns.some(
      ({ at, pattern }) => at === 0 && head.length < pattern.length && matches(head, pattern),
    )
  );
}

/** Compares the bytes that are present; missing ones match. */
const matches = (bytes: Uint8Array, pattern: readonly (number | undefined)[]): boolean =>
  pattern.every((byte, i) => byte === undefined || i >= bytes.length || bytes[i] === byte);

/** The first of the sixteen magic numbers of RFC 8878 §3.1.2. Files of pzstd, and some of lz4, begin with one. */
const SKIPPABLE = Uint8Array.of(0x50, 0x2a, 0x4d, 0x18);

const isSkippableFrame = (head: Uint8Array): boolean =>
  ((head[0] ?? 0) & 0xf0) === SKIPPABLE[0] &&
  SKIPPABLE.every((byte, i) => i === 0 || head[i] === byte);

/** `03`, the number of the character set in two bytes, and the version: `03 0001 EXPORT:V11.02.00`. */
const isExport = (head: Uint8Array): boolean =>
  head[0] === 0x03 && /^EXPORT:V\d/.test(ascii(head.subarray(3, 16)));

/**
 * The version of the file in two bytes, from `00 01` (10.1) and `03 01` (11.2) on, and in the same block
 * the name of the job's table: `"SYSTEM"."SYS_EXPORT_SCHEMA_01"`.
 */
const isDataPump = (head: Uint8Array): boolean =>
  (head[0] ?? 0xff) < 0x10 && head[1] === 0x01 && /"[^"\0]+"\."[^"\0]+"/.test(ascii(head));

/** The name of the first entry of a zip (APPNOTE 4.3.7). */
const nameEntry = (head: Uint8Array): string =>
  head.length < ENTRY ? '' : ascii(head.subarray(ENTRY, ENTRY + view(head).getUint16(26, true)));

const view = (head: Uint8Array): DataView =>
  new DataView(head.buffer, head.byteOffset, head.byteLength);

/** In bytes: what MongoDB accepts, with room for commands. */
const LARGEST_DOCUMENT = (16 << 20) + (16 << 10);

/**
 * A document of BSON 1.1 has no magic number: its length in four bytes, of which the last is 0 in any
 * document, the type of an element, its name as it ends with 00, and 00 at the end.
 */
function isBson(head: Uint8Array): boolean {
  if (head.length < 8) return false;
  const length = view(head).getInt32(0, true);
  const type = head[4] as number;
  if (length < 8 || length > LARGEST_DOCUMENT) return false;
  if (!((type >= 0x01 && type <= 0x13) || type === 0x7f || type === 0xff)) return false;
  const end = head.indexOf(0, 5);
  if (end === -1 || head.subarray(5, end).some((byte) => byte < 0x20)) return false;
  return head.length < length ? head.length === FILE_HEAD : head[length - 1] === 0;
}

/** The three letters, before bytes that no text contains: a part of a stripe. */
const isOrc = (head: Uint8Array): boolean =>
  ascii(head.subarray(0, 3)) === 'ORC' && head.some((byte) => byte < 0x09);

/**
 * The version, the date of the last change, the lengths of the header and of a record, and 0D after as many
 * descriptions of columns as fit into the header: those of 32 bytes, with the names of columns.
 *
 * @see https://www.clicketyclick.dk/databases/xbase/format/dbf.html
 */
function isDbf(head: Uint8Array): boolean {
  const versions = [0x02, 0x03, 0x30, 0x31, 0x32, 0x43, 0x63, 0x83, 0x8b, 0xcb, 0xf5, 0xfb];
  if (head.length < 65 || !versions.includes(head[0] as number)) return false;
  const [, , month = 0, day = 0] = head;
  const length = view(head).getUint16(8, true);
  const type = String.fromCharCode(head[43] as number);
  return (
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= 31 &&
    length >= 65 &&
    view(head).getUint16(10, true) > 0 &&
    /^[A-Z]\w*\0/.test(ascii(head.subarray(32, 43))) &&
    /[CNFDLMBGPYTI@+OVWQ0]/.test(type)
  );
}

/** Fewest characters by which text without U+FEFF is taken for UTF-16. */
const WIDE = 32;

/**
 * The byte order of text in UTF-16 without U+FEFF, most of whose characters are ASCII: printable ones and
 * those of white space, and each of the others is 00.
 */
function findWideOrder(head: Uint8Array): 'LE' | 'BE' | undefined {
  if (head.length < 2 * WIDE) return undefined;
  const isText = (byte: number): boolean =>
    (byte >= 0x20 && byte < 0x7f) || (byte >= 9 && byte <= 13);
  const isWide = (first: number): boolean => {
    let hasBlank = false;
    for (let i = 0; i < 2 * WIDE; i += 2) {
      const byte = head[i + first] as number;
      if (!isText(byte) || head[i + 1 - first] !== 0) return false;
      hasBlank ||= byte <= 0x20;
    }
    return hasBlank;
  };
  return isWide(0) ? 'LE' : isWide(1) ? 'BE' : undefined;
}

const ascii = (bytes: Uint8Array): string => String.fromCharCode(...bytes);
