/** Generated records with planted faults, and what a scan should find in them. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { encode as encodePairs } from '@utf8/cesu8';
import { decode } from '@utf8/cesu8/mixed';
import { formatBytes } from '@utf8/core';
import type { ScanFinding as Finding } from '@utf8/dump';

/** Notation of a format for records of three texts. */
export interface Writer {
  readonly name: string;
  /** Arguments that the command needs for the format. */
  readonly args: readonly string[];
  readonly table?: string;
  /** Names of the columns in a report, or their numbers. */
  readonly columns: readonly (string | number)[];
  readonly head: string;
  /** Returns the text before a record, by its number. */
  readonly before: (record: number) => string;
  readonly between: string;
  /** Returns the text after a record, by its number. */
  readonly after: (record: number) => string;
  /** Text after all records. */
  readonly foot?: string;
  /** The text as a field has it, without quotes. */
  readonly spell: (text: Buffer) => Buffer;
  readonly quote: string;
  /** True if a text may contain a line feed. */
  readonly hasLines: boolean;
}

const replaceIn = (text: Buffer, pattern: RegExp, by: string): Buffer =>
  Buffer.from(text.toString('latin1').replace(pattern, by), 'latin1');

const plain = {
  columns: ['code', 'name', 'note'],
  head: '',
  before: () => '',
  after: () => '\n',
  quote: '',
  hasLines: false,
} as const;

