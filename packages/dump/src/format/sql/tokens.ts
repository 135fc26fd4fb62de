import {
  BACKQUOTE,
  DOLLAR,
  DOT,
  DOUBLE_QUOTE,
  HASH,
  MINUS,
  QUOTE,
  SLASH,
  STAR,
} from '../shared/ascii.js';
import { deriveName } from '../shared/column-name.js';
import { ANY_SERVER, isBlank, isWordByte, type SqlText } from './dialect.js';

const OPEN_BRACKET = 0x5b;

/** The words of a statement, without the blanks and comments between them. */
export class Tokens {
  /** The range of the last token. */
  start: number;
  end: number;
  /** True if it contains code that only some servers run. */
  varies = false;
  readonly sql: SqlText;
  /** Greatest end of the last token. */
  limit: number;
  /** Number of comments with code that are open. */
  codes: number;

  constructor(sql: SqlText, start: number, end: number, codes = 0) {
    this.sql = sql;
    this.codes = codes;
    this.start = start;
    this.end = start;
    this.limit = end;
  }

  /** Returns the next word in lower case, or the next other character; an empty string at the end. */
  next(): string {
    this.#move();
    if (this.start === this.end) return '';
    const { bytes } = this.sql;
    if (isWordByte(bytes[this.start])) return this.text.toLowerCase();
    return String.fromCharCode(bytes[this.start] as number);
  }

  /** The last token as it is written, in Latin-1. */
  get text(): string {
    return this.sql.bytes.toString('latin1', this.start, this.end);
  }

  /** The last token as a name; undefined if it is not one. */
  get name(): string | undefined {
    const { bytes, dialect } = this.sql;
    const quote = bytes[this.start];
    if (this.start === this.end) return undefined;
    if (isWordByte(quote)) {
      return dialect.foldName(deriveName(bytes.subarray(this.start, this.end)));
    }
    if (!this.isQuoted) return undefined;
    const mark = String.fromCharCode(quote as number);
    const name = deriveName(bytes.subarray(this.start + 1, this.end - 1));
    if (quote === OPEN_BRACKET) return name;
    return name.replaceAll(mark + mark, mark);
  }

  /** True if the last token is a quoted name. */
  get isQuoted(): boolean {
    const byte = this.sql.bytes[this.start];
    if (byte === OPEN_BRACKET) return this.sql.dialect.marks[byte] === 1;
    return byte === DOUBLE_QUOTE || byte === BACKQUOTE;
  }

  /** True if the last token is a string in single quotes or between dollars. */
  get isString(): boolean {
    const byte = this.sql.bytes[this.start];
    return (byte === QUOTE || byte === DOLLAR) && this.end > this.start + 1;
  }

  /** Reads a qualified name by its parts, as `public.people`, whose first part is the last token. */
  readName(): string[] | undefined {
    const parts: string[] = [];
    for (;;) {
      const { name } = this;
      if (name === undefined) return undefined;
      parts.push(name);
      if (this.end >= this.limit || this.sql.bytes[this.end] !== DOT) return parts;
      this.next();
      this.next();
    }
  }

  /** Reads names after an opening parenthesis. */
  readNames(): string[] | undefined {
    const names: string[] = [];
    for (let word = this.next(); word !== ')'; word = this.next()) {
      if (word === ',') continue;
      const { name } = this;
      if (name === undefined) return undefined;
      names.push(name);
    }
    return names;
  }

  #move(): void {
    const { bytes, dialect, mode } = this.sql;
    let i = this.end;
    for (;;) {
      while (i < this.limit && isBlank(bytes[i])) i++;
      this.start = i;
      this.end = i;
      if (i >= this.limit) return;
      const mark = dialect.lengthOfCodeMark?.(bytes, i) ?? 0;
      if (mark > 0) {
        const servers = dialect.serversOf?.(bytes, i) ?? ANY_SERVER;
        if (servers !== ANY_SERVER) this.varies = true;
        if ((servers & (this.sql.servers ?? ANY_SERVER)) !== 0) {
          this.codes++;
          i += mark;
          continue;
        }
      }
      if (this.codes > 0 && bytes[i] === STAR && bytes[i + 1] === SLASH) {
        this.codes--;
        i += 2;
        continue;
      }
      if (isWordByte(bytes[i]) && dialect.marks[bytes[i] as number] === 0) {
        while (i < this.limit && isWordByte(bytes[i])) i++;
        this.end = i;
        return;
      }
      const end = dialect.pass(bytes, i, mode);
      // A token without an end in the bytes extends to the end of them.
      if (end === -1 || end > this.limit) return;
      this.end = end;
      if (!isComment(bytes[i] as number, end - i)) return;
      i = end;
    }
  }
}

/** Tells whether a passed token is a comment, by its first byte and its length. */
export const isComment = (first: number, length: number): boolean =>
  length > 1 && (first === MINUS || first === SLASH || first === HASH);
