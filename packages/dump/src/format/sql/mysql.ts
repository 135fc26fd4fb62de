/**
 * The SQL of MySQL and MariaDB.
 *
 * @see https://dev.mysql.com/doc/refman/8.4/en/language-structure.html
 */
import { mysqlCharsets } from '../../charset/server.js';
import { BACKQUOTE, DOUBLE_QUOTE, HASH, MINUS, QUOTE, SLASH, STAR } from '../shared/ascii.js';
import type { EscapeRules } from '../shared/unescape.js';
import {
  ANY_SERVER,
  deriveMarks,
  isBlank,
  isWordByte,
  MARIADB,
  MYSQL,
  type SqlDialect,
  type SqlMode,
} from './dialect.js';
import { listMysqlFixes } from './mysql-header.js';
import { mysqlSettings } from './mysql-settings.js';
import { readCharset, readMysqlType } from './mysql-type.js';
import { passEscaped, passLine, passQuoted } from './strings.js';

const LETTER_M = 0x4d;
const EXCLAMATION = 0x21;
/** Longest line that is read as a command of the client, in bytes. */
const LONGEST = 1024;
/** Commands of the client, which end with their line unless it contains the delimiter. */
const COMMAND =
  /^(\?|clear|connect|delimiter|edit|ego|exit|go|help|no(?:tee|pager|warning)|pager|print|prompt|quit|rehash|source|status|system|tee|use|charset|warnings)(?:([ \t])|\s|$)/i;
const PARAMETERS = /^(\?|connect|help|pager|prompt|source|system|tee|use|charset)$/i;
/** The first three letters of each, as a number: all others are passed without a regular expression. */
const startOf = (bytes: Uint8Array, i: number): number =>
  (((bytes[i] ?? 0) | 0x20) << 16) |
  (((bytes[i + 1] ?? 0) | 0x20) << 8) |
  ((bytes[i + 2] ?? 0) | 0x20);
const COMMAND_STARTS: ReadonlySet<number> = new Set(
  '? |?\t|?\r|?\n|cle|con|del|edi|ego|exi|go |go\t|go\r|go\n|go;|hel|not|nop|now|pag|pri|pro|qui|reh|sou|sta|sys|tee|use|cha|war'
    .split('|')
    .map((start) => startOf(Buffer.from(start), 0)),
);
const COMMENT_END = Buffer.from('*/');

/** The escapes of strings, and of what `INTO OUTFILE` writes. */
export const mysqlEscapes: EscapeRules = {
  letters: { '0': 0, b: 8, n: 10, r: 13, t: 9, Z: 26 },
};

export const mysql: SqlDialect = {
  marks: deriveMarks('\'"`#-/()'),
  nests: false,
  mostColumns: 4096,
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
  isString: (bytes, start, { quotesNames }) =>
    bytes[start] === QUOTE || (bytes[start] === DOUBLE_QUOTE && !quotesNames),
  escapes: (bytes, start, mode) => !mode.isStandard && mysql.isString(bytes, start, mode),

  isLine(bytes, i, { delimiter }) {
    const byte = bytes[i] as number;
    if (byte === HASH) return true;
    if (byte === MINUS) return bytes[i + 1] === MINUS;
    // A clean dump has few other statements than INSERT and CREATE.
    if (!COMMAND_STARTS.has(startOf(bytes, i))) return false;
    const [, command = '', rest = ''] = COMMAND.exec(bytes.toString('latin1', i, i + 10)) ?? [];
    if (/^delimiter$/i.test(command)) return rest !== '';
    if (command === '') return false;
    const line = bytes.toString('latin1', i, i + LONGEST);
    const feed = line.indexOf('\n');
    const own = feed === -1 ? line : line.slice(0, feed);
    if (feed === -1 && line.length === LONGEST) return false;
    const isAlone = own.slice(command.length).trim() === '';
    if (own.includes(delimiter) || own.includes('\\g')) return false;
    return isAlone || PARAMETERS.test(command);
  },

  readConnect(bytes, start, end) {
    const line = bytes.toString('utf8', start, Math.min(end, start + LONGEST));
    const [, quoted, bare] = /^use[ \t]+(?:`([^`]+)`|(\S+))/i.exec(line) ?? [];
    return quoted ?? bare;
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

  charsets: mysqlCharsets,
  names: 'utf8mb4',

  settings: mysqlSettings,

  changeTo: (database) => `USE \`${database.replaceAll('`', '``')}\`;\n`,

  listFixes: (words, client) =>
    listMysqlFixes(words, client, ({ text, isQuoted }) => isQuoted || !mysql.notColumns.has(text)),
  lengthOfCodeMark,
  serversOf,

  foldName: (name) => name,
};