/** The writers of all formats. */
export const writers: readonly Writer[] = [
  {
    ...plain,
    name: 'csv',
    args: [],
    head: 'code,name,note\n',
    between: ',',
    quote: '"',
    spell: (text) => replaceIn(text, /"/g, '""'),
    hasLines: true,
  },
  {
    ...plain,
    name: 'tsv',
    args: ['--no-header', '--quote', ''],
    columns: [1, 2, 3],
    between: '\t',
    spell: (text) => text,
  },
  {
    ...plain,
    name: 'copy',
    args: ['--columns', 'code,name,note'],
    between: '\t',
    spell: (text) => replaceIn(text, /\\/g, '\\\\'),
  },
  {
    ...plain,
    name: 'jsonl',
    args: [],
    before: () => '{"code":"',
    // The names of the columns, except the first.
    between: '","?":"',
    after: () => '"}\n',
    spell: (text) => replaceIn(text, /[\\"]/g, '\\$&'),
  },
  {
    ...plain,
    name: 'mysqldump',
    args: [],
    table: 't',
    head: 'SET NAMES utf8mb4;\nCREATE TABLE `t` (\n  `code` varchar(20),\n  `name` text,\n  `note` text\n);\n',
    // Twenty to an INSERT, one of which spans lines.
    before: (record) => (record % 20 === 1 ? "INSERT INTO `t` VALUES ('" : ",('"),
    between: "','",
    after: (record) => (record % 20 === 0 ? "');\n" : record % 20 === 7 ? "')\n" : "')"),
    spell: (text) => replaceIn(text, /[\\'"]/g, '\\$&'),
    hasLines: true,
  },
  {
    ...plain,
    name: 'pg_dump',
    args: [],
    table: 'public.t',
    head: '--\n\nCREATE TABLE public.t (code text, name text, note text);\n\nCOPY public.t (code, name, note) FROM stdin;\n',
    between: '\t',
    foot: '\\.\n\nSELECT 1;\n',
    spell: (text) => replaceIn(text, /\\/g, '\\\\'),
  },
  { ...plain, name: 'lines', args: [], columns: [1, 1, 1], between: ' | ', spell: (text) => text },
];

/** Numbers that look random, the same for the same seed. */
export function createRandom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Findings and counts that a scan of the generated records must report. */
export interface Planted {
  readonly findings: readonly Finding[];
  readonly changed: number;
  readonly rejected: number;
}

/** Records and findings to generate. */
export interface Wanted {
  readonly rows: number;
  readonly seed: number;
  /** True for records with keys, which require columns. */
  readonly hasKeys: boolean;
  readonly kinds: readonly string[];
}

/** The most characters of a note. */
export const MOST = 60;

const CLEAN = [
  'ab c',
  '한국어',
  '中文',
  '이름',
  'Grün',
  '\uFFFD',
  'x,y',
  "it's",
  '잘ed',
  '\u{1f600}',
  '\u{20000}',
];

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

/** Malformed bytes, and why. */
const faults: Readonly<
  Record<string, readonly (readonly [bytes: string, reason: string | undefined])[]>
> = {
  'unpaired-surrogate': [
    ['ED A0 BD', 'surrogate'],
    ['ED B8 80', 'surrogate'],
    ['ED AF BF', 'surrogate'],
  ],
  overlong: [
    ['C0 AF', 'overlong'],
    ['C1 81', 'overlong'],
    ['E0 80 AF', 'overlong'],
    ['F0 80 80 AF', 'overlong'],
  ],
  nul: [
    ['00', undefined],
    ['C0 80', 'overlong'],
  ],
  'legacy-byte': [
    ['FF', 'invalid-lead'],
    ['80', 'unexpected-continuation'],
  ],
  // At the end of a text.
  other: [['E2 82', 'truncated']],
};

/** All that is planted in what is mixed of CESU-8 and UTF-8. */
export const mixedKinds: readonly string[] = [
  'pair',
  ...Object.keys(faults),
  'unassigned',
  'too-long',
  'inner-length',
  'equal-keys',
  'order',
];

/** A place in a text where something is found. */
interface Spot {
  readonly column: number;
  /** Bytes before the finding in its text. */
  readonly lead: Buffer;
  readonly finding: Record<string, unknown>;
}

interface Row {
  readonly texts: Buffer[];
  readonly spots: Spot[];
}

/** The places of records, for others to name. */
type Places = Map<number, { readonly line: number; readonly key: Record<string, string> }>;

const NOTHING = Buffer.alloc(0);

/** Writes records into a file. */
export function plant(path: string, writer: Writer, wanted: Wanted): Planted {
  const nursery = new Nursery(writer, wanted);
  const fd = openSync(path, 'w');
  const findings: Finding[] = [];
  const places: Places = new Map();
  let parts: Buffer[] = [Buffer.from(writer.head)];
  let offset = parts[0]?.length ?? 0;
  let line = countFeeds(writer.head) + 1;
  let changed = 0;
  let rejected = 0;
  for (let record = 1; record <= wanted.rows; record++) {
    const { texts, spots } = nursery.createRow(record);
    const { bytes, starts } = write(writer, texts, record);
    const key = { code: decode(texts[0] as Buffer, { errors: 'backslashreplace' }) };
    if (wanted.hasKeys && record % 9 > 3) places.set(record, { line, key });
    for (const { column, lead, finding } of spots) {
      const at = (starts[column] as number) + writer.spell(lead).length;
      findings.push({
        file: path,
        record,
        line: line + countFeeds(bytes.toString('latin1', 0, at)),
        ...(writer.table ? { table: writer.table } : {}),
        column: writer.columns[column],
        ...(wanted.hasKeys ? { key } : {}),
        offset: offset + at,
        ...finding,
      } as unknown as Finding);
    }
    const flaws = spots.filter(({ finding }) => 'bytes' in finding);
    if (flaws.some(({ finding }) => finding.becomes === null)) rejected++;
    else if (flaws.length > 0) changed++;
    parts.push(bytes);
    offset += bytes.length;
    line += countFeeds(bytes.toString('latin1'));
    if (parts.length < 10_000) continue;
    writeSync(fd, Buffer.concat(parts));
    parts = [];
  }
  parts.push(Buffer.from(writer.foot ?? ''));
  writeSync(fd, Buffer.concat(parts));
  closeSync(fd);
  return { findings: findings.map((each) => nameOther(each, path, places)), changed, rejected };
}

/** Those that name another record learn of it when both have been written. */
function nameOther(finding: Finding, file: string, places: Places): Finding {
  if (!('other' in finding)) return finding;
  const { record } = finding.other;
  const { line = 0, key = {} } = places.get(record) ?? {};
  return { ...finding, other: { file, record, line, key } };
}

/** Makes rows, and plants in one of nine. */
class Nursery {
  readonly #writer: Writer;
  readonly #wanted: Wanted;
  readonly #random: (below: number) => number;
  /** Rows that go with one before. */
  readonly #waiting = new Map<number, Row>();

  constructor(writer: Writer, wanted: Wanted) {
    this.#writer = writer;
    this.#wanted = wanted;
    this.#random = createRandom(wanted.seed);
  }

  createRow(record: number): Row {
    const row = this.#waiting.get(record) ?? this.#createClean(record);
    this.#waiting.delete(record);
    const { kinds, rows } = this.#wanted;
    if (record % 9 === 4 && record + 8 < rows) {
      this.#plant(row, kinds[Math.floor(record / 9) % kinds.length] as string, record);
    }
    return row;
  }

  #createClean(record: number): Row {
    return {
      texts: [
        Buffer.from(`k${String(record).padStart(8, '0')}`),
        this.#createText(),
        this.#createText(),
      ],
      spots: [],
    };
  }

  #createText(): Buffer {
    // The last ones are flaws themselves where four-byte forms are.
    const choice = this.#wanted.kinds.includes('four-byte') ? CLEAN.length - 2 : CLEAN.length;
    const parts = Array.from({ length: 1 + this.#random(4) }, () => CLEAN[this.#random(choice)]);
    if (this.#writer.hasLines && this.#random(5) === 0) parts.push('\n"quoted"\n');
    return Buffer.from(parts.join(' '));
  }

  #plant(row: Row, kind: string, record: number): void {
    const random = this.#random;
    const column = 1 + random(2);
    const lead = row.texts[column] as Buffer;
    // Noncharacters are findings themselves.
    const codePoint = 0x10000 + random(0x30000);
    const { six, four } = createPair(codePoint & (codePoint % 0x10000 < 0xfffe ? -1 : -3));
    const [bytes, reason] = faults[kind]?.[random(faults[kind]?.length ?? 0)] ?? [];
    if (bytes && kind === 'other') {
      this.#put(
        row,
        2,
        row.texts[2] as Buffer,
        { kind, bytes: hex(bytes), becomes: null, reason },
        '',
      );
    } else if (bytes) {
      this.#put(row, column, lead, { kind, bytes: hex(bytes), becomes: null, reason });
    } else if (kind === 'pair') {
      this.#put(row, column, lead, { kind, bytes: six, becomes: four });
    } else if (kind === 'four-byte') {
      this.#put(row, column, lead, { kind, bytes: four, becomes: six });
    } else if (kind === 'unassigned') {
      const codePoint = 0x40000 + (random(0xa0000) & ~2);
      const stray = createPair(codePoint);
      this.#put(row, column, lead, { kind: 'pair', bytes: stray.six, becomes: stray.four });
      const character = `U+${codePoint.toString(16).toUpperCase()}`;
      row.spots.push({ column, lead, finding: { kind, bytes: formatBytes(stray.six), character } });
    } else if (kind === 'too-long') {
      const length = MOST + 1 + random(20);
      row.texts[2] = Buffer.from('긴'.repeat(length));
      const finding = { kind, limit: `${MOST}c`, before: length, after: length };
      // Limits need columns.
      if (this.#wanted.hasKeys) row.spots.push({ column: 2, lead: NOTHING, finding });
    } else if (kind === 'inner-length' && this.#wanted.hasKeys) {
      // A line with other columns around the value is not one.
      const list = Buffer.from('a:1:{i:0;');
      const start = Buffer.concat([list, Buffer.from('s:6:"')]);
      this.#put(row, 2, start, { kind: 'pair', bytes: six, becomes: four }, '";}');
      row.spots.push({
        column: 2,
        lead: list,
        finding: { kind, bytes: '73 3A 36 3A', becomes: '73 3A 34 3A' },
      });
    } else if (this.#wanted.hasKeys) {
      if (kind === 'equal-keys') this.#plantEqual(row, record);
      else this.#plantTurn(row, record);
    }
  }

  #plantEqual(row: Row, record: number): void {
    const later = this.#createClean(record + 3);
    this.#waiting.set(record + 3, later);
    const isFirst = this.#random(2) === 0;
    const [changing, staying] = isFirst ? [row, later] : [later, row];
    const code = row.texts[0] as Buffer;
    const { six, four } = createPair(0x1f600);
    this.#put(changing, 0, code, { kind: 'pair', bytes: six, becomes: four }, '');
    staying.texts[0] = Buffer.concat([code, four]);
    const becomes = { code: `${code}${four}` };
    const other = { record: isFirst ? record + 3 : record };
    changing.spots.push({
      column: 0,
      lead: NOTHING,
      finding: { kind: 'equal-keys', becomes, other },
    });
  }

  #plantTurn(row: Row, record: number): void {
    const next = this.#createClean(record + 1);
    this.#waiting.set(record + 1, next);
    const code = row.texts[0] as Buffer;
    row.texts[0] = Buffer.concat([code, Buffer.from('\uFFEE')]);
    const { six, four } = createPair(0x1f600);
    this.#put(next, 0, code, { kind: 'pair', bytes: six, becomes: four }, '');
    const finding = { kind: 'order', other: { record }, before: 'less', after: 'greater' };
    next.spots.push({ column: 0, lead: NOTHING, finding });
  }

  #put(
    row: Row,
    column: number,
    lead: Buffer,
    flaw: { kind: string; bytes: Buffer; becomes: Buffer | null; reason?: string | undefined },
    rest = ['', 'z', '값'][this.#random(3)] as string,
  ): void {
    const { kind, bytes, becomes, reason } = flaw;
    row.texts[column] = Buffer.concat([lead, bytes, Buffer.from(rest)]);
    const finding = {
      kind,
      bytes: formatBytes(bytes),
      becomes: becomes && formatBytes(becomes),
      ...(reason ? { reason } : {}),
    };
    row.spots.push({ column, lead, finding });
  }
}

/** A pair and its four-byte form. */
function createPair(codePoint: number): { six: Buffer; four: Buffer } {
  const text = String.fromCodePoint(codePoint);
  return { six: Buffer.from(encodePairs(text)), four: Buffer.from(text) };
}

function write(
  writer: Writer,
  texts: readonly Buffer[],
  record: number,
): { bytes: Buffer; starts: number[] } {
  const parts: Buffer[] = [];
  let length = 0;
  const starts: number[] = [];
  const add = (part: Buffer): void => {
    parts.push(part);
    length += part.length;
  };
  add(Buffer.from(writer.before(record)));
  for (const [i, text] of texts.entries()) {
    if (i > 0) add(Buffer.from(writer.between.replace('?', String(writer.columns[i]))));
    add(Buffer.from(writer.quote));
    starts.push(length);
    add(writer.spell(text));
    add(Buffer.from(writer.quote));
  }
  add(Buffer.from(writer.after(record)));
  return { bytes: Buffer.concat(parts), starts };
}

const countFeeds = (text: string): number => text.split('\n').length - 1;
