/**
 * JSON Lines: each line is a value, and every string in it is a field, keys included. A line is parsed
 * only when its fields are read.
 *
 * @see https://jsonlines.org and RFC 8259
 */
import type { FormatDefinition } from './format.js';
import { FormatError } from './format-error.js';
import {
  BACKSLASH,
  bytesOf,
  COMMA,
  CR,
  DOT,
  DOUBLE_QUOTE,
  isHex,
  LF,
  lengthOfMark,
  MINUS,
  SPACE,
  TAB,
  viewOf,
} from './shared/ascii.js';
import { deriveName } from './shared/column-name.js';
import { countLineFeeds } from './shared/line-feeds.js';
import { LineReader, type LineRules, LineScanner } from './shared/linewise.js';
import { FieldList } from './shared/piece.js';
import { type EscapeRules, unspell } from './shared/unspell.js';

const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const LETTER_U = 0x75;
const ZERO = 0x30;
const PLUS = 0x2b;
const LETTER_E = 0x65;

/** What may follow a backslash, except `u`. */
const ESCAPES: ReadonlySet<number> = new Set(bytesOf('"\\/bfnrt'));

const WORDS: readonly Buffer[] = ['true', 'false', 'null'].map(bytesOf);

const escapes: EscapeRules = {
  letters: { b: 8, f: 12, n: 10, r: 13, t: 9 },
  codes: /u([\da-f]{4})/iy,
};

const rules: LineRules = {
  split: (bytes, { start, line }, end, fields) =>
    new JsonParser(bytes, start, end, line, fields).parse(),
  countOthers(bytes, start, end, line) {
    if (line === 1 && goesOn(bytes, start, end)) {
      throw new FormatError(
        'the first value goes on after its line; use --format json for an array, or --format lines',
        line,
      );
    }
    return 0;
  },
};

