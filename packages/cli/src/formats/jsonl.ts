/**
 * JSON Lines: a line is a value, and every string in it is a field, the keys as well. A line is only
 * parsed where somebody asks for its fields.
 *
 * @see https://jsonlines.org and RFC 8259
 */
import {
  BACKSLASH,
  bytesOf,
  COMMA,
  CR,
  DOT,
  DOUBLE_QUOTE,
  isHex,
  MINUS,
  SPACE,
  TAB,
} from './ascii.js';
import { FormatFailure } from './failure.js';
import type { Format } from './format.js';
import { LineReader } from './linewise.js';
import { deriveName } from './name.js';
import type { Fields } from './row.js';

const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const LETTER_U = 0x75;
const ZERO = 0x30;
const PLUS = 0x2b;
const LETTER_E = 0x65;

/** What may stand behind a backslash, but for `u`. */
const ESCAPES: ReadonlySet<number> = new Set(bytesOf('"\\/bfnrt'));

const WORDS: readonly Buffer[] = ['true', 'false', 'null'].map(bytesOf);

/** The format. */
export const jsonl: Format = {
  name: 'jsonl',
  isLineBased: true,
  createReader: (state) =>
    new LineReader(
      {
        split: (bytes, row, end, fields) =>
          new Line(bytes, row.start, end, row.line, fields).read(),
      },
      state,
    ),
  quote: (text) => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"'),
  spellUnit: (unit) => `\\u${unit.toString(16).padStart(4, '0')}`,
  nuls: [bytesOf('\\u0000')],
};

/** Where a value stands in the one around it: behind a key, or at an index where `keyStart` is -1. */
class Place {
  readonly #bytes: Buffer;
  readonly #around: Place | undefined;
  readonly #keyStart: number;
  readonly #keyEnd: number;
  readonly #index: number;

  constructor(
    bytes: Buffer,
    around: Place | undefined,
    keyStart: number,
    keyEnd: number,
    index: number,
  ) {
    this.#bytes = bytes;
    this.#around = around;
    this.#keyStart = keyStart;
    this.#keyEnd = keyEnd;
    this.#index = index;
  }

