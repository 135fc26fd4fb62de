import { BACKQUOTE, DOT, DOUBLE_QUOTE, HASH, MINUS, SLASH } from '../shared/ascii.js';
import { deriveName } from '../shared/column-name.js';
import { isBlank, isWordByte, type SqlDialect, type SqlMode } from './dialect.js';

/** The words of a statement, without the blanks and comments between them. */
export class Tokens {
  /** The range of the last token. */
  start: number;
  end: number;
  readonly #bytes: Buffer;
  readonly #limit: number;
  readonly #dialect: SqlDialect;
  readonly #mode: SqlMode;

  constructor(bytes: Buffer, start: number, end: number, dialect: SqlDialect, mode: SqlMode) {
    this.#bytes = bytes;
    this.start = start;
    this.end = start;
    this.#limit = end;
    this.#dialect = dialect;
    this.#mode = mode;
  }

  /** Returns the next word in lower case, or the next other character; an empty string at the end. */
  next(): string {
    this.#move();
    const bytes = this.#bytes;
    if (this.start === this.end) return '';
    if (isWordByte(bytes[this.start]))
      return bytes.toString('latin1', this.start, this.end).toLowerCase();
    return String.fromCharCode(bytes[this.start] as number);
  }

  /** The last token as a name; undefined if it is not one. */
  get name(): string | undefined {
    const bytes = this.#bytes;
    const quote = bytes[this.start];
    if (this.start === this.end) return undefined;
    if (isWordByte(quote)) {
      return this.#dialect.foldName(deriveName(bytes.subarray(this.start, this.end)));
    }
    if (!this.isQuoted) return undefined;
    const mark = String.fromCharCode(quote as number);
    const name = deriveName(bytes.subarray(this.start + 1, this.end - 1));
    return name.replaceAll(mark + mark, mark);
  }

  /** Whether the last token is a quoted name. */
  get isQuoted(): boolean {
    const byte = this.#bytes[this.start];
    return byte === DOUBLE_QUOTE || byte === BACKQUOTE;
  }

  /** Whether a dot follows the last token. */
  get isBeforeDot(): boolean {
    return this.end < this.#limit && this.#bytes[this.end] === DOT;
  }

  #move(): void {
    const bytes = this.#bytes;
    let i = this.end;
    for (;;) {
      while (i < this.#limit && isBlank(bytes[i])) i++;
      this.start = i;
      this.end = i;
      if (i >= this.#limit) return;
      if (isWordByte(bytes[i]) && this.#dialect.marks[bytes[i] as number] === 0) {
        while (i < this.#limit && isWordByte(bytes[i])) i++;
        this.end = i;
        return;
      }
      const end = this.#dialect.pass(bytes, i, this.#mode);
      // What does not end in the bytes counts as their end.
      if (end === -1 || end > this.#limit) return;
      this.end = end;
      if (!isComment(bytes[i] as number, end - i)) return;
      i = end;
    }
  }
}

/** Tells whether what was passed is a comment, by its first byte and its length. */
export const isComment = (first: number, length: number): boolean =>
  length > 1 && (first === MINUS || first === SLASH || first === HASH);
