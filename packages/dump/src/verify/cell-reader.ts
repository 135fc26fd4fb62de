/** Reads the values of records in any format. */
import type { Repair, Repairer } from '@utf8/repair';
import { UsageError } from '../error.js';
import type { Field, Format, FormatOptions, Piece } from '../format/format.js';
import {
  BACKSLASH,
  bytesOf,
  DOLLAR,
  DOUBLE_QUOTE,
  isHex,
  LETTER_N,
  LETTER_X,
  QUOTE,
} from '../format/shared/ascii.js';
import { opt, phrase } from '../phrase.js';
import type { RecordRepairer } from '../repair/record-repairer.js';
import {
  type Cell,
  type CellText,
  decodeHex,
  equals,
  isHexForm,
  joinTexts,
  Mark,
  markFindings,
} from './cell.js';
import { isExpression } from './expression.js';
import { readJson } from './json-cells.js';

/** Rules for reading the values of one side. */
export interface CellRules {
  readonly format: Format;
  readonly formatOptions: FormatOptions;
  /** The unquoted text that stands for NULL, if it is not the usual one. */
  readonly null: string | undefined;
  /** Repairs texts; without it, they are what they are. */
  readonly repairer: RecordRepairer | undefined;
  /** Repairs texts that are spelled in hex, such as `0x…` in a column of text. */
  readonly plainRepairer: Repairer | undefined;
  /** U+FFFD in the encoding of the result. */
  readonly replacement: Uint8Array;
  /** Tells whether a text is well-formed; without it, none is tested. */
  readonly isValid: ((bytes: Uint8Array) => boolean) | undefined;
}

const SQL = /^(mysqldump|pg_dump|sqlite)$/;
const BITS = 'b'.charCodeAt(0);
const NULL_WORD = bytesOf('NULL');
const DIGIT_0 = 0x30;

/** Reads the values of records. */
export class CellReader {
  readonly #rules: CellRules;
  readonly #isSql: boolean;
  readonly #isMySql: boolean;
  readonly #isJson: boolean;
  /** The byte around quoted fields of delimited formats; -1 if there is none. */
  readonly #quote: number;
  readonly #null: Buffer | undefined;
  readonly #asText = new TextView();

  constructor(rules: CellRules) {
    const { name } = rules.format;
    this.#rules = rules;
    this.#isSql = SQL.test(name);
    this.#isMySql = name === 'mysqldump';
    this.#isJson = name.startsWith('json');
    this.#quote = findQuote(name, rules.formatOptions);
    this.#null = findNull(rules);
  }

