/**
 * Recognises SQL that does not begin as a program's dump does, and its dialect. A program that writes binary
 * values as they are, between quotes, must not have them taken for text.
 */

/** Result for SQL: its format, or only whether a conversion as plain text may change binary values. */
export type SqlBeginning =
  | { readonly format: string }
  | { readonly format: undefined; readonly isHarmless: boolean };

/** Blanks, comments, and what mysqldump says to a terminal. */
const BEFORE =
  /^(?:\s|--[^\n]*(?:\n|$)|#[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/;?|(?:mysqldump|mariadb-dump|pg_dump): [^\n]*\n)*/;

const KINDS =
  'TABLE|DATABASE|SCHEMA|SEQUENCE|TYPE|DOMAIN|EXTENSION|VIEW|FUNCTION|PROCEDURE|TRIGGER|UNIQUE|INDEX|ROLE|USER';

const STATEMENT = new RegExp(
  `^(?:${[
    `CREATE\\s+(?:OR\\s+REPLACE\\s+)?(?:(?:TEMP|TEMPORARY|UNLOGGED|VIRTUAL|GLOBAL)\\s+)*(?:${KINDS})\\s`,
    `(?:DROP|ALTER|TRUNCATE)\\s+(?:${KINDS})\\s`,
    '(?:INSERT|REPLACE)\\s[^;]*?(?:\\bVALUES?\\b|\\bSELECT\\b|\\bSET\\b)',
    'UPDATE\\s[^;]*?\\bSET\\s',
    'DELETE\\s+FROM\\s',
    'COPY\\s[^;]*?\\bFROM\\s+stdin',
    'SET\\s+(?:@{0,2}[\\w.]+\\s*(?::?=|\\sTO\\s)|NAMES\\s|(?:GLOBAL|SESSION|LOCAL)\\s)',
    'USE\\s+\\S+\\s*;',
    'BEGIN(?:\\s+(?:TRANSACTION|WORK))?\\s*;',
    'START\\s+TRANSACTION',
    'LOCK\\s+TABLES?\\s',
    'PRAGMA\\s+\\w+',
    'DELIMITER\\s+\\S+\\s*\\n',
    'SELECT\\s+pg_catalog\\.',
    '\\\\(?:connect|restrict)\\s',
  ].join('|')})`,
  'i',
);

/** The first word of a statement. */
const WORDS =
  'CREATE|DROP|ALTER|TRUNCATE|INSERT|REPLACE|UPDATE|DELETE|COPY|SET|USE|BEGIN|START|LOCK|PRAGMA|DELIMITER|SELECT|\\CONNECT|\\RESTRICT'.split(
    '|',
  );

/** Bytes after which a first word that begins no statement is only a word. */
const UNDECIDED = 4096;

/** Tells whether more bytes of a text may show that it is SQL, or of which dialect. */
export function mayBeSql(text: string): boolean {
  const rest = text.slice(BEFORE.exec(text)?.[0].length);
  // Comments go on, or nothing but blanks has come.
  if (rest === '' || /^(?:\/\*|mysqldump: |mariadb-dump: )/.test(rest)) return true;
  if (STATEMENT.test(rest)) return true;
  const word = rest.slice(0, 16).toUpperCase();
  if (text.length < 3 && /^[-/]/.test(rest)) return true;
  if (!/\s/.test(word)) return WORDS.some((each) => each.startsWith(word));
  return rest.length < UNDECIDED && WORDS.includes(word.split(/\s/)[0] as string);
}

/** Syntax that only one dialect has, outside of strings. */
const marks: readonly (readonly [format: string, mark: RegExp])[] = [
  [
    'mysqldump',
    /\b(?:TABLE|TABLES|INTO|EXISTS|DATABASE|USE|UPDATE|FROM|IGNORE)\s+`|\bENGINE\s*=|\bAUTO_INCREMENT\b|\bCHARSET\s*=|\/\*!\d{5}|\bLOCK\s+TABLES\b|\bSET\s+NAMES\s+(?:utf8mb|binary)|_binary\s*'/i,
  ],
  [
    'pg_dump',
    /\bFROM\s+stdin\b|\bSET\s+client_encoding\b|\bSET\s+standard_conforming_strings\b|\bpg_catalog\.|\bTABLE\s+ONLY\b|^\\(?:connect|restrict)\s/im,
  ],
  ['sqlite', /\bAUTOINCREMENT\b|\bsqlite_(?:master|sequence|schema)\b|^PRAGMA\s/im],
];

/** Comments and strings, for whose contents no dialect answers. */
const OUTSIDE = /\/\*(?!!)[\s\S]*?\*\/|--[^\n]*|'(?:[^'\\]|\\[\s\S]|'')*'/g;

/** Start of the first rows. Strings in them may be escaped in any style. */
const ROWS = /\bVALUES?\b|\bFROM\s+stdin\b/i;

/** Statements that contain values, and types and spellings of binary ones. */
const VALUES = /\b(?:INSERT|REPLACE|UPDATE|COPY)\s/i;
const BINARY =
  /\b(?:\w*BLOB|BYTEA|(?:VAR)?BINARY|LONG\s+RAW|RAW|IMAGE|BIT|GEOMETRY|POINT|POLYGON|VECTOR)\b|_binary\b|\bx''|\b0x[\da-f]/i;

const NAME = '((?:[\\w$.]|"[^"]*"|`[^`]*`|\\[[^\\]]*\\])+)';
const CREATED = new RegExp(
  `\\bCREATE\\s+(?:\\w+\\s+){0,4}?TABLE\\s+(?:IF\\s+NOT\\s+EXISTS\\s+)?${NAME}`,
  'gi',
);
const FILLED = new RegExp(
  `\\b(?:INSERT|REPLACE)\\s+(?:\\w+\\s+){0,4}?INTO\\s+${NAME}|\\bUPDATE\\s+${NAME}|\\bCOPY\\s+${NAME}`,
  'gi',
);

/**
 * Recognises SQL.
 *
 * @param text - The beginning of a file, one UTF-16 code unit for each byte.
 * @param isWhole - True if that is all of it.
 * @returns Undefined if it is no SQL.
 */
export function recognizeSql(text: string, isWhole: boolean): SqlBeginning | undefined {
  const rest = text.slice(BEFORE.exec(text)?.[0].length);
  if (!STATEMENT.test(rest)) return undefined;
  const code = text.replace(OUTSIDE, (part) => (part.startsWith("'") ? "''" : ''));
  const rows = ROWS.exec(code);
  const beginning = rows ? code.slice(0, rows.index + rows[0].length) : code;
  const found = marks.filter(([, mark]) => mark.test(beginning)).map(([format]) => format);
  const [format] = found;
  if (format && found.length === 1) return { format };
  return { format: undefined, isHarmless: isWhole && isHarmless(text, code) };
}

/** Tells whether a conversion as plain text changes nothing but text. */
function isHarmless(text: string, code: string): boolean {
  // ASCII is the same in every encoding.
  if (!/[\x80-\xff\0]/.test(text) || !VALUES.test(code)) return true;
  if (BINARY.test(code)) return false;
  const list = (pattern: RegExp): string[] =>
    Array.from(code.matchAll(pattern), ([, ...names]) =>
      (names.find((name) => name !== undefined) ?? '').toLowerCase(),
    );
  const created = new Set(list(CREATED));
  const filled = list(FILLED);
  return filled.length > 0 && filled.every((name) => created.has(name));
}