/** Tells whether a line ends within a value, as the first one of an array on several lines does. */
function goesOn(bytes: Buffer, start: number, end: number): boolean {
  const feed = bytes.indexOf(LF, start);
  if (feed === -1 || feed >= end) return false;
  return /[,:[{]\s*$/.test(bytes.toString('latin1', Math.max(start, feed - ENDING), feed));
}

/** Bytes of a line by which its end is known. */
const ENDING = 64;

export const jsonl: FormatDefinition = {
  name: 'jsonl',
  summary: 'JSON Lines; each string is a field, keys included',
  options: [],
  recognizes,
  create: () => ({
    name: 'jsonl',
    isLineBased: true,
    isOpaqueAscii: true,
    createReader: (state) => new LineReader(rules, state),
    createScanner: (state) => new LineScanner(rules, state),
    quote: (text) => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"'),
    spellUnit: (unit) => `\\u${unit.toString(16).padStart(4, '0')}`,
    nuls: [bytesOf('\\u0000')],
    readValue: (bytes, { start, end }, text = bytes.subarray(start, end)) => unspell(text, escapes),
  }),
};

/** Tells whether the first line is an object, or the start of one if the line goes on. */
function recognizes(head: Uint8Array): boolean {
  const bytes = viewOf(head);
  const start = lengthOfMark(bytes, 1, 1);
  const feed = bytes.indexOf(LF, start);
  if (bytes[start] !== OPEN_BRACE) return false;
  if (feed === -1) return /^\{\s*"/.test(bytes.toString('latin1', start));
  try {
    new JsonParser(bytes, start, feed, 1, new FieldList()).parse();
    return true;
  } catch {
    return false;
  }
}

/** Where a value stands in the one around it: after a key, or at an index if there is none. */
interface JsonPath {
  readonly outer: JsonPath | undefined;
  readonly key: Buffer | undefined;
  readonly index: number;
}

/** Spells a path, as in `user.names[1]`, in a loop: JSON may be nested deeper than calls. */
function spellPath(path: JsonPath): string {
  const steps: string[] = [];
  for (let step: JsonPath | undefined = path; step; step = step.outer) steps.push(spellStep(step));
  return steps.reverse().join('').replace(/^\./, '');
}

function spellStep({ key, index }: JsonPath): string {
  if (!key) return `[${index}]`;
  const name = unescapeKey(deriveName(key));
  return /^[\p{L}\p{N}_$-]+$/u.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

/** Raw control characters are not JSON; a key with any of them stays as it is. */
function unescapeKey(key: string): string {
  try {
    return JSON.parse(`"${key}"`) as string;
  } catch {
    return key;
  }
}

/** An object or array that is open. */
interface JsonContainer {
  readonly isArray: boolean;
  readonly path: JsonPath | undefined;
  readonly outer: JsonContainer | undefined;
  /** The index of the current element. */
  index: number;
}

/** Parses a value, which JSON Lines have on one line. */
export class JsonParser {
  readonly #bytes: Buffer;
  readonly #start: number;
  readonly #end: number;
  readonly #line: number;
  readonly #fields: FieldList;
  #i: number;
  #count = 0;

  constructor(bytes: Buffer, start: number, end: number, line: number, fields: FieldList) {
    this.#bytes = bytes;
    this.#start = start;
    this.#end = end;
    this.#line = line;
    this.#fields = fields;
    this.#i = start;
  }

  parse(): void {
    this.#passSpace();
    // A blank line has no value.
    if (this.#i === this.#end) return;
    let outer: JsonContainer | undefined;
    let path: JsonPath | undefined;
    for (;;) {
      const byte = this.#peek();
      const isArray = byte === OPEN_BRACKET;
      if (isArray || byte === OPEN_BRACE) {
        this.#i++;
        this.#passSpace();
        outer = { isArray, path, outer, index: 0 };
        if (this.#peek() !== (isArray ? CLOSE_BRACKET : CLOSE_BRACE)) {
          path = this.#readPath(outer);
          continue;
        }
      } else {
        this.#readScalar(byte, path);
        this.#passSpace();
      }
      while (outer && this.#peek() === (outer.isArray ? CLOSE_BRACKET : CLOSE_BRACE)) {
        this.#i++;
        this.#passSpace();
        outer = outer.outer;
      }
      if (!outer) break;
      if (this.#peek() !== COMMA)
        throw this.#error(`expected "," or "${outer.isArray ? ']' : '}'}"`);
      this.#i++;
      this.#passSpace();
      outer.index++;
      path = this.#readPath(outer);
    }
    if (this.#i < this.#end) throw this.#error('unexpected text after the JSON value');
  }

  /** Returns the next byte; -1 at the end. */
  #peek(): number {
    return this.#i < this.#end ? (this.#bytes[this.#i] as number) : -1;
  }

  /** Returns the path of the next value; in an object it reads the key first. */
  #readPath(outer: JsonContainer): JsonPath {
    if (outer.isArray) return { outer: outer.path, key: undefined, index: outer.index };
    if (this.#peek() !== DOUBLE_QUOTE) throw this.#error('expected a key in double quotes');
    const start = this.#i + 1;
    this.#passString();
    const end = this.#i - 1;
    const path = { outer: outer.path, key: this.#bytes.subarray(start, end), index: -1 };
    this.#fields.add(start, end, 'text', () => `key ${spellPath(path)}`, ++this.#count);
    this.#passSpace();
    if (this.#peek() !== COLON) throw this.#error('expected ":"');
    this.#i++;
    this.#passSpace();
    return path;
  }

  #readScalar(byte: number, path: JsonPath | undefined): void {
    if (byte === DOUBLE_QUOTE) {
      const start = this.#i + 1;
      this.#passString();
      this.#fields.add(start, this.#i - 1, 'text', path && (() => spellPath(path)), ++this.#count);
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
    throw this.#error('expected a JSON value');
  }

  /** Raw control characters pass: JSON requires escapes, but a raw U+0000 is what a repair looks for. */
  #passString(): void {
    const bytes = this.#bytes;
    for (let i = this.#i + 1; i < this.#end; i++) {
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
        throw this.#error('invalid escape');
      }
    }
    throw this.#error('unterminated string');
  }

  #passNumber(): void {
    if (this.#peek() === MINUS) this.#i++;
    // Only a fraction or an exponent follows a zero.
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
    if (this.#i === start) throw this.#error('expected a digit');
  }

  #passSpace(): void {
    for (; this.#i < this.#end; this.#i++) {
      const byte = this.#bytes[this.#i];
      if (byte !== SPACE && byte !== TAB && byte !== CR && byte !== LF) return;
    }
  }

  #error(what: string): FormatError {
    const advice =
      this.#i < this.#end
        ? 'correct the line, or use --format lines'
        : 'if a value has several lines, use --format json for an array, or --format lines';
    const feed = this.#i === 0 ? -1 : this.#bytes.lastIndexOf(LF, this.#i - 1);
    const start = Math.max(this.#start, feed + 1);
    const line = this.#line + countLineFeeds(this.#bytes, this.#start, start);
    return new FormatError(`${what}; ${advice}`, line, this.#i - start + 1);
  }
}

const isDigit = (byte: number): boolean => byte >= ZERO && byte <= 0x39;
