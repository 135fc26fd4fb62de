/**
 * The SQL of SQLite.
 *
 * @see https://www.sqlite.org/lang_keywords.html and https://www.sqlite.org/lang_expr.html#literal_values_constants_
 */
import {
  BACKQUOTE,
  DOUBLE_QUOTE,
  isHex,
  LETTER_X,
  MINUS,
  QUOTE,
  SLASH,
  STAR,
} from '../shared/ascii.js';
import type { EscapeRules } from '../shared/unescape.js';
import { deriveMarks, isWordByte, type SqlDialect } from './dialect.js';
import { noSettings } from './settings.js';
import { passLine, passQuoted } from './strings.js';

const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COMMENT_END = Buffer.from('*/');
const UNISTR = /\bunistr\s*\(\s*$/i;
/** Bytes before a string in which a call of `unistr` is found. */
const CALL = 16;

/** The escapes in the argument of `unistr`, which `.dump` calls for control characters since 3.50. */
export const unistrEscapes: EscapeRules = {
  letters: {},
  codes: /u([\dA-Fa-f]{4})|U([\dA-Fa-f]{8})|\+([\dA-Fa-f]{6})/y,
};

export const sqlite: SqlDialect = {
  marks: deriveMarks('\'"`[-/()'),
  nests: false,
  mostColumns: 32767,
  hasCopy: false,
  notColumns: new Set('constraint primary unique check foreign'.split(' ')),

  pass(bytes, i) {
    switch (bytes[i]) {
      case QUOTE:
      case DOUBLE_QUOTE:
      case BACKQUOTE:
        return passQuoted(bytes, i);
      case OPEN_BRACKET: {
        const end = bytes.indexOf(CLOSE_BRACKET, i);
        return end === -1 ? -1 : end + 1;
      }
      case MINUS:
        return bytes[i + 1] === MINUS ? passLine(bytes, i) : i + 1;
      case SLASH: {
        if (bytes[i + 1] !== STAR) return i + 1;
        const end = bytes.indexOf(COMMENT_END, i + 2);
        return end === -1 ? -1 : end + 2;
      }
      default:
        return i + 1;
    }
  },

  kindOf(bytes, start, end) {
    const isBlob = ((bytes[start - 1] ?? 0) | 0x20) === LETTER_X && !isWordByte(bytes[start - 2]);
    return isBlob && isHex(bytes, start + 1, end - 1) ? 'opaque' : 'text';
  },

  isString: (bytes, start) => bytes[start] === QUOTE,

  edgeOf: () => 1,
  escapes: (bytes, start) =>
    bytes[start] === QUOTE &&
    UNISTR.test(bytes.toString('latin1', Math.max(0, start - CALL), start)),
  isLine: (bytes, i) => bytes[i] === MINUS && bytes[i + 1] === MINUS,
  readDelimiter: () => undefined,

  describe(byte) {
    if (byte === SLASH) return 'comment';
    return byte === QUOTE ? 'string' : 'name';
  },

  hasSchemas: false,
  // A column may hold values of any type. `.dump` writes each blob as X'...', and only text as '...'.
  hidesBinary: false,
  readType: () => ({ is: 'text' }),
  isSystem: () => false,
  names: undefined,
  settings: noSettings,
  changeTo: () => '',
  foldName: (name) => name,

  // The rule of sqlite3_complete: a trigger ends with a semicolon, END, and a semicolon.
  openBody(tokens) {
    if (tokens.next() !== 'create') return undefined;
    let word = tokens.next();
    if (word === 'temp' || word === 'temporary') word = tokens.next();
    if (word !== 'trigger') return undefined;
    let [before, last] = ['', ''];
    return () => {
      for (word = tokens.next(); word !== ''; word = tokens.next()) {
        if (word === ';' && last === 'end' && before === ';') return false;
        [before, last] = [last, word];
      }
      return true;
    };
  },
};
