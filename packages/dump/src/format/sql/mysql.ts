/**
 * The SQL of MySQL and MariaDB.
 *
 * @see https://dev.mysql.com/doc/refman/8.4/en/language-structure.html
 */
import { BACKQUOTE, DOUBLE_QUOTE, HASH, MINUS, QUOTE, SLASH, STAR } from '../shared/ascii.js';
import type { EscapeRules } from '../shared/unspell.js';
import { deriveMarks, isBlank, isWordByte, type SqlDialect, type SqlMode } from './dialect.js';
import { readCharset, readMysqlType, readSessionCharset } from './mysql-type.js';
import { passEscaped, passLine, passQuoted } from './strings.js';

const LETTER_M = 0x4d;
const EXCLAMATION = 0x21;
/** Bytes in which a line names a delimiter. */
const LONGEST = 80;
const COMMENT_END = Buffer.from('*/');

/** The escapes of strings, and of what `INTO OUTFILE` writes. */
export const mysqlEscapes: EscapeRules = {
  letters: { '0': 0, b: 8, n: 10, r: 13, t: 9, Z: 26 },
};

export const mysql: SqlDialect = {
  marks: deriveMarks('\'"`#-/()'),
  nests: false,
  hasCopy: false,
  notColumns: new Set(
    'primary key index unique fulltext spatial constraint foreign check period like'.split(' '),
  ),
  pass,

  kindOf(bytes, start) {
    let end = start;
    while (isBlank(bytes[end - 1])) end--;
    let i = end;
    while (isWordByte(bytes[i - 1])) i--;
    if (i === end) return 'text';
    const word = bytes.toString('latin1', i, end).toLowerCase();
    if (word.startsWith('_')) return /^_utf8(mb[34])?$/.test(word) ? 'text' : 'opaque';
    return (word === 'x' || word === 'b') && end === start ? 'opaque' : 'text';
  },

  edgeOf: () => 1,
  escapes: (bytes, start) => bytes[start] !== BACKQUOTE,

  isLine(bytes, i) {
    const byte = bytes[i];
    if (byte === HASH) return true;
    if (byte === MINUS) return bytes[i + 1] === MINUS;
    return (
      (byte === 0x44 || byte === 0x64) &&
      /^delimiter[ \t]/i.test(bytes.toString('latin1', i, i + 10))
    );
  },

  readDelimiter(bytes, start, end) {
    const line = bytes.toString('latin1', start, Math.min(end, start + LONGEST));
    return /^delimiter[ \t]+(\S+)/i.exec(line)?.[1];
  },

  describe(byte) {
    if (byte === SLASH) return 'comment';
    return byte === BACKQUOTE ? 'name' : 'string';
  },

  hasSchemas: false,
  // Only MySQL marks binary strings with _binary; those of MariaDB look like any other string.
  hidesBinary: true,
  readType: readMysqlType,
  readCharset,
  isSystem: (database) => /^(mysql|sys|performance_schema|information_schema)$/i.test(database),

  names: 'utf8mb4',

  describeSetting(statement) {
    if (!/^\s*(?:\/\*M?!\d*\s*)?SET\s/i.test(statement)) return undefined;
    // A dump turns the strict mode off. What was rejected once should not be lost with it.
    const modes = /\bSQL_MODE\s*=\s*'([^']*)'/i.exec(statement)?.[1];
    if (modes) return `SET SQL_MODE=CONCAT(@@SQL_MODE, ',${modes}');\n`;
    return /\bNAMES\s|\bTIME_ZONE\s*=\s*'/i.test(statement) ? statement : undefined;
  },

  changeTo: (database) => `USE \`${database.replaceAll('`', '``')}\`;\n`,
  readSessionCharset,

  fixWord(text, before) {
    const [, quote = '', rest = ''] = /^(['"`]?)utf8(?:mb3)?((?:_\w+)?)['"`]?$/.exec(text) ?? [];
    const names = CHARSET_WORDS.test(before);
    if (!names || !/^['"`]?utf8(mb3)?(_|['"`]?$)/.test(text)) return undefined;
    // The only one that utf8mb4 does not have.
    return `${quote}utf8mb4${rest.replace('_general_mysql500_ci', '_general_ci')}${quote}`;
  },
  lengthOfCodeMark,

  foldName: (name) => name,
  isWithinBody: () => false,
};

function pass(bytes: Buffer, i: number, mode: SqlMode): number {
  switch (bytes[i]) {
    case QUOTE:
    case DOUBLE_QUOTE:
      return passEscaped(bytes, i);
    case BACKQUOTE:
      return passQuoted(bytes, i);
    case HASH:
      return passLine(bytes, i);
    case MINUS:
      return bytes[i + 1] === MINUS && endsDashes(bytes[i + 2]) ? passLine(bytes, i) : i + 1;
    case SLASH:
      return bytes[i + 1] === STAR ? passComment(bytes, i, mode) : i + 1;
    default:
      return i + 1;
  }
}

/** Words before the name of a character set or a collation. Stored programs keep that of their literals. */
const CHARSET_WORDS =
  /^(set|charset|names|collate|character_set_(client|results)|collation_connection)$/;

/** Two dashes begin a comment only before a blank or a control character: `5--1` is 6. */
const endsDashes = (byte: number | undefined): boolean => byte === undefined || byte <= 0x20;

/** Returns the length of a mark such as `/*!40101` or `/*M!100100`. */
function lengthOfCodeMark(bytes: Buffer, start: number): number {
  if (bytes[start] !== SLASH || bytes[start + 1] !== STAR) return 0;
  let i = start + (bytes[start + 2] === LETTER_M ? 3 : 2);
  if (bytes[i++] !== EXCLAMATION) return 0;
  while ((bytes[i] as number) >= 0x30 && (bytes[i] as number) <= 0x39) i++;
  return i - start;
}

/** Passes a comment. One that is code for some versions, as `/*!40101 …`, may contain strings. */
function passComment(bytes: Buffer, start: number, mode: SqlMode): number {
  const mark = lengthOfCodeMark(bytes, start);
  if (mark === 0) {
    const end = bytes.indexOf(COMMENT_END, start + 2);
    return end === -1 ? -1 : end + 2;
  }
  let i = start + mark;
  while (i < bytes.length) {
    const byte = bytes[i] as number;
    if (byte === STAR && bytes[i + 1] === SLASH) return i + 2;
    if (mysql.marks[byte] === 0) i++;
    else {
      i = pass(bytes, i, mode);
      if (i === -1) return -1;
    }
  }
  return -1;
}