  /** As `user.names[1]`; a loop, since JSON may be nested deeper than calls. */
  get path(): string {
    const steps: string[] = [];
    for (let place: Place | undefined = this; place; place = place.#around) steps.push(place.#step);
    return steps.reverse().join('').replace(/^\./, '');
  }

  get #step(): string {
    if (this.#keyStart === -1) return `[${this.#index}]`;
    const key = deriveName(this.#bytes.subarray(this.#keyStart, this.#keyEnd));
    const name = unescapeKey(key);
    return /^[\p{L}\p{N}_$-]+$/u.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
  }
}

/** A key with control characters in it is none of JSON; it is then shown as it is. */
function unescapeKey(key: string): string {
  try {
    return JSON.parse(`"${key}"`) as string;
  } catch {
    return key;
  }
}

/** An object or array that is being read. */
interface Container {
  readonly isArray: boolean;
  readonly place: Place | undefined;
  readonly around: Container | undefined;
  /** Of the element that is being read. */
  index: number;
}

/** Parses one line. */
class Line {
  readonly #bytes: Buffer;
  readonly #start: number;
  readonly #end: number;
  readonly #line: number;
  readonly #fields: Fields;
  #i: number;
  #count = 0;

  constructor(bytes: Buffer, start: number, end: number, line: number, fields: Fields) {
    this.#bytes = bytes;
    this.#start = start;
    this.#end = end;
    this.#line = line;
    this.#fields = fields;
    this.#i = start;
  }

  read(): void {
    this.#passSpace();
    // A blank line has no value.
    if (this.#i === this.#end) return;
    let around: Container | undefined;
    let place: Place | undefined;
    for (;;) {
      const byte = this.#peek();
      const isArray = byte === OPEN_BRACKET;
      if (isArray || byte === OPEN_BRACE) {
        this.#i++;
        this.#passSpace();
        around = { isArray, place, around, index: 0 };
        if (this.#peek() !== (isArray ? CLOSE_BRACKET : CLOSE_BRACE)) {
          place = this.#readPlace(around);
          continue;
        }
      } else {
        this.#readScalar(byte, place);
        this.#passSpace();
      }
      // Out of all that ends here.
      while (around && this.#peek() === (around.isArray ? CLOSE_BRACKET : CLOSE_BRACE)) {
        this.#i++;
        this.#passSpace();
        around = around.around;
      }
      if (!around) break;
      if (this.#peek() !== COMMA) {
        throw this.#failure(`"," or "${around.isArray ? ']' : '}'}" is missing here`);
      }
      this.#i++;
      this.#passSpace();
      around.index++;
      place = this.#readPlace(around);
    }
    if (this.#i < this.#end) throw this.#failure('the line goes on behind its JSON value');
  }

  /** -1 at the end. */
  #peek(): number {
    return this.#i < this.#end ? (this.#bytes[this.#i] as number) : -1;
  }

  /** The place of the value that comes next; in an object its key is read first. */
  #readPlace(around: Container): Place {
    if (around.isArray) return new Place(this.#bytes, around.place, -1, -1, around.index);
    if (this.#peek() !== DOUBLE_QUOTE)
      throw this.#failure('a key in double quotes is missing here');
    const start = this.#i + 1;
    this.#passString();
    const end = this.#i - 1;
    const place = new Place(this.#bytes, around.place, start, end, -1);
    this.#fields.add(start, end, 'text', () => `key ${place.path}`, ++this.#count);
    this.#passSpace();
    if (this.#peek() !== COLON) throw this.#failure('":" is missing here');
    this.#i++;
    this.#passSpace();
    return place;
  }

  #readScalar(byte: number, place: Place | undefined): void {
    if (byte === DOUBLE_QUOTE) {
      const start = this.#i + 1;
      this.#passString();
      this.#fields.add(start, this.#i - 1, 'text', place && (() => place.path), ++this.#count);
      return;
    }
    if (byte === MINUS || isDigit(byte)) {
      this.#passNumber();
      return;
    }
    const bytes = this.#bytes;
    for (const word of WORDS) {
      const end = this.#i + word.length;
      if (end > this.#end || word.compare(bytes, this.#i, end) !== 0) continue;
      this.#i = end;
      return;
    }
    throw this.#failure('a JSON value is missing here');
  }

  /**
   * Control characters pass: JSON has them escaped, but a raw U+0000 is one of the things that are
   * looked for.
   */
  #passString(): void {
    const bytes = this.#bytes;
    const begin = this.#i;
    for (let i = begin + 1; i < this.#end; i++) {
      const byte = bytes[i];
      if (byte === DOUBLE_QUOTE) {
        this.#i = i + 1;
        return;
      }
      if (byte !== BACKSLASH) continue;
      const escaped = bytes[i + 1] as number;
      if (i + 1 < this.#end && ESCAPES.has(escaped)) {
        i++;
      } else if (escaped === LETTER_U && i + 6 <= this.#end && isHex(bytes, i + 2, i + 6)) {
        i += 5;
      } else {
        this.#i = i;
        throw this.#failure('JSON has no such escape');
      }
    }
    throw this.#failure('the string that begins here has no end');
  }

  #passNumber(): void {
    if (this.#peek() === MINUS) this.#i++;
    // Nothing follows a zero but a fraction and an exponent.
    if (this.#peek() === ZERO) this.#i++;
    else this.#passDigits();
    if (this.#peek() === DOT) {
      this.#i++;
      this.#passDigits();
    }
    if ((this.#peek() | 0x20) === LETTER_E) {
      this.#i++;
      if (this.#peek() === PLUS || this.#peek() === MINUS) this.#i++;
      this.#passDigits();
    }
  }

  #passDigits(): void {
    const start = this.#i;
    while (isDigit(this.#peek())) this.#i++;
    if (this.#i === start) throw this.#failure('a digit is missing here');
  }

  #passSpace(): void {
    for (; this.#i < this.#end; this.#i++) {
      const byte = this.#bytes[this.#i];
      if (byte !== SPACE && byte !== TAB && byte !== CR) return;
    }
  }

  #failure(what: string): FormatFailure {
    const reason = `${what}; mend the line, or read it with --format lines`;
    return new FormatFailure(reason, this.#line, this.#i - this.#start + 1);
  }
}

const isDigit = (byte: number): boolean => byte >= ZERO && byte <= 0x39;
