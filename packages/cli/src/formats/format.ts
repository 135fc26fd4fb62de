/**
 * What a file of records is made of. All formats here are written in ASCII around text of any encoding
 * of the family: no byte of a longer character is below 80, so that delimiters are found by bytes,
 * however malformed the text is.
 */

/** What stands between the delimiters of a record. */
export type FieldKind =
  | 'text' // is converted
  | 'opaque'; // a number, NULL, a blob in hex: is left as it is

/** A part of a record that has a value. Offsets are indices in the bytes that the record was read from. */
export interface Field {
  /** Where the value begins, without quotes. */
  readonly start: number;
  /** Where it ends. */
  readonly end: number;
  readonly kind: FieldKind;
  /**
   * The name of the column, where the format tells; in JSON the path, as `user.names[1]`, and `key` and
   * a space before it for the key itself.
   */
  readonly column: string | undefined;
  /** The number of the column, from 1. A value may have several strings, which share it. */
  readonly number: number;
  /** Whether a backslash in it escapes, where that differs within the format: see {@link Format.quote}. */
  readonly escapes?: boolean | undefined;
}

/**
 * What a piece of a file is.
 *
 * - `record`: a row, accepted or rejected as a whole: a line of COPY, CSV or JSON Lines, a tuple of an
 *   INSERT.
 * - `header`: the names of columns; it stands before the rejected records, too.
 * - `head`, `tail`: what an INSERT has before and behind its tuples, and what goes with the last of them.
 * - `other`: comments, other statements, the lines around the rows of a COPY, U+FEFF at the beginning
 *   of a file. Their text is converted, too, but rejects nothing.
 */
export type PieceKind = 'record' | 'header' | 'head' | 'tail' | 'other';

/** A piece of a file; the pieces cover it without gaps. Offsets are indices in the bytes given. */
export interface Piece {
  readonly kind: PieceKind;
  /** Where it begins, and the index behind it: behind its line feed, or what else ends it. */
  readonly start: number;
  readonly end: number;
  /** Where its own bytes begin, behind the comma that parts it from the tuple before; mostly `start`. */
  readonly own: number;
  /** Of records, from 1; 0 for other pieces. */
  readonly number: number;
  /** The line that `own` lies in, from 1. */
  readonly line: number;
  /** What it is a row of, where the format tells. */
  readonly table: string | undefined;
  /**
   * What may be text in it, in order. They are looked for when they are first asked for, so that a piece
   * without a doubt costs nothing. The array and the fields in it are used again for the next piece.
   *
   * @throws {@link FormatFailure} where JSON is malformed; the other formats say all there is to say
   * before they give out the piece.
   */
  readonly fields: readonly Field[];
  /** What a rejected record needs around it to be a file of the same format, where it needs anything. */
  readonly before?: Uint8Array | undefined;
  readonly after?: Uint8Array | undefined;
}

/** Where a reader has come to: plain data that can be sent to a thread, and written to a journal. */
export interface ReaderState {
  /** The line that comes next, from 1. */
  readonly line: number;
  /** The record that comes next, from 1. */
  readonly record: number;
  /**
   * What else the format has to know, such as the names of columns; JSON can hold it. Null for a
   * line-based format, so that one can start at any line with a state of one's own.
   */
  readonly context: unknown;
}

/** Reads a file one stretch of bytes after the other. */
export interface Reader {
  /**
   * Cuts a stretch where a unit ends (see {@link Format}), without looking at fields, as fast as can be.
   * The state is then that behind the cut.
   *
   * @param isLast - Whether the input ends with the bytes.
   * @returns The index behind the last whole unit; 0 where none ends in the bytes: come again with twice
   * as many. All of the bytes where they are the last.
   * @throws {@link FormatFailure} where the bytes are none of this format; it says why and in which line.
   */
  skip(bytes: Uint8Array, isLast: boolean): number;
  /**
   * Reads the pieces of a stretch that begins and ends where {@link skip} would cut. The state is then
   * that behind it. A piece is valid until the next one is asked for: it is the same object each time.
   *
   * @throws {@link FormatFailure} as `skip` does.
   */
  read(bytes: Uint8Array): Iterable<Piece>;
  readonly state: ReaderState;
}

/**
 * A format. Its unit is what must stay in one piece for a reader to start behind it: a line, a quoted
 * record of several lines, a whole INSERT.
 */
export interface Format {
  readonly name: string;
  /** Whether every line feed ends a unit, so that one can start at any line of a file. */
  readonly isLineBased: boolean;
  /**
   * Starts at the beginning of a file, or where another reader has come to. A format that is not line-based
   * takes only a state that a reader has come to.
   */
  createReader(state?: ReaderState): Reader;
  /**
   * ASCII of our own as a text field has it: with two backslashes where one escapes.
   *
   * @param field - The one that it is for. In pg_dump a backslash escapes in COPY and in `E'…'` alone;
   * where nobody says which field it is, it counts as one of those.
   */
  quote(text: string, field?: Pick<Field, 'escapes'>): string;
  /** How a code unit is spelled in ASCII, where the format has a way: JSON's `\ud83d`. */
  readonly spellUnit?: ((unit: number) => string) | undefined;
  /**
   * The format's own spellings of U+0000 in text, such as MySQL's `\0`. All begin with a backslash, and
   * are none where it is itself escaped: where an odd number of backslashes stands before it.
   */
  readonly nuls: readonly Uint8Array[];
}