  /**
   * Reads a record.
   *
   * @param isClean - Whether no field can change.
   * @param isValid - Whether no text as the file spells it is malformed.
   */
  read(bytes: Uint8Array, piece: Piece, isClean: boolean, isValid: boolean): Cell[] {
    const readText = (field: Field): CellText =>
      this.#readText(bytes, piece, field, isClean, isValid);
    if (this.#isJson) return readJson(bytes, piece, readText);
    // Only the rows of a COPY end with `\.`.
    const isTuple = this.#isSql && piece.after?.[0] !== BACKSLASH;
    if (isTuple) return this.#readTuple(bytes, piece, readText);
    return piece.fields.map((field) => {
      const { column, number } = field;
      if (this.isNull(bytes, piece, field)) return createNull(column, number);
      const { value, raw, marks } = readText(field);
      return { column, number, value, raw, marks };
    });
  }

  /** Tells whether a field stands for NULL, in a record that is not a tuple of SQL. */
  isNull(bytes: Uint8Array, { own }: Piece, { start, end, kind }: Field): boolean {
    if (this.#quote !== -1 && start > own && bytes[start - 1] === this.#quote) return false;
    if (this.#null) return equals(bytes, start, end, this.#null);
    return kind === 'opaque' && isBackslashN(bytes, start, end);
  }

  /** Reads the values of a tuple, each of which may consist of several strings. */
  #readTuple(bytes: Uint8Array, piece: Piece, readText: (field: Field) => CellText): Cell[] {
    const { fields, own, end } = piece;
    const cells: Cell[] = [];
    let gap = own;
    for (let i = 0; i < fields.length; ) {
      const first = fields[i] as Field;
      const { column, number } = first;
      const texts: CellText[] = [];
      const from = gap;
      let isPlain = true;
      let isNull = false;
      let last = first;
      for (; i < fields.length && fields[i]?.number === number; i++) {
        last = fields[i] as Field;
        const quote = bytes[last.start - 1];
        const isQuoted = quote === QUOTE || quote === DOUBLE_QUOTE || quote === DOLLAR;
        // `0x` is no part of the field.
        const isNumber = last.isHex && !isQuoted;
        isPlain &&= !isExpression(bytes, gap, last.start - (isNumber ? 2 : 0));
        if (isQuoted) texts.push(this.#readString(bytes, last, readText));
        else {
          isNull ||= isNullWord(bytes, last.start, last.end);
          texts.push(this.#readLiteral(bytes, last, readText));
        }
        gap = last.end;
      }
      const after = fields[i]?.start ?? end;
      isPlain &&= !isExpression(bytes, gap, after, true);
      if (!isPlain) {
        // The value of an expression is unknown, so it equals nothing but itself.
        const value = trim(bytes, from, after);
        cells.push({ column, number, value, raw: undefined, marks: 0 });
      } else if (isNull && texts.length === 1) cells.push(createNull(column, number));
      else {
        const { value, raw, marks } = joinTexts(texts);
        cells.push({ column, number, value, raw, marks });
      }
    }
    return cells;
  }

  /** Reads a string of SQL, which may be `X'…'`, `b'…'` or `_binary '…'`. */
  #readString(bytes: Uint8Array, field: Field, readText: (field: Field) => CellText): CellText {
    const { start, end, kind } = field;
    const prefix = bytes[start - 1] === QUOTE ? (bytes[start - 2] ?? 0) | 0x20 : 0;
    if (prefix === LETTER_X && isHex(bytes, start, end)) {
      return this.#readHex(decodeHex(bytes, start, end), kind);
    }
    if (prefix === BITS && this.#isMySql && kind === 'opaque') {
      return createBlob(decodeBits(bytes, start, end));
    }
    const text = readText(field);
    // PostgreSQL's `\x…` is ASCII, and may be text.
    if (kind === 'text' || isHexForm(text.value)) return text;
    return createBlob(text.value);
  }

  /** Reads a value without quotes, such as a number or `0x…`. */
  #readLiteral(bytes: Uint8Array, field: Field, readText: (field: Field) => CellText): CellText {
    const { start, end, kind } = field;
    if (field.isHex) return this.#readHex(decodeHex(bytes, start, end), kind);
    const isHexadecimal =
      bytes[start] === DIGIT_0 && bytes[start + 1] === LETTER_X && isHex(bytes, start + 2, end);
    if (!isHexadecimal || !this.#isMySql) return readText(field);
    return this.#readHex(decodeHex(bytes, start + 2, end), kind);
  }

  /** Returns what hex digits stand for: a blob, or text if its column has that. */
  #readHex(value: Uint8Array, kind: Field['kind']): CellText {
    if (kind === 'opaque') return createBlob(value);
    const { plainRepairer, isValid = () => true } = this.#rules;
    const repair = plainRepairer?.(value);
    if (repair && repair.status !== 'unchanged') return this.#create(value, repair.bytes, repair);
    return { value, raw: undefined, marks: isValid(value) ? 0 : Mark.malformed };
  }

  /** Describes a text that a repair changes, or refuses. */
  #create(raw: Uint8Array, value: Uint8Array, { findings }: Repair): CellText {
    // Refused text stays as it is.
    const isSame = equals(raw, 0, raw.length, value);
    const marks = markFindings(findings, this.#rules.replacement);
    return { value, raw: isSame ? undefined : raw, marks };
  }

  #readText(
    bytes: Uint8Array,
    piece: Piece,
    field: Field,
    isClean: boolean,
    isValid: boolean,
  ): CellText {
    const { format, repairer, isValid: test } = this.#rules;
    const text = bytes.subarray(field.start, field.end);
    if (field.kind === 'opaque') {
      // The format returns it as it is spelled: quoted blobs and `\\x…` have escapes.
      return { value: format.readValue(bytes, this.#asText.of(field)), raw: undefined, marks: 0 };
    }
    const value = format.readValue(bytes, field);
    if (!isClean && repairer) {
      const repair = repairer.repair(bytes, piece, field);
      if (repair.status !== 'unchanged') {
        return this.#create(value, format.readValue(bytes, field, repair.bytes), repair);
      }
    }
    const isSpelled = this.#isJson || value.length === text.length;
    const isFine = !test || (isSpelled ? isValid || test(text) : test(value));
    return { value, raw: undefined, marks: isFine ? 0 : Mark.malformed };
  }
}

/** A field that is read as text, of any kind. */
class TextView implements Field {
  start = 0;
  end = 0;
  readonly kind = 'text';
  readonly column = undefined;
  number = 0;
  escapes: boolean | undefined = undefined;
  isHex: boolean | undefined = undefined;

  /** Moves to a field. */
  of({ start, end, number, escapes, isHex }: Field): this {
    this.start = start;
    this.end = end;
    this.number = number;
    this.escapes = escapes;
    this.isHex = isHex;
    return this;
  }
}

const createNull = (column: string | undefined, number: number): Cell => ({
  column,
  number,
  value: undefined,
  raw: undefined,
  marks: 0,
});

const createBlob = (value: Uint8Array): CellText => ({ value, raw: undefined, marks: Mark.blob });

/** Finds the byte around quoted fields; -1 if there is none. */
function findQuote(format: string, { quote }: FormatOptions): number {
  if (typeof quote === 'string') {
    const hex = /^\\x([0-9A-Fa-f]{2})$/.exec(quote)?.[1];
    if (hex) return Number.parseInt(hex, 16);
    return quote === '' ? -1 : quote.charCodeAt(0);
  }
  return /^(csv|tsv)$/.test(format) ? DOUBLE_QUOTE : -1;
}

/** Finds the unquoted text for NULL; undefined for the format's own. */
function findNull({ null: text, format: { name }, formatOptions }: CellRules): Buffer | undefined {
  const isDelimited = /^(csv|tsv|tab|copy)$/.test(name);
  if (text !== undefined) {
    if (isDelimited) return Buffer.from(text);
    throw new UsageError(
      phrase`${opt('null')} applies to copy, csv, tsv, tab; remove it for ${opt('format', name)}`,
    );
  }
  const hasEscape = typeof formatOptions.escape === 'string' && formatOptions.escape !== '';
  if ((name === 'csv' || name === 'tsv') && !hasEscape) return Buffer.of();
  // MySQL writes the word where nothing escapes.
  return name === 'tab' && formatOptions.escape === '' ? NULL_WORD : undefined;
}

const isBackslashN = (bytes: Uint8Array, start: number, end: number): boolean =>
  end - start === 2 && bytes[start + 1] === LETTER_N;

/** Tells whether a range is the word NULL in any case. */
export function isNullWord(bytes: Uint8Array, start: number, end: number): boolean {
  return (
    end - start === 4 && NULL_WORD.every((byte, i) => ((bytes[start + i] ?? 0) & 0xdf) === byte)
  );
}

function decodeBits(bytes: Uint8Array, start: number, end: number): Buffer {
  const result = Buffer.alloc(Math.ceil((end - start) / 8));
  for (let i = 0; i < end - start; i++) {
    if (bytes[end - 1 - i] !== 0x31) continue;
    const at = result.length - 1 - (i >> 3);
    result[at] = (result[at] as number) | (1 << (i & 7));
  }
  return result;
}

/** Returns a range without blanks, commas and parentheses around it. */
function trim(bytes: Uint8Array, start: number, end: number): Uint8Array {
  const text = Buffer.from(bytes.subarray(start, end)).toString('latin1');
  return bytesOf(text.replace(/^[\s,(]+|(?<![\s,])[\s,]+$/g, ''));
}
