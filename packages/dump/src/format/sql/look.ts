/** Which stretches of a dump must be read although there is nothing to repair in them. */
import type { ReaderState, UnstatedEncoding } from '../format.js';
import { bytesOf, viewOf } from '../shared/ascii.js';
import { findFourBytes, isNarrow } from './charset.js';
import type { SqlDialect, SqlOptions } from './dialect.js';
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
  catalogueOf(state)?.session.charset === undefined ? { charset: undefined, line: 1 } : undefined;

/** Finds out whether a dump of PostgreSQL is in SQL_ASCII, which a server never converts. */
export function findSqlAscii(state: ReaderState): UnstatedEncoding | undefined {
  const { charset, line = 0 } = catalogueOf(state)?.session ?? {};
  return charset === 'sql_ascii' ? { charset: 'SQL_ASCII', line } : undefined;
}

/** Tells whether MySQL may store `?` for a character in bytes. */
export const mayLose = (bytes: Uint8Array, before: ReaderState, after: ReaderState): boolean =>
  findFourBytes(bytes) !== -1 && (isNarrowAt(before) || isNarrowAt(after));

const catalogueOf = ({ context }: ReaderState): CatalogueState | undefined =>
  (context as SqlContext | null)?.catalogue;

const known = new WeakMap<CatalogueState, boolean>();

/** Tells whether a column, or the connection, lacks characters; true if nothing is known. */
function isNarrowAt(state: ReaderState): boolean {
  const catalogue = catalogueOf(state);
  if (!catalogue) return true;
  let result = known.get(catalogue);
  if (result === undefined) {
    const { session, tables } = catalogue;
    const columns = Object.values(tables).flatMap(({ columns }) => columns ?? []);
    result = isNarrow(session.charset) || columns.some(({ charset }) => isNarrow(charset));
    known.set(catalogue, result);
  }
  return result;
}

/**
 * Tells whether text in a dump of MySQL may be spelled in hexadecimal digits. Under `binary` all text may
 * be; elsewhere only other programs write it so, and only surrogates are looked for.
 */
export function hidesHexText(bytes: Uint8Array, before: ReaderState): boolean {
  const view = viewOf(bytes);
  if (!HEX_STARTS.some((start) => view.includes(start))) return false;
  const { charset } = catalogueOf(before)?.session ?? {};
  return charset === 'binary' || /(?:0x|x')(?:[\da-f]{2})*?ed[ab]/i.test(view.toString('latin1'));
}

const HEX_STARTS: readonly Buffer[] = ['0x', "x'", "X'"].map(bytesOf);

/** Bytes of the longest statement that sets something. */
const LONGEST = 1024;

/** Returns what rejected records need of a statement; undefined if they need nothing. */
export function describeSetting(dialect: SqlDialect, bytes: Uint8Array): Uint8Array | undefined {
  if (bytes.length > LONGEST) return undefined;
  const text = dialect.describeSetting(viewOf(bytes).toString('latin1'));
  return text === undefined ? undefined : Buffer.from(text, 'latin1');
}
