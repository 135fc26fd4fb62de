/** What parts the SQL of one database from that of another, as far as dumps go. */
import type { FieldKind } from '../format.js';

/** What a dump has said so far about how to read it. */
export interface Mode {
  /** What ends a statement, in ASCII. */
  readonly delimiter: string;
  /** Whether a backslash in `'…'` is like any other character. */
  readonly isStandard: boolean;
}

/** How the strings, names and comments of a database are written. */
export interface Dialect {
  /** 1 for every byte that a string, a name in quotes or a comment begins with, and for parentheses. */
  readonly marks: Uint8Array;
  /** Whether what would end a statement does not do so within parentheses. */
  readonly nests: boolean;
  /** Whether the rows of a table may follow a COPY. */
  readonly hasCopy: boolean;
  /** The words that begin a line of CREATE TABLE that is no column. */
  readonly notColumns: ReadonlySet<string>;
  /**
   * Passes what begins at an index.
   *
   * @returns The index behind it; the next one where nothing begins; -1 where it does not end.
   */
  pass(bytes: Buffer, i: number, mode: Mode): number;
  /** The kind of a string, by what is before it. */
  kindOf(bytes: Buffer, start: number, end: number): FieldKind;
  /** The number of bytes before and behind the value of a string. */
  edgeOf(bytes: Buffer, start: number): number;
  /** Whether a backslash in a string escapes. */
  escapes(bytes: Buffer, start: number, mode: Mode): boolean;
  /** Whether a line of its own begins at an index, which is no statement: a comment, a command. */
  isLine(bytes: Buffer, i: number): boolean;
  /** Whether the strings of a column of a type are bytes and no text; in lower case. */
  isBlob(type: string): boolean;
  /** What a line of its own makes the end of statements; undefined where it says nothing of the kind. */
  readDelimiter(bytes: Buffer, start: number, end: number): string | undefined;
  /** What a byte begins, for people. */
  describe(byte: number): string;
  /** A name that is not in quotes, as the database takes it. */
  foldName(name: string): string;
  /** Whether what would end a statement does not, since a body goes on. */
  isWithinBody(bytes: Buffer, start: number, end: number, mode: Mode): boolean;
}

/** A table of bytes. */
export function deriveMarks(characters: string): Uint8Array {
  const marks = new Uint8Array(0x100);
  for (const character of characters) marks[character.charCodeAt(0)] = 1;
  return marks;
}

/** Whether a byte may stand in a name without quotes. */
export const isWordByte = (byte: number | undefined): boolean =>
  byte !== undefined && words[byte] === 1;

const words = deriveMarks('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz$').fill(
  1,
  0x80,
);

/** Whether a byte stands between words: a space, or what moves the cursor. */
export const isBlank = (byte: number | undefined): boolean =>
  byte === 0x20 || (byte !== undefined && byte >= 0x09 && byte <= 0x0d);
