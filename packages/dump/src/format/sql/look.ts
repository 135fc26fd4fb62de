/** Which stretches of a dump must be read although there is nothing to repair in them. */
import type { Piece, ReaderState, UnstatedEncoding } from '../format.js';
import { bytesOf, viewOf } from '../shared/ascii.js';
import { findFourBytes, isNarrow } from './charset.js';
import type { SqlOptions } from './dialect.js';
import type { SqlContext } from './statement-cutter.js';
import type { CatalogueState } from './table-type.js';

/** Tells whether bytes may contain a statement that {@link findFixes} rewrites. */
export const hasHeader = ({ fixesHeader = false }: SqlOptions, bytes: Uint8Array): boolean =>
  fixesHeader && /utf8|sql_ascii/i.test(viewOf(bytes).toString('latin1'));

/** Tells whether a dump of MySQL has not said yet which character set it is in, and is to say it. */
export const lacksNames = ({ fixesHeader = false }: SqlOptions, before: ReaderState): boolean =>
  fixesHeader && catalogueOf(before)?.session.charset === undefined;

/** Finds out whether a dump of MySQL lacks `SET NAMES`. */
export const findMissingNames = (state: ReaderState): UnstatedEncoding | undefined =>
  catalogueOf(state)?.session.isStated ? undefined : { charset: undefined, line: 1 };

/** Finds out whether a dump of PostgreSQL is in SQL_ASCII, which a server never converts. */
export function findSqlAscii(state: ReaderState): UnstatedEncoding | undefined {
  const { charset, line = 0 } = catalogueOf(state)?.session ?? {};
  return charset === 'sql_ascii' ? { charset: 'SQL_ASCII', line } : undefined;
}

/** Tells whether MySQL may store `?` for a character in bytes; true if nothing is known. */
export function mayLose(bytes: Uint8Array, before: ReaderState, after: ReaderState): boolean {
  if (findFourBytes(bytes) === -1) return false;
  const [one, other] = [catalogueOf(before), catalogueOf(after)];
  if (!one || !other) return true;
  // Between the two, the connection may have been narrow.
  const isChanged = (one.session.narrowings ?? 0) !== (other.session.narrowings ?? 0);
  return isChanged || other.isNarrow || isNarrowSession(one) || isNarrowSession(other);
}

const isNarrowSession = ({ session: { charset, connection } }: CatalogueState): boolean =>
  isNarrow(charset) || isNarrow(connection);

const catalogueOf = ({ context }: ReaderState): CatalogueState | undefined =>
  (context as SqlContext | null)?.catalogue;

/**
 * Tells whether text in a dump of MySQL is spelled in hexadecimal digits. Under `binary` all text may be;
 * elsewhere only other programs write it so, and only surrogates are looked for. They may be in blobs,
 * so the tuples with hits are read; all of them would take four times as long.
 *
 * @param read - Reads the pieces of whole units; undefined for a part of one.
 */
export function hidesHexText(
  bytes: Uint8Array,
  before: ReaderState,
  read: ((bytes: Uint8Array) => Iterable<Piece>) | undefined,
): boolean {
  const view = viewOf(bytes);
  if (!HEX_STARTS.some((start) => view.includes(start))) return false;
  const { charset } = catalogueOf(before)?.session ?? {};
  if (charset === 'binary') return true;
  const hits = findHexSurrogates(view);
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

const HEX_STARTS: readonly Buffer[] = ['0x', "x'", "X'"].map(bytesOf);

/**
 * Finds surrogates in hexadecimal digits, whole or cut short, the first of each number, and yields the
 * index after its second byte. A
 * regular expression takes 1.7 ns for a byte of a dump, and this 0.3 (Node 20).
 */
function* findHexSurrogates(bytes: Buffer): Generator<number, undefined, undefined> {
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
      if (before === 0xed && (byte & 0xe0) === 0xa0) {
        yield i;
        break;
      }
      before = byte;
    }
    next[which] = bytes.indexOf(HEX_STARTS[which] as Buffer, i);
  }
}

/** Returns the value of a hexadecimal digit; -1 if it is none. */
function digitOf(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
