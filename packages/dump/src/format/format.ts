/**
 * What a file of records consists of. Every format is ASCII around text of any encoding of the family.
 * No longer sequence contains a byte below 80, so delimiters are found by bytes, even in malformed text.
 */
import type { Repair, Spelling, Syntax, ValueSyntax } from '@utf8/repair';
import type { Source } from '../open/source.js';
import type { CatalogueState, ColumnType } from './sql/table-type.js';

/**
 * What a field is: `text` is converted; `opaque`, such as a number, NULL or a hex blob, is copied. If it
 * is `unknown` which of them it is, a conversion that would change it stops.
 */
export type FieldKind = 'text' | 'opaque' | 'unknown';

/** A value, or a part of one, in a record. Offsets are indices in the bytes that the record was read from. */
export interface Field {
  /** Where the value begins, after its opening quote. */
  readonly start: number;
  readonly end: number;
  readonly kind: FieldKind;
  /**
   * The name of the column if it is known; in JSON the path, as in `user.names[1]`, with `key ` before
   * it if the field is the key itself.
   */
  readonly column: string | undefined;
  /** The number of the column, from 1. The strings of one value share it. */
  readonly number: number;
  /** Whether a backslash escapes in it, if that differs within the format. */
  readonly escapes?: boolean | undefined;
  /** The syntax of the value itself, if its column has one, as JSON in a row of COPY. */
  readonly syntax?: ValueSyntax | undefined;
  /** Its column as the dump or a schema declares it, if one does. */
  readonly declared?: ColumnType | undefined;
  /** Whether a text is spelled in hexadecimal digits, as `0x…`; the field then consists of the digits alone. */
  readonly isHex?: boolean | undefined;
  /** In JSON, the number of the object that the field is a key of. */
  readonly owner?: number | undefined;
}

/**
 * What a piece of a file is.
 *
 * - `record`: a row, accepted or rejected as a whole: a line of COPY, CSV or JSON Lines, a tuple of an
 *   INSERT.
 * - `header`: the names of the columns; it precedes rejected records, too.
 * - `head`, `tail`: the text of an INSERT before and after its tuples.
 * - `other`: comments, other statements, the lines around the rows of a COPY, U+FEFF at the start of a
 *   file. Its text is converted, and it is never rejected.
 */
export type PieceKind = 'record' | 'header' | 'head' | 'tail' | 'other';

/** A piece of a file; the pieces cover it without gaps. Offsets are indices in the bytes given. */
export interface Piece {
  readonly kind: PieceKind;
  readonly start: number;
  /** The index after it, and after its line feed if it has one. */
  readonly end: number;
  /** Where its own bytes begin, after the comma between it and the previous tuple; mostly `start`. */
  readonly own: number;
  /** The number of the record, from 1; 0 for other pieces. */
  readonly number: number;
  /** The line that contains `own`, from 1. */
  readonly line: number;
  /** The table of the row, if it is known. */
  readonly table: string | undefined;
  /** The table with the database and the schema that are in force, as far as statements name them. */
  readonly qualified?: string | undefined;
  /** What identifies that table among all databases of the file, if its CREATE is known. */
  readonly owner?: string | undefined;
  /**
   * The fields in order, found when they are first read. The array and its fields are reused for the
   * next piece.
   *
   * @throws {@link FormatError} if JSON is malformed; other formats throw before they yield the piece.
   */
  readonly fields: readonly Field[];
  /** What a rejected record needs around it to be a file of the same format, if it needs anything. */
  readonly before?: Uint8Array | undefined;
  readonly after?: Uint8Array | undefined;
  /** Statements in Latin-1 that give another session the settings and the database of this place. */
  readonly settings?: string | undefined;
  /** What is to be replaced in it besides the repairs, in order and between fields. */
  readonly fixes?: readonly Change[] | undefined;
  /** The character set through which its text reaches the server, if that may lack characters. */
  readonly connection?: string | undefined;
  /** The line that says so; 0 if none does. */
  readonly connectionLine?: number | undefined;
  /** The columns that decide which partition a row belongs in, if the row names its partition. */
  readonly partitionedBy?: readonly string[] | undefined;
  /** Whether no field can be a key of JSON or hstore, or a value that has keys. */
  readonly isKeyless?: boolean | undefined;
  /** Whether all of its fields are known to be text, before they are read. */
  readonly isAllText?: boolean | undefined;
  /** Whether the server may store `?` for characters above U+FFFF. */
  readonly isNarrow?: boolean | undefined;
  /** What tells its fields apart, if a repair may write or remove it. */
  readonly layout?: Layout | undefined;
}

