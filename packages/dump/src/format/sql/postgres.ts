/**
 * The SQL of PostgreSQL.
 *
 * @see https://www.postgresql.org/docs/current/sql-syntax-lexical.html
 */
import { postgresCharsets } from '../../charset/server.js';
import {
  BACKSLASH,
  DOLLAR,
  DOUBLE_QUOTE,
  isHex,
  LETTER_X,
  MINUS,
  QUOTE,
  SLASH,
  STAR,
} from '../shared/ascii.js';
import {
  deriveMarks,
  isWordByte,
  type SqlDialect,
  type SqlMode,
  type WordSource,
} from './dialect.js';
import { postgresSettings } from './postgres-settings.js';
import { readPostgresType } from './postgres-type.js';
import { textOf } from './settings.js';
import { passEscaped, passLine, passQuoted } from './strings.js';
import type { Word } from './words.js';

const LETTER_B = 0x62;
const LETTER_E = 0x65;

/** A line that names another database. */
const CONNECT = /^\\c(?:onnect)?[ \t]+(?:-\S+[ \t]+)?(?:"((?:[^"]|"")+)"|(\S+))/;

/** The database that a connection string names, in quotes or not. */
const DATABASE = /\bdbname\s*=\s*(?:'((?:[^'\\]|\\.)+)'|(\S+))/;

export const postgres: SqlDialect = {
  marks: deriveMarks('\'"$-/()'),
  nests: true,
  mostColumns: 1600,
  hasCopy: true,
  notColumns: new Set('constraint primary unique check foreign exclude like'.split(' ')),
  pass,

  kindOf(bytes, start, end) {
    const prefix = prefixOf(bytes, start);
    if (prefix === LETTER_B || prefix === LETTER_X) {
      return isHex(bytes, start + 1, end - 1) ? 'opaque' : 'text';
    }
    const isBytea =
      bytes[start] === QUOTE && bytes[start + 1] === BACKSLASH && bytes[start + 2] === LETTER_X;
    return isBytea && isHex(bytes, start + 3, end - 1) ? 'opaque' : 'text';
  },

  isString: (bytes, start) => bytes[start] === QUOTE || bytes[start] === DOLLAR,

  edgeOf(bytes, start) {
    return bytes[start] === DOLLAR ? bytes.indexOf(DOLLAR, start + 1) + 1 - start : 1;
  },

  escapes(bytes, start, mode) {
    return bytes[start] === QUOTE && hasEscapes(bytes, start, mode);
  },

  isLine(bytes, i) {
    return bytes[i] === BACKSLASH || (bytes[i] === MINUS && bytes[i + 1] === MINUS);
  },

  readDelimiter: () => undefined,

  describe(byte) {
    if (byte === SLASH) return 'comment';
    if (byte === DOLLAR) return 'dollar-quoted string';
    return byte === DOUBLE_QUOTE ? 'name' : 'string';
  },

  hasSchemas: true,
  // A bytea is ASCII in both of its forms.
  hidesBinary: false,
  readType: readPostgresType,

  isSystem: () => false,
  charsets: postgresCharsets,
  names: undefined,

  settings: postgresSettings,

  changeTo(database) {
    const isPlain = /^\w[\w.-]*$/.test(database);
    const spelled = `dbname='${database.replaceAll(/[\\']/g, '\\$&')}'`;
    const argument = (isPlain ? database : spelled).replaceAll('"', '""');
    return `\\connect ${isPlain ? '' : '-reuse-previous=on '}"${argument}"\n`;
  },
  *listFixes(words) {
    if (words.accept('create database')) {
      while (!words.isOver) {
        const isEncoding = words.next().text === 'encoding';
        if (!isEncoding) continue;
        words.accept('=');
        yield* fixEncoding(words.next());
      }
    } else if (words.accept('set')) {
      words.acceptAll(/^(session|local)$/);
      if (words.accept('names')) yield* fixEncoding(words.next());
      else if (words.accept('client_encoding')) {
        words.next();
        yield* fixEncoding(words.next());
      }
    } else if (words.accept('select')) {
      words.accept('pg_catalog .');
      if (words.accept('set_config (') && words.next().text === "'client_encoding'") {
        words.next();
        yield* fixEncoding(words.next());
      }
    }
  },

  readConnect(bytes, start, end) {
    const line = bytes.toString('utf8', start, end);
    const [, quoted, bare] = CONNECT.exec(line) ?? [];
    const name = quoted?.replaceAll('""', '"') ?? bare;
    // A hyphen means the same database, and psql reads an argument with an equals sign as a connection string.
    if (!name?.includes('=')) return name === '-' ? undefined : name;
    const [, spelled, plain] = DATABASE.exec(name) ?? [];
    return spelled?.replaceAll(/\\(.)/g, '$1') ?? plain;
  },

  foldName: (name) => name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()),
  openBody,
};

