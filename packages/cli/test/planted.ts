/** Generated records with planted faults, and what a scan should find in them. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { encode as encodePairs } from '@utf8/cesu8';
import { decode } from '@utf8/cesu8/mixed';
import { formatBytes } from '@utf8/core';
import type { Finding } from '../src/scan/finding.js';

/** How a format writes records of three texts. */
export interface Writer {
  readonly name: string;
  /** What the command has to be told. */
  readonly args: readonly string[];
  readonly table?: string;
  /** What the columns are called in a report. */
  readonly columns: readonly (string | number)[];
  readonly head: string;
  /** What stands before a record, by its number. */
  readonly before: (record: number) => string;
  readonly between: string;
  /** What ends it. */
  readonly after: (record: number) => string;
  /** The text as a field has it, without quotes. */
  readonly spell: (text: Buffer) => Buffer;
  readonly quote: string;
  /** Whether a text may have a line feed in it. */
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
    // The names of the columns but for the first.
    between: '","?":"',
    after: () => '"}\n',
    spell: (text) => replaceIn(text, /[\\"]/g, '\\$&'),
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

/** What has been written, and what is to be found in it. */
export interface Planted {
  readonly findings: readonly Finding[];
  readonly changed: number;
  readonly rejected: number;
}

/** The most characters of a note. */
export const MOST = 60;

const CLEAN = [
  'ab c',
  '한국어',
  '中文',
  '이름',
  'Grün',
  '\u{1f600}',
  '\u{20000}',
  '\uFFFD',
  'x,y',
  "it's",
  '잘ed',
];

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

/** Malformed bytes, and why. */
const faults: Readonly<
  Record<string, readonly (readonly [bytes: string, reason: string | undefined])[]>
> = {
  'lone half': [
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
  other: [
    ['FF', 'invalid-lead'],
    ['80', 'unexpected-continuation'],
    ['E2 82', 'truncated'],
    ['F5', 'too-large'],
  ],
};

const kinds = [
  'pair',
  ...Object.keys(faults),
  'unassigned plane',
  'over the limit',
  'length prefix',
  'equal keys',
  'order',
];

/** A place in a text where something is found. */
interface Spot {
  readonly column: number;
  /** What is before it in its text. */
  readonly lead: Buffer;
  readonly finding: Record<string, unknown>;
}

interface Row {
  readonly texts: Buffer[];
  readonly spots: Spot[];
}

/**
 * Writes records into a file.
 *
 * @param hasKeys - Whether keys are planted, too, which takes columns.
 */
export function plant(
  path: string,
  writer: Writer,
  rows: number,
  seed: number,
  hasKeys: boolean,
): Planted {
  const random = createRandom(seed);
  const fd = openSync(path, 'w');
  const findings: Finding[] = [];
  let parts: Buffer[] = [Buffer.from(writer.head)];
  let offset = parts[0]?.length ?? 0;
  let line = countFeeds(writer.head) + 1;
  let changed = 0;
  let rejected = 0;
  const places = new Map<number, { line: number; key: Record<string, string> }>();
  const waiting = new Map<number, Row>();
  for (let record = 1; record <= rows; record++) {
    const row = waiting.get(record) ?? createRow(record, random, writer);
    waiting.delete(record);
    if (record % 9 === 4 && record + 8 < rows) {
      plantIn(
        row,
        kinds[Math.floor(record / 9) % kinds.length] as string,
        record,
        random,
        hasKeys,
        waiting,
        writer,
      );
    }
    const { bytes, starts } = write(writer, row.texts, record);
    const key = { code: decode(row.texts[0] as Buffer, { errors: 'backslashreplace' }) };
    if (hasKeys && record % 9 > 3) places.set(record, { line, key });
    for (const { column, lead, finding } of row.spots) {
      const at = (starts[column] as number) + writer.spell(lead).length;
      findings.push({
        file: path,
        record,
        line: line + countFeeds(bytes.subarray(0, at).toString('latin1')),
        ...(writer.table ? { table: writer.table } : {}),
        column: writer.columns[column],
        ...(hasKeys ? { key } : {}),
        offset: offset + at,
        ...finding,
      } as unknown as Finding);
    }
    const flaws = row.spots.filter(({ finding }) => 'bytes' in finding);
    if (flaws.some(({ finding }) => finding.becomes === null)) rejected++;
    else if (flaws.length > 0) changed++;
    parts.push(bytes);
    offset += bytes.length;
    line += countFeeds(bytes.toString('latin1'));
    if (parts.length > 10_000) {
      writeSync(fd, Buffer.concat(parts));
      parts = [];
    }
  }
  writeSync(fd, Buffer.concat(parts));
  closeSync(fd);
  // Those that name another record learn of it when both have been written.
  for (const finding of findings) {
    if (!('other' in finding)) continue;
    const other = finding.other as { record: number };
    Object.assign(other, { file: path, ...places.get(other.record) });
  }
  return { findings, changed, rejected };
}

function createRow(record: number, random: (below: number) => number, { hasLines }: Writer): Row {
  const text = (): Buffer => {
    const parts = Array.from({ length: 1 + random(4) }, () => CLEAN[random(CLEAN.length)]);
    if (hasLines && random(5) === 0) parts.push('\n"quoted"\n');
    return Buffer.from(parts.join(' '));
  };
  return { texts: [Buffer.from(`k${String(record).padStart(8, '0')}`), text(), text()], spots: [] };
}

/** A pair and its four-byte form. */
function createPair(codePoint: number): { six: Buffer; four: Buffer } {
  const text = String.fromCodePoint(codePoint);
  return { six: Buffer.from(encodePairs(text)), four: Buffer.from(text) };
}

function plantIn(
  row: Row,
  kind: string,
  record: number,
  random: (below: number) => number,
  hasKeys: boolean,
  waiting: Map<number, Row>,
  writer: Writer,
): void {
  const put = (
    row: Row,
    column: number,
    lead: Buffer,
    bytes: Buffer,
    rest: Buffer,
    becomes: Buffer | null,
    reason?: string,
  ): void => {
    row.texts[column] = Buffer.concat([lead, bytes, rest]);
    const finding = {
      kind: becomes ? 'pair' : kind,
      bytes: formatBytes(bytes),
      becomes: becomes && formatBytes(becomes),
      ...(reason ? { reason } : {}),
    };
    row.spots.push({ column, lead, finding });
  };
  const column = 1 + random(2);
  const lead = row.texts[column] as Buffer;
  const rest = Buffer.from(['', 'z', '값'][random(3)] as string);
  const { six, four } = createPair(0x10000 + random(0x30000));
  const [bytes, reason] = faults[kind]?.[random(faults[kind]?.length ?? 0)] ?? [];
  if (bytes) {
    put(row, column, lead, hex(bytes), rest, null, reason);
  } else if (kind === 'pair') {
    put(row, column, lead, six, rest, four);
  } else if (kind === 'unassigned plane') {
    const codePoint = 0x40000 + random(0xa0000);
    const stray = createPair(codePoint);
    put(row, column, lead, stray.six, rest, stray.four);
    const character = `U+${codePoint.toString(16).toUpperCase()}`;
    row.spots.push({ column, lead, finding: { kind, plane: codePoint >> 16, character } });
  } else if (kind === 'over the limit') {
    const length = MOST + 1 + random(20);
    row.texts[2] = Buffer.from('긴'.repeat(length));
    const found = { kind, limit: `${MOST}c`, before: length, after: length };
    // Where there are no columns, there is no limit for one.
    if (hasKeys) row.spots.push({ column: 2, lead: Buffer.alloc(0), finding: found });
  } else if (kind === 'length prefix') {
    const list = Buffer.from('a:1:{i:0;');
    put(row, 2, Buffer.concat([list, Buffer.from('s:6:"')]), six, Buffer.from('";}'), four);
    row.spots.push({ column: 2, lead: list, finding: { kind, prefix: 's:6:' } });
  } else if (hasKeys) {
    plantKeys(row, kind, record, random, waiting, writer, { six, four, put });
  }
}

function plantKeys(
  row: Row,
  kind: string,
  record: number,
  random: (below: number) => number,
  waiting: Map<number, Row>,
  writer: Writer,
  {
    six,
    four,
    put,
  }: {
    readonly six: Buffer;
    readonly four: Buffer;
    readonly put: (
      row: Row,
      column: number,
      lead: Buffer,
      bytes: Buffer,
      rest: Buffer,
      becomes: Buffer | null,
    ) => void;
  },
): void {
  const code = row.texts[0] as Buffer;
  const nothing = Buffer.alloc(0);
  if (kind === 'equal keys') {
    const later = createRow(record + 3, random, writer);
    waiting.set(record + 3, later);
    const isFirst = random(2) === 0;
    const [changing, staying] = isFirst ? [row, later] : [later, row];
    put(changing, 0, code, six, nothing, four);
    staying.texts[0] = Buffer.concat([code, four]);
    const becomes = { code: `${code}${four}` };
    const other = { record: isFirst ? record + 3 : record };
    changing.spots.push({ column: 0, lead: nothing, finding: { kind, becomes, other } });
    return;
  }
  const next = createRow(record + 1, random, writer);
  waiting.set(record + 1, next);
  row.texts[0] = Buffer.concat([code, Buffer.from('\uFFEE')]);
  put(next, 0, code, six, nothing, four);
  const finding = { kind, other: { record }, before: 'less', after: 'greater' };
  next.spots.push({ column: 0, lead: nothing, finding });
}

function write(
  writer: Writer,
  texts: readonly Buffer[],
  record: number,
): { bytes: Buffer; starts: number[] } {
  const parts: Buffer[] = [Buffer.from(writer.before(record))];
  let length = parts[0]?.length ?? 0;
  const starts: number[] = [];
  const add = (part: Buffer): void => {
    parts.push(part);
    length += part.length;
  };
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