/** What tells the fields of a piece apart: delimiters, quotes, comments. */
export interface Layout {
  /** What a text does that would be read as something else, for people. */
  readonly harm: string;
  /** Tells whether the piece would be read as something else if a field became the result of a repair. */
  breaks(bytes: Uint8Array, piece: Piece, field: Field, repair: Repair): boolean;
  /**
   * Puts what a field has become into quotes; undefined if it has some. Without this, there are none.
   */
  enclose?(bytes: Uint8Array, field: Field, text: Uint8Array): Uint8Array | undefined;
}

/** A part of a piece, and what it becomes. */
export interface Change {
  readonly start: number;
  readonly end: number;
  readonly bytes: Uint8Array;
}

/** The position of a reader: plain data for threads and checkpoints. */
export interface ReaderState {
  /** The next line, from 1. */
  readonly line: number;
  /** The next record, from 1. */
  readonly record: number;
  /** What else the format must know, such as the names of columns, as JSON; null if it is line-based. */
  readonly context: unknown;
}

/** Reads a file one stretch of bytes after the other. */
export interface Reader {
  /**
   * Finds the end of the last whole unit (see {@link Format}) without a look at fields. The state is
   * then that at the cut.
   *
   * @param isLast - Whether the input ends with the bytes.
   * @returns The index after that unit; 0 if none ends in the bytes: try again with twice as many. The
   *   length of the bytes if they are the last.
   * @throws {@link FormatError} if the bytes are not of this format.
   */
  skip(bytes: Uint8Array, isLast: boolean): number;
  /**
   * Reads the pieces of a stretch that begins and ends where {@link skip} would cut. The state is then
   * that at its end. The piece is the same object each time, valid until the next one is read.
   *
   * @throws {@link FormatError} as `skip` does.
   */
  read(bytes: Uint8Array): Iterable<Piece>;
  readonly state: ReaderState;
}

/** Finds the end of one unit that does not fit into memory. */
export interface UnitScanner {
  /**
   * Scans the next bytes; none with `isLast` if the input ends. Blanks after a statement belong to it
   * if a chunk ends with them.
   *
   * @returns The index in these bytes after the unit that began with the first byte ever pushed; -1 if
   * it continues.
   * @throws {@link FormatError} as {@link Reader.skip} does, or if the unit cannot be scanned in
   * constant memory.
   */
  push(chunk: Uint8Array, isLast: boolean): number;
  /** The state of a reader after the unit, once its end is found. */
  readonly state: ReaderState;
}

/** A column of a key. */
export interface KeyColumn {
  readonly name: string;
  /** Whether its collation ignores case and accents. */
  readonly isFolded: boolean;
  /** Whether all characters above U+FFFF are equal in its collation. */
  readonly isNarrow: boolean;
  /** How many characters are compared, or bytes if it is binary; all by default. */
  readonly length?: number | undefined;
  readonly isBinary: boolean;
}

/** A key whose values are unique, as statements declare it. */
export interface DeclaredKey {
  readonly owner: string;
  readonly columns: readonly KeyColumn[];
  readonly line: number;
}

/** A dump that leaves the encoding of its text to the server or to its client. */
export interface UnstatedEncoding {
  /** What it says instead, such as `SQL_ASCII`; undefined if it says nothing. */
  readonly charset: string | undefined;
  /** The line that says so; 1 if none does. */
  readonly line: number;
}

/** A foreign key, as statements declare it. Tables are named as by {@link Piece.owner}. */
export interface DeclaredReference {
  readonly child: string;
  readonly columns: readonly KeyColumn[];
  readonly parent: string;
  readonly parentColumns: readonly KeyColumn[];
}

/**
 * A format. Its unit is what stays in one piece, so that a reader can start after it: a line, a quoted
 * record of several lines, a whole INSERT.
 */
