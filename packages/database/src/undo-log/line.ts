/**
 * Undo logs are JSON Lines: a header, a line for each value that changed, in the order of commits, and an end,
 * which only a run that has finished writes. Every line ends with its checksum.
 */
import { crc32 } from 'node:zlib';
import type { Label } from '@utf8/detect';
import { toHex } from '../hex.js';
import { type NamedKey, nameKey } from '../key.js';
import type { Declaration } from '../server/declaration.js';
import type { Change } from '../server/server.js';
import type { Key, Table, TextReference } from '../server/table.js';

/** The first line. */
export interface UndoLogHeader {
  /** The version of this form. */
  readonly undoLog: 2;
  /** Such as `SQLite 3.50.4`. */
  readonly product: string;
  /** The URL without user and password. */
  readonly database: string;
  readonly from: Label;
  readonly to: Label;
}

/** A value that was changed. Bytes are in lower-case hex. */
export interface UndoLogLine {
  readonly table: string;
  /** Of the row, before the change. */
  readonly key: NamedKey;
  readonly column: string;
  readonly old: string;
  readonly new: string;
  /** Of the row after the change, if it differs. */
  readonly newKey?: NamedKey | undefined;
  /** The foreign key by which the value moved with its parent, whose lines precede this one. */
  readonly reference?: string | undefined;
  /**
   * The type of a column that was declared anew: `old` and `new` are then its character sets and collations,
   * and the key is empty.
   */
  readonly declares?: string | undefined;
}

/** The last line. */
export interface UndoLogEnd {
  /** Number of lines after the header and before this one. */
  readonly end: number;
  /** CRC-32 of all bytes before this line. */
  readonly of: number;
}

/** The first bytes of an undo log of any version. */
const START = '{"undoLog":';

/** Formats a line with its checksum: the CRC-32, in hex, of everything before it. */
function seal(line: object): string {
  const text = JSON.stringify(line).slice(0, -1);
  return `${text},"sum":"${crc32(text).toString(16).padStart(8, '0')}"}\n`;
}

export const formatHeader = (header: UndoLogHeader): string => seal(header);

export const formatEnd = (end: UndoLogEnd): string => seal(end);

export const formatLine = (line: UndoLogLine): string => seal(line);

/** Formats the changes of a row. */
export function formatChanges(
  table: Table,
  key: Key,
  newKey: Key,
  changes: readonly Change[],
  reference?: TextReference,
): string {
  const named = nameKey(table, key);
  const isSame = JSON.stringify(key) === JSON.stringify(newKey);
  const lines = changes.map(
    ({ column, old, new: bytes }): UndoLogLine => ({
      table: table.name,
      key: named,
      column: column.name,
      old: toHex(old),
      new: toHex(bytes),
      newKey: isSame ? undefined : nameKey(table, newKey),
      reference: reference?.name,
    }),
  );
  return lines.map(formatLine).join('');
}

/** Formats a column that is declared anew. */
export const formatDeclaration = (table: string, { column, type, from, to }: Declaration): string =>
  formatLine({
    table,
    key: {},
    column,
    old: toHex(Buffer.from(from)),
    new: toHex(Buffer.from(to)),
    declares: type,
  });

/** Reads a column that was declared anew; undefined if the line is about a value. */
export function readDeclaration({ column, old, new: bytes, declares }: UndoLogLine) {
  if (declares === undefined) return undefined;
  const [from = '', to = ''] = [old, bytes].map((hex) => `${Buffer.from(hex, 'hex')}`);
  return { column, type: declares, from, to } satisfies Declaration;
}

/** Parses a header; undefined if it is not a header of this version. */
export function parseHeader(text: string): UndoLogHeader | undefined {
  const header = parse(text);
  const { undoLog, product, database, from, to } = header;
  const isHeader =
    undoLog === 2 && [product, database, from, to].every((each) => typeof each === 'string');
  return isHeader ? (header as unknown as UndoLogHeader) : undefined;
}

/** Tells whether a text is a header of this or another version, or the start of one. */
export const isHeaderStart = (text: string): boolean =>
  text.startsWith(START) || START.startsWith(text);

/** Parses the last line; undefined if it is another one. */
export function parseEnd(text: string): UndoLogEnd | undefined {
  const { end, of } = parse(text);
  return Number.isSafeInteger(end) && Number.isSafeInteger(of)
    ? { end: end as number, of: of as number }
    : undefined;
}

/** Parses any other line; undefined if it is damaged. */
export function parseLine(text: string): UndoLogLine | undefined {
  const line = parse(text);
  const { table, key, column, old, new: bytes, newKey, reference, declares } = line;
  const isLine =
    typeof table === 'string' &&
    typeof column === 'string' &&
    isHex(old) &&
    isHex(bytes) &&
    isKey(key) &&
    (newKey === undefined || isKey(newKey)) &&
    (reference === undefined || typeof reference === 'string') &&
    (declares === undefined || typeof declares === 'string');
  return isLine ? (line as unknown as UndoLogLine) : undefined;
}

/** Parses a line without its checksum; a line with another one has no properties. */
function parse(text: string): Record<string, unknown> {
  const [, rest = '', digits = ''] = /^(.*),"sum":"([\da-f]{8})"\}$/s.exec(text) ?? [];
  if (digits === '' || crc32(rest) !== Number.parseInt(digits, 16)) return {};
  try {
    return Object(JSON.parse(`${rest}}`));
  } catch {
    return {};
  }
}

const isHex = (value: unknown): value is string =>
  typeof value === 'string' && value.length % 2 === 0 && /^[\da-f]*$/.test(value);

const isKey = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every(
    (part) =>
      typeof part === 'number' ||
      typeof part === 'string' ||
      (isHex(part?.hex) && ['text', 'blob'].includes(part.is)),
  );