/** Names UTF-8. In SQL_ASCII, a server assumes that text is in the encoding of its database. */
function* fixEncoding(word: Word): Generator<[Word, string]> {
  const name = textOf(word)?.toLowerCase() ?? 'default';
  if (!/^(default|utf-?8|unicode)$/.test(name)) yield [word, "'UTF8'"];
}

function pass(bytes: Buffer, i: number, mode: SqlMode): number {
  switch (bytes[i]) {
    case QUOTE:
      return hasEscapes(bytes, i, mode) ? passEscaped(bytes, i) : passQuoted(bytes, i);
    case DOUBLE_QUOTE:
      return passQuoted(bytes, i);
    case DOLLAR:
      return passDollars(bytes, i);
    case MINUS:
      return bytes[i + 1] === MINUS ? passLine(bytes, i) : i + 1;
    case SLASH:
      return bytes[i + 1] === STAR ? passComment(bytes, i) : i + 1;
    default:
      return i + 1;
  }
}

/** Returns the letter before a quote that tells the kind of string, in lower case; 0 if there is none. */
function prefixOf(bytes: Buffer, start: number): number {
  const letter = (bytes[start - 1] ?? 0) | 0x20;
  const isPrefix = letter === LETTER_B || letter === LETTER_E || letter === LETTER_X;
  return isPrefix && !isWordByte(bytes[start - 2]) ? letter : 0;
}

const hasEscapes = (bytes: Buffer, start: number, mode: SqlMode): boolean =>
  !mode.isStandard || prefixOf(bytes, start) === LETTER_E;

/** Passes `$tag$ … $tag$`. A dollar within a word, or before a digit, begins nothing. */
function passDollars(bytes: Buffer, start: number): number {
  const first = bytes[start + 1];
  if (isWordByte(bytes[start - 1]) || (first !== undefined && first >= 0x30 && first <= 0x39)) {
    return start + 1;
  }
  let i = start + 1;
  while (bytes[i] !== DOLLAR && isWordByte(bytes[i])) i++;
  if (bytes[i] !== DOLLAR) return start + 1;
  const end = bytes.indexOf(bytes.subarray(start, i + 1), i + 1);
  return end === -1 ? -1 : end + i + 1 - start;
}

/** Passes a comment, which may contain others. */
function passComment(bytes: Buffer, start: number): number {
  let depth = 1;
  for (let i = start + 2; i + 1 < bytes.length; i++) {
    if (bytes[i] === STAR && bytes[i + 1] === SLASH) {
      i++;
      if (--depth === 0) return i + 1;
    } else if (bytes[i] === SLASH && bytes[i + 1] === STAR) {
      i++;
      depth++;
    }
  }
  return -1;
}

/**
 * Follows the body of an SQL function, `BEGIN ATOMIC … END`, in which each statement has a semicolon. `CASE`
 * has an `END` of its own.
 */
function openBody(tokens: WordSource): (() => boolean) | undefined {
  if (tokens.next() !== 'create') return undefined;
  let word = tokens.next();
  if (word === 'or') {
    tokens.next();
    word = tokens.next();
  }
  if (word !== 'function' && word !== 'procedure') return undefined;
  let depth = 0;
  let last = word;
  return () => {
    for (word = tokens.next(); word !== ''; word = tokens.next()) {
      if (depth === 0) depth = last === 'begin' && word === 'atomic' ? 1 : 0;
      else if (word === 'case' || word === 'begin') depth++;
      else if (word === 'end') depth--;
      last = word;
    }
    return depth > 0;
  };
}
