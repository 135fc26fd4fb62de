/**
 * Parts of a file of records. Every format is ASCII around text of any encoding of the family. No longer
 * sequence contains a byte below 80, so delimiters are found by bytes, even in malformed text.
 */
import type { FormatSyntax, Repair, Structure, Syntax } from '@utf8/repair';
import type { Reach } from '../charset/repertoire.js';
import type { Source } from '../open/source.js';
import type { Phrase } from '../phrase.js';
import type { ColumnType, Session, SqlSource } from './sql/table-type.js';

/**
 * Kind of a field: `text` is converted; `opaque`, such as a number, NULL or a hex blob, is copied. `unknown`
 * may be either, so a conversion that would change the field stops.
 */
export type FieldKind = 'text' | 'opaque' | 'unknown';

/** A value, or a part of one, in a record. Offsets are indices in the bytes that the record was read from. */
export interface Field {
  /** Start of the value, after its opening quote. */
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
  /** True if a backslash escapes in it, if that differs within the format. */
  readonly escapes?: boolean | undefined;
  /** The structure of the value itself, if its column has one, as JSON in a row of COPY. */
  readonly structure?: Structure | undefined;
  /** Its column as the dump or a schema declares it, if one does. */
  readonly declared?: ColumnType | undefined;
  /**
   * True if a text is written in hexadecimal digits, as in `0x4A`; the field then consists of the digits
   * alone.
   */
  readonly isHex?: boolean | undefined;
  /** In JSON, the number of the object that the field is a key of. */
  readonly owner?: number | undefined;
}

/**
 * Kind of a piece of a file.
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
  /** Start of its own bytes, after the comma between it and the previous tuple; mostly `start`. */
  readonly own: number;
  /** The number of the record, from 1; 0 for other pieces. */
  readonly number: number;
  /** The line that contains `own`, from 1. */
  readonly line: number;
  /** The table of the row, if it is known. */
  readonly table: string | undefined;
  /** The table with the current database and schema, as far as statements name them. */
  readonly qualified?: string | undefined;
  /** Identifier of that table among all databases of the file, if its CREATE is known. */
  readonly owner?: string | undefined;
  /**
   * The fields in order, found when they are first read. The array and its fields are reused for the
   * next piece.
   *
   * @throws {@link FormatError} if JSON is malformed; other formats throw before they yield the piece.
   */
  readonly fields: readonly Field[];
  /** Text to write before a rejected record to make it a file of the same format, if it needs any. */
  readonly before?: Uint8Array | undefined;
  readonly after?: Uint8Array | undefined;
  /** Statements in Latin-1 that give another session the settings and the database of this place. */
  readonly settings?: string | undefined;
  /** Replacements in it other than repairs, in order and between fields. */
  readonly fixes?: readonly Change[] | undefined;
  /** The settings under which a server reads it, if the format has any. */
  readonly session?: Session | undefined;
  /** The columns that decide which partition a row belongs in, if the row names its partition. */
  readonly partitionedBy?: readonly string[] | undefined;
  /** True if no field can be a key of JSON or hstore, or a value that has keys. */
  readonly isKeyless?: boolean | undefined;
  /** True if all of its fields are known to be text, before they are read. */
  readonly isAllText?: boolean | undefined;
  /** Characters of its text that a server stores unchanged; all by default. */
  readonly reach?: Reach | undefined;
  /**
   * Everything but the bytes that determines the fields of a record: within a format, records with equal bytes and
   * deeply equal shapes have equal fields. Undefined if it is unknown.
   */
  readonly shape?: unknown;
  /** Layout of its fields, if a repair may write or remove a delimiter. */
  readonly layout?: Layout | undefined;
}

/** Delimiters, quotes and comments that separate the fields of a piece. */
export interface Layout {
  /** Message, for people, about text that would be read as something else. */
  readonly harm: string;
  /** Tells whether the piece would be read as something else if a field became the result of a repair. */
  breaks(bytes: Uint8Array, piece: Piece, field: Field, repair: Repair): boolean;
  /**
   * Puts the new text of a field into quotes; undefined if it has some. Absent if the format has no quotes.
   */
  enclose?(bytes: Uint8Array, field: Field, text: Uint8Array): Uint8Array | undefined;
}

/** A part of a piece, and its replacement. */
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
  /** Other state of the format, such as the names of columns, as JSON; null if it is line-based. */
  readonly context: unknown;
}