function pass(bytes: Buffer, i: number, mode: SqlMode): number {
  switch (bytes[i]) {
    case QUOTE:
      return mode.isStandard ? passQuoted(bytes, i) : passEscaped(bytes, i);
    case DOUBLE_QUOTE:
      return mode.isStandard || mode.quotesNames ? passQuoted(bytes, i) : passEscaped(bytes, i);
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

/** Two dashes begin a comment only before a blank or a control character: `5--1` is 6. */
const endsDashes = (byte: number | undefined): boolean => byte === undefined || byte <= 0x20;

/** Returns the length of a mark such as `/*!40101` or `/*M!100100`; 0 if no server runs what follows. */
function lengthOfCodeMark(bytes: Buffer, start: number): number {
  return serversOf(bytes, start) === 0 ? 0 : endOfMark(bytes, start) - start;
}

function endOfMark(bytes: Buffer, start: number): number {
  let i = start + (bytes[start + 2] === LETTER_M ? 4 : 3);
  while ((bytes[i] as number) >= 0x30 && (bytes[i] as number) <= 0x39) i++;
  return i;
}

/**
 * Tells which servers run the code in a comment. MariaDB skips comments for versions of MySQL that it is not
 * compatible with, and MySQL skips comments that begin with `/*M!`.
 *
 * @see https://mariadb.com/kb/en/comment-syntax/
 */
function serversOf(bytes: Buffer, start: number): number {
  if (bytes[start] !== SLASH || bytes[start + 1] !== STAR) return 0;
  const isMariaDb = bytes[start + 2] === LETTER_M;
  const mark = start + (isMariaDb ? 3 : 2);
  if (bytes[mark] !== EXCLAMATION) return 0;
  const version = Number(bytes.toString('latin1', mark + 1, endOfMark(bytes, start)));
  if (version > NEWEST_MARIADB) return 0;
  if (isMariaDb || version >= 100_000) return MARIADB;
  if (version > NEWEST_MYSQL) return 0;
  return version < FIRST_FOREIGN ? ANY_SERVER : MYSQL;
}

/** The first version of MySQL whose code MariaDB leaves out. */
const FIRST_FOREIGN = 50_700;

/** No server has a version that is newer. */
const NEWEST_MYSQL = 99_000;
const NEWEST_MARIADB = 199_999;

/**
 * Passes a comment. One that is code for some servers, as `/*!40101 …`, may contain strings. If it ends
 * elsewhere for a server that does not run it, it counts as open, so that the run ends.
 */
function passComment(bytes: Buffer, start: number, mode: SqlMode): number {
  const servers = serversOf(bytes, start);
  const isCode = bytes[start + 2] === EXCLAMATION || bytes[start + 3] === EXCLAMATION;
  const comment = servers === ANY_SERVER ? -1 : passText(bytes, start + 2, isCode);
  if (servers === 0) return comment;
  const code = passCode(bytes, endOfMark(bytes, start), mode);
  return servers === ANY_SERVER || code === comment ? code : -1;
}

/** Passes the text of a comment; in one with a version, servers allow another comment. */
function passText(bytes: Buffer, start: number, nests: boolean): number {
  const end = bytes.indexOf(COMMENT_END, start);
  const inner = nests ? bytes.indexOf('/*', start, 'latin1') : -1;
  if (end === -1 || inner === -1 || inner > end) return end === -1 ? -1 : end + 2;
  return passText(bytes, end + 2, true);
}

function passCode(bytes: Buffer, start: number, mode: SqlMode): number {
  let i = start;
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