export interface Format extends Syntax {
  readonly name: string;
  /** Whether every line feed ends a unit, so that a reader can start at any line of a file. */
  readonly isLineBased: boolean;
  /** Whether the bytes of opaque fields are ASCII, so that transcoding a stretch changes none of them. */
  readonly isOpaqueAscii: boolean;
  /**
   * Whether the records are the elements of an array, between which there are commas: the first one that
   * is kept has none before it.
   */
  readonly isArray?: boolean;
  /** Whether malformed records are refused only when their fields are read. */
  readonly isCheckedByField?: boolean;
  /**
   * Starts at the beginning of a file, or at the state of another reader. If the format is line-based,
   * a state at any line will do.
   */
  createReader(state?: ReaderState): Reader;
  /** Starts to scan the unit at a state. */
  createScanner(state: ReaderState): UnitScanner;
  /** Tells whether statements up to a state leave the encoding of text open. */
  findUnstatedEncoding?(state: ReaderState): UnstatedEncoding | undefined;
  /** Lists the foreign keys that statements have declared up to a state. */
  listReferences?(state: ReaderState): readonly DeclaredReference[];
  /** Returns what statements have said about tables up to a state: a value of the option `schema`. */
  describeTables?(state: ReaderState): CatalogueState | undefined;
  /** Lists the unique keys that statements have declared up to a state. */
  listKeys?(state: ReaderState): readonly DeclaredKey[];
  /** Tells whether something in bytes may have to be read although there is nothing to repair in it. */
  needsLook?(bytes: Uint8Array, before: ReaderState, after: ReaderState): boolean;
  /** Finds the first unit at or after an offset of a file, if that takes no reader. */
  findBoundary?(source: Source, offset: number): Promise<number>;
  /**
   * Returns the value of a field, without the escapes and doubled quotes of the format.
   *
   * @param text - What the field has become; what it is by default.
   */
  readValue(bytes: Uint8Array, field: Field, text?: Uint8Array): Uint8Array;
  /** Returns what the value of a text field is spelled in; nothing by default. */
  spellingOf?(bytes: Uint8Array, field: Field): Spelling | undefined;
  /** Whether fields may be keys, or values that have keys, which a repair can make equal. */
  readonly spellsKeys?: boolean | undefined;
  /** Returns the syntax of a value that an option declares, if the file does not. */
  syntaxOf?(field: Field, table: string | undefined): ValueSyntax | undefined;
  /**
   * Tells whether text in bytes that begin at a state may be spelled in hexadecimal digits. Then it has to
   * be read, since no search finds what is wrong with it.
   *
   * @param isWhole - Whether the bytes are whole units, and not a part of one; true by default.
   */
  hidesText?(bytes: Uint8Array, state: ReaderState, isWhole?: boolean): boolean;
}

/**
 * Options of a format by name, as on the command line: `{ delimiter: ';', header: false }`. An object is what
 * a file contains that an option names.
 */
export type FormatOptions = Readonly<
  Record<string, string | boolean | readonly string[] | object | undefined>
>;

/** An option of a format. */
export interface FormatOption {
  /** The key in {@link FormatOptions}. */
  readonly name: string;
  /** The option on the command line, such as `--delimiter <character>`. */
  readonly flag: string;
  /** One line of help, of at most 60 characters. */
  readonly help: string;
  /** Whether it has no argument. `--no-X` sets it to false, and true is then the default. */
  readonly isSwitch?: boolean;
}

/** All that is known of a format before its options are. */
export interface FormatDefinition {
  /** What the option `format` calls it, such as `csv`. */
  readonly name: string;
  /** One line of help, of at most 60 characters. */
  readonly summary: string;
  /** The options that it accepts. */
  readonly options: readonly FormatOption[];
  /**
   * Reads the files that options name, so that they are read once for all threads.
   *
   * @param options - Options of the format by name.
   * @returns The options as plain data, with the contents of the files.
   * @throws InputError (`ERR_UTF8_INPUT`) if a file cannot be read.
   * @internal
   */
  resolve?(options: FormatOptions): FormatOptions;
  /**
   * Makes the format with some options.
   *
   * @param options - Options of the format by name.
   * @returns What reads and spells records of the format.
   * @throws UsageError (`ERR_UTF8_USAGE`) if an option is invalid.
   * @internal
   */
  create(options: FormatOptions): Format;
}
