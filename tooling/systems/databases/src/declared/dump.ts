/**
 * Dumps whose every value has a known meaning, and what a server may contain after a conversion. Bytes and texts are
 * hex.
 */
import { decodeLegacy, toHex } from './texts.js';

/** Origin of the bytes that represent a text in the dump. */
export type Origin =
  | 'as declared'
  /** UTF-8, regardless of the declarations in the dump. */
  | 'utf-8'
  /** The text in CESU-8: pairs in six bytes. */
  | 'cesu-8'
  /** A single-byte encoding, regardless of the declarations in the dump. */
  | 'legacy'
  /** UTF-8 that was read as Windows-1252 and encoded again. */
  | 'mojibake'
  /** No text. */
  | 'binary';

export interface Value {
  readonly row: number;
  readonly column: string;
  readonly origin: Origin;
  /** True if `--mojibake repair` always restores it. */
  readonly isRepairable?: boolean;
  /** Intended text, in UTF-8. */
  readonly text: string;
  /** The bytes that the dump has for it, without the escapes of SQL. */
  readonly bytes: string;
}

export type Format = 'mysqldump' | 'pg_dump';

export interface Dump {
  readonly name: string;
  readonly format: Format;
  readonly bytes: Buffer;
  /** The dump with one statement per value, so that a server that refuses one loads the others. */
  readonly valueByValue: Buffer;
  /** The character set that it declares for its literals; undefined if it declares none. */
  readonly connection: string | undefined;
  readonly table: string;
  readonly columns: readonly { readonly name: string; readonly isBinary: boolean }[];
  readonly values: readonly Value[];
}

/** Options of `utf8 convert`. */
export interface Variant {
  readonly errors: 'fail' | 'windows-1252' | 'replace';
  readonly mojibake: 'keep' | 'repair';
  readonly fixesHeader: boolean;
}

/** The variants of the matrix. */
export const variants: readonly Variant[] = [false, true].flatMap((fixesHeader) => [
  { errors: 'fail', mojibake: 'keep', fixesHeader } as const,
  { errors: 'fail', mojibake: 'repair', fixesHeader } as const,
  { errors: 'windows-1252', mojibake: 'keep', fixesHeader } as const,
]);

export const optionsOf = ({ errors, mojibake, fixesHeader }: Variant): string[] => [
  ...(errors === 'fail' ? [] : ['--errors', errors]),
  ...(mojibake === 'keep' ? [] : ['--mojibake', mojibake]),
  ...(fixesHeader ? ['--fix-header'] : []),
];

/** Content of a server. */
export interface Stored {
  /** The bytes of the column. */
  readonly raw: string;
  /** Its text in UTF-8. */
  readonly text: string;
  /** Its text in the character set that the dump declares; undefined if it has none there. */
  readonly declared: string | undefined;
}

/** Content of a server after it has run a dump, by row and column, and its errors. */
export interface Loaded {
  readonly errors: readonly string[];
  readonly values: ReadonlyMap<string, Stored>;
}

export const placeOf = ({ row, column }: { row: number; column: string }): string =>
  `${row}.${column}`;

/**
 * Finds a reason why a value that a server contains after a conversion is wrong.
 *
 * @param before - Its content after the unchanged dump; undefined if it refuses that.
 */
export function findFault(
  value: Value,
  before: Stored | undefined,
  after: Stored | undefined,
  { errors, mojibake, fixesHeader }: Variant,
): string | undefined {
  const { origin, text, bytes, isRepairable } = value;
  if (after === undefined) return 'missing';
  if (origin === 'binary') return after.raw === bytes ? undefined : `${after.raw}, not ${bytes}`;
  if (after.text === text) return undefined;
  const wrong = `${show(after.text)}, not ${show(text)}`;
  // The declared text returns to the bytes of the dump, so nothing of it was lost.
  const isKept = before !== undefined && before.declared === bytes && !SURROGATE.test(before.text);
  // Right as declared: no policy is asked.
  if (isKept && before.text === text) return wrong;
  // A repair leaves mojibake that it is not sure of. A declaration of UTF-8 makes it what its bytes say.
  if (origin === 'mojibake' && fixesHeader && after.text === bytes) return undefined;
  // The same bytes are another text, misread in another encoding: nothing in them tells which one is meant.
  if (mojibake === 'repair' && !isRepairable && misreads(after.text, bytes)) return undefined;
  if (isKept && !(mojibake === 'repair' && isRepairable)) {
    if (after.text === before.text) return undefined;
    // UTF-8 in a column that passes bytes, for a program that reads it in this way.
    const passes = before.raw === bytes && (origin === 'utf-8' || origin === 'cesu-8');
    if (passes && after.raw === text) return undefined;
  }
  if (origin === 'legacy' && errors !== 'fail') {
    const asked = errors === 'replace' ? [decodeLegacy(bytes, 'utf-8')] : readWindows1252(bytes);
    if (asked.some((each) => after.text === toHex(each))) return undefined;
  }
  return isKept ? `${wrong}, nor ${show(before.text)} as declared` : wrong;
}

const singleByte: readonly string[] = [
  ...[0, 1, 2, 3, 4, 5, 6, 7, 8].map((i) => `windows-125${i}`),
  ...[2, 3, 4, 5, 7, 8, 10, 13, 14, 15].map((i) => `iso-8859-${i}`),
];

/** Tells whether a text becomes these bytes when its UTF-8 is read in a single-byte encoding. */
const misreads = (text: string, bytes: string): boolean =>
  singleByte.some((label) => toHex(decodeLegacy(text, label)) === bytes);

/** Decodes bytes as `--errors windows-1252` requests: all of them, or only those that are not UTF-8. */
function readWindows1252(hex: string): string[] {
  const latin = Buffer.from(hex, 'hex').toString('latin1');
  const mixed = latin.replace(
    /([\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3})|[\x80-\xff]/g,
    (bytes, sequence?: string) =>
      decodeLegacy(toHex(Buffer.from(bytes, 'latin1')), sequence ? 'utf-8' : 'windows-1252'),
  );
  return [mixed, decodeLegacy(hex, 'windows-1252')];
}

/** A surrogate in UTF-8, between two whole bytes. */
const SURROGATE = /^(?:..)*?ed[ab]/;

const show = (hex: string): string => `${JSON.stringify(Buffer.from(hex, 'hex').toString())}`;