/** Reads a file one stretch of bytes after the other. */
export interface Reader {
  /**
   * Finds the end of the last whole unit (see {@link Format}) without a look at fields. The state is
   * then that at the cut.
   *
   * @param isLast - True if the input ends with the bytes.
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
  /** The collation, as the server names it; undefined if only the same bytes are equal. */
  readonly collation?: string | undefined;
  /** Number of characters that are compared, or of bytes if it is binary; all by default. */
  readonly length?: number | undefined;
  readonly isBinary: boolean;
  /** True if `fixHeader` changes its text, so that keys that differed may become equal. */
  readonly isRedeclared?: boolean | undefined;
}

/** A key whose values are unique, as statements declare it. */
export interface DeclaredKey {
  readonly owner: string;
  readonly columns: readonly KeyColumn[];
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
 * A format. Its unit is never split, so that a reader can start after it: a line, a quoted
 * record of several lines, a whole INSERT.
 */
export interface Format extends FormatSyntax {
  readonly name: string;
  /** True if every line feed ends a unit, so that a reader can start at any line of a file. */
  readonly isLineBased: boolean;
  /**
   * True if the bytes of opaque fields are ASCII, so that transcoding them together with text changes none of
   * them.
   */
  readonly isOpaqueAscii: boolean;
  /**
   * True if the records are the elements of an array, separated by commas: no comma precedes the first one
   * that is kept.
   */
  readonly isArray?: boolean;
  /** True if malformed records are refused only when their fields are read. */
  readonly isCheckedByField?: boolean;
  /**
   * Starts at the beginning of a file, or at the state of another reader. If the format is line-based,
   * a state at any line will do.
   */
  createReader(state?: ReaderState): Reader;
  /** Starts to scan the unit at a state. */
  createScanner(state: ReaderState): UnitScanner;
  /** The SQL that the format consists of, if it does. */
  readonly sql?: SqlSource | undefined;
  /**
   * Describes the records before a state, as far as the start of a file shows them, if several lines are then one
   * of them.
   */
  findGroups?(state: ReaderState): Phrase | undefined;
  /** Finds the first unit at or after an offset of a file, if that takes no reader. */
  findBoundary?(source: Source, offset: number): Promise<number>;
  /**
   * Returns the value of a field, without the escapes and doubled quotes of the format.
   *
   * @param text - The new text of the field; its old text by default.
   */
  readValue(bytes: Uint8Array, field: Field, text?: Uint8Array): Uint8Array;
  /** Returns the syntax of a text field; none by default. */
  syntaxOf?(bytes: Uint8Array, field: Field): Syntax | undefined;
  /** True if fields may be keys, or values that have keys, which a repair can make equal. */
  readonly spellsKeys?: boolean | undefined;
  /** Returns the structure of a value that an option declares, if the file does not. */
  structureOf?(field: Field, table: string | undefined): Structure | undefined;
  /**
   * Tells whether text in bytes that begin at a state may be written in hexadecimal digits. Then it has to
   * be read, since no search finds its errors.
   *
   * @param isWhole - True if the bytes are whole units, and not a part of one; true by default.
   */
  hidesText?(bytes: Uint8Array, state: ReaderState, isWhole?: boolean): boolean;
}

/**
 * Options of a format by name: `{ delimiter: ';', header: false }`. An object is what
 * a file contains that an option names.
 */
export type FormatOptions = Readonly<
  Record<string, string | boolean | readonly string[] | object | undefined>
>;

/** An option of a format. */
export interface FormatOption {
  /** The key in {@link FormatOptions}. */
  readonly name: string;
  /** Placeholder of its value in help, such as `file`; absent for a switch. */
  readonly value?: string;
  /** One line of help, of at most 60 characters, for a value other than the default. It may name options. */
  readonly help: string | Phrase;
  /** True if its value is true or false. */
  readonly isSwitch?: boolean;
  /** True if it is a switch whose default is true. */
  readonly isOn?: boolean;
}

/** All that is known of a format before its options are. */
export interface FormatDefinition {
  /** Value of the option `format` that selects it, such as `csv`. */
  readonly name: string;
  /** One line of help, of at most 60 characters. */
  readonly summary: string;
  /** The options that it accepts. */
  readonly options: readonly FormatOption[];
  /**
   * Reads the files that options name, so that they are read once for all threads.
   *
   * @param options - Options of the format by name.
   * @param files - Names of the inputs, which may indicate their contents.
   * @returns The options as plain data, with the contents of the files.
   * @throws InputError (`ERR_UTF8_INPUT`) if a file cannot be read.
   * @throws UsageError (`ERR_UTF8_USAGE`) if they do not tell enough.
   * @internal
   */
  resolve?(options: FormatOptions, files: readonly string[]): FormatOptions;
  /**
   * Makes the format with some options.
   *
   * @param options - Options of the format by name.
   * @returns The reader and writer of records of the format.
   * @throws UsageError (`ERR_UTF8_USAGE`) if an option is invalid.
   * @internal
   */
  create(options: FormatOptions): Format;
}
