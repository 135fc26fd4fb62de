/** Tests for parts of a dump that must be read although they contain nothing to repair. */
import { isAscii } from 'node:buffer';
import { hasXml } from '@utf8/repair';
import { findFourBytes, leastOf, type Reach } from '../../charset/repertoire.js';
import type { UnstatedEncoding } from '../../charset/server.js';
import type { Format, Piece, ReaderState } from '../format.js';
import { bytesOf, viewOf } from '../shared/ascii.js';
import type { SqlOptions } from './dialect.js';
import type { SqlContext } from './statement-cutter.js';
import type { CatalogueState, SqlSource } from './table-type.js';
import { entriesOf } from './trie.js';

/** Finds out whether statements up to a state leave the encoding of text open. */
export const findUnstated = ({ sql }: Format, state: ReaderState): UnstatedEncoding | undefined =>
  sql?.dialect.charsets?.findUnstated(catalogueOf(state)?.session);

/**
 * Tells whether something in bytes may have to be read although there is nothing to repair in it: a statement
 * that declares an encoding, or a text that a server would store as another.
 */
export function needsLook(
  { sql }: Format,
  bytes: Uint8Array,
  before: ReaderState,
  after: ReaderState,
): boolean {
  if (!sql?.dialect.charsets) return false;
  if (!sql.options.fixesHeader) return mayLose(sql, bytes, before, after);
  const lacksNames =
    sql.dialect.names !== undefined && catalogueOf(before)?.session.charset === undefined;
  // The columns that are changed may be too short for any text.
  return lacksNames || !isAscii(bytes) || HEADER.test(viewOf(bytes).toString('latin1'));
}

/** A statement that `fixHeader` rewrites. */
const HEADER = /char(acter)?[ _]?set|names|collat|encoding/i;

/** As pg_dump and people write the type. */
const XML: readonly Buffer[] = ['xml', 'XML'].map(bytesOf);

const COPY_END = bytesOf('\\.');

/** Results by the tables of a catalogue: later statements create new tables, so entries stay valid. */
const xmlTables = new WeakMap<object, boolean>();

/** Tells whether a dump of PostgreSQL declares a column of XML before a state, or may do so in bytes after it. */
export function declaresXml(bytes: Uint8Array, before: ReaderState, sql: SqlOptions): boolean {
  const { tables } = catalogueOf(before) ?? sql.schema ?? {};
  let isDeclared = tables && xmlTables.get(tables);
  if (tables && isDeclared === undefined) {
    isDeclared = [...entriesOf(tables)].some(({ value }) =>
      value.columns?.some(({ structure }) => hasXml(structure)),
    );
    xmlTables.set(tables, isDeclared);
  }
  // Among rows, no statement declares a column. Their end is rarer than the letter that XML begins with.
  const isAmongRows =
    (before.context as SqlContext | null)?.copy && !viewOf(bytes).includes(COPY_END);
  return isDeclared === true || (!isAmongRows && XML.some((name) => viewOf(bytes).includes(name)));
}

/** Tells whether a server may store a text in bytes as another; true if nothing is known. */
function mayLose(
  { dialect: { charsets } }: SqlSource,
  bytes: Uint8Array,
  before: ReaderState,
  after: ReaderState,
): boolean {
  const [one, other] = [catalogueOf(before), catalogueOf(after)];
  if (!charsets || !one || !other) return !isAscii(bytes);
  // Between the two, the connection may have been any.
  const isChanged = (one.session.narrowings ?? 0) !== (other.session.narrowings ?? 0);
  const [first, last] = [one, other].map(({ session }) => charsets.reachOf(session)) as [
    Reach,
    Reach,
  ];
  return mayLack(isChanged ? 'some' : leastOf(other.reach, first, last), bytes);
}

/** Tells whether bytes may contain a character that is out of reach. */
export function mayLack(reach: Reach, bytes: Uint8Array): boolean {
  if (reach === 'all') return false;
  return reach === 'bmp' ? findFourBytes(bytes) !== -1 : !isAscii(bytes);
}

const catalogueOf = ({ context }: ReaderState): CatalogueState | undefined =>
  (context as SqlContext | null)?.catalogue;

/**
 * Tells whether text in a dump of MySQL is written in hexadecimal digits. Under `binary` all text may be, and
 * if columns change their character set, all of it must be in UTF-8. Elsewhere only other programs write it so, and
 * only surrogates are looked for. They may be in blobs, so the tuples with hits are read; all of them would take
 * four times as long.
 *
 * @param read - Reads the pieces of whole units; undefined for a part of one.
 */
export function hidesHexText(
  { fixesHeader = false }: SqlOptions,
  bytes: Uint8Array,
  before: ReaderState,
  read: ((bytes: Uint8Array) => Iterable<Piece>) | undefined,
): boolean {
  const view = viewOf(bytes);
  if (!HEX_STARTS.some((start) => startsHex(view, start))) return false;
  const { charset } = catalogueOf(before)?.session ?? {};
  if (fixesHeader || charset === 'binary' || BINARY_NAMES.test(view.toString('latin1')))
    return true;
  const hits = findHexSuspects(view);
  let hit = hits.next().value;
  if (!hit || !read) return hit !== undefined;
  for (const piece of read(bytes)) {
    for (let i = 0; hit && hit <= piece.end; hit = hits.next().value) {
      while ((piece.fields[i]?.end ?? hit) < hit) i++;
      const field = piece.fields[i];
      if (field?.isHex && field.start < hit) return true;
    }
    if (!hit) return false;
  }
  return true;
}

/** A statement that may make the connection binary. */
const BINARY_NAMES = /(names|character_set_client|char(acter)?[ _]?set)[\s='"`]*binary/i;

const HEX_STARTS: readonly Buffer[] = ['0x', "x'", "X'"].map(bytesOf);

/** Tells whether a number may begin: a word such as `fox` before a quote begins none. */
function startsHex(bytes: Buffer, start: Buffer): boolean {
  for (let i = bytes.indexOf(start); i !== -1; i = bytes.indexOf(start, i)) {
    i += start.length;
    if (i === bytes.length || digitOf(bytes[i]) !== -1) return true;
  }
  return false;
}

/** Tells whether two bytes are in a surrogate, or may be in a noncharacter: `ED A0`, `BF BE`, `EF B7`. */
const isSuspicious = (first: number, second: number): boolean =>
  first === 0xed || (first === 0xbf && second >= 0xbe) || (first === 0xef && second === 0xb7);

/**
 * Finds surrogates, whole or cut short, and noncharacters in hexadecimal digits, the first of each number,
 * and yields the index after its second byte. A regular expression takes 1.7 ns for a byte of a dump, and
 * this 0.3 (Node 20).
 */
function* findHexSuspects(bytes: Buffer): Generator<number, undefined, undefined> {
  const next = HEX_STARTS.map((start) => bytes.indexOf(start));
  for (;;) {
    const found = next.filter((index) => index !== -1);
    if (found.length === 0) return undefined;
    const start = Math.min(...found);
    const which = next.indexOf(start);
    let i = start + 2;
    let before = 0;
    for (;;) {
      const byte = (digitOf(bytes[i]) << 4) | digitOf(bytes[i + 1]);
      if (byte < 0) break;
      i += 2;
      if ((byte & 0xe0) === 0xa0 && isSuspicious(before, byte)) {
        yield i;
        break;
      }
      before = byte;
    }
    next[which] = bytes.indexOf(HEX_STARTS[which] as Buffer, i);
  }
}

/** Returns the value of a hexadecimal digit; -1 if it is not one. */
function digitOf(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
