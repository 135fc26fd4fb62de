import { BACKQUOTE, DOT, DOUBLE_QUOTE, HASH, MINUS, SLASH } from '../ascii.js';
import { deriveName } from '../name.js';
import { type Dialect, isBlank, isWordByte, type Mode } from './dialect.js';

/** The words of a statement, one after the other; what is between them is passed. */
export class Tokens {
  /** Of the last token. */
  start: number;
  end: number;
  readonly #bytes: Buffer;
  readonly #limit: number;
  readonly #dialect: Dialect;
  readonly #mode: Mode;

  /**
   * @param start - Where the statement begins.
   * @param end - Where to stop.
   */
  constructor(bytes: Buffer, start: number, end: number, dialect: Dialect, mode: Mode) {
    this.#bytes = bytes;
    this.start = start;
    this.end = start;
    this.#limit = end;
    this.#dialect = dialect;
    this.#mode = mode;
  }

  /** The next word in lower case, or the one character of what is none; an empty string at the end. */
  next(): string {
    this.#move();
    const bytes = this.#bytes;
    if (this.start === this.end) return '';
    if (isWordByte(bytes[this.start]))
      return bytes.toString('latin1', this.start, this.end).toLowerCase();
    return String.fromCharCode(bytes[this.start] as number);
  }

  /** The last token as a name; undefined where it is none. */
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

  /** Whether the last token is a name in quotes. */
  get isQuoted(): boolean {
    const byte = this.#bytes[this.start];
    return byte === DOUBLE_QUOTE || byte === BACKQUOTE;
  }

  /** Whether a dot stands right behind the last token. */
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
      // What does not end in the bytes is as good as their end.
      if (end === -1 || end > this.#limit) return;
      this.end = end;
      if (!isComment(bytes[i] as number, end - i)) return;
      i = end;
    }
  }
}

/** Whether what was passed is a comment, by its first byte and its length. */
export const isComment = (first: number, length: number): boolean =>
  length > 1 && (first === MINUS || first === SLASH || first === HASH);
