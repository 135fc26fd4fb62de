/**
 * The settings of MySQL and MariaDB.
 *
 * @see https://dev.mysql.com/doc/refman/8.4/en/set-variable.html and https://mariadb.com/kb/en/set/
 */
import { charsetOf } from './mysql-type.js';
import {
  change,
  refuseSetting,
  type Setting,
  type Settings,
  type SettingsReader,
  textOf,
} from './settings.js';
import type { Words } from './words.js';

const CLIENT = 'character_set_client';
const CONNECTION = 'character_set_connection';
const COLLATION = 'collation_connection';
const MODE = 'sql_mode';
const ZONE = 'time_zone';

/** The variables that matter. */
const MATTERS: ReadonlySet<string> = new Set([CLIENT, CONNECTION, COLLATION, MODE, ZONE]);

/** Statements of SET that assign nothing to variables. */
const OTHER =
  /^(password|role|resource|default|statement|transaction|global transaction|session transaction|local transaction)\b/;

const SCOPES = /^(global|persist|persist_only|session|local)$/;
const FOREIGN = /^(global|persist|persist_only)$/;

/** Modes that include ANSI_QUOTES. */
const NAMES_IN_QUOTES = /^(ANSI_QUOTES|ANSI|ORACLE|DB2|MAXDB|MSSQL|POSTGRESQL)$/;

/** Settings that are remembered, since every change copies them; mysqldump saves eight in variables. */
const MOST_SETTINGS = 64;

/** Stands for the user variables that are not; the names of all others are in lower case. */
const OTHERS = '@OTHERS';

const DEFAULT: Setting = { value: null };
const OPAQUE: Setting = { value: null, isOpaque: true };

export const mysqlSettings: SettingsReader = {
  verbs: /^(set|select)$/,

  read(words, state, line) {
    if (words.accept('select')) return { ...state, settings: markSelected(words, state.settings) };
    words.accept('set');
    if (OTHER.test(`${words.peek().text} ${words.peek(1).text}`)) return state;
    let { settings } = state;
    let scope = 'session';
    for (const item of words.split()) {
      const keyword = item.peek(1).text === '=' ? undefined : item.acceptOne(SCOPES);
      if (keyword) scope = keyword;
      // The server computes all values before it assigns the first one.
      settings = assign(item, settings, state.settings, scope, keyword !== undefined, line);
    }
    return settings === state.settings ? state : { ...state, settings };
  },

  derive(settings) {
    const modes = listModes(settings[MODE]?.value ?? '');
    const charset = settings[CLIENT]?.value ?? undefined;
    const connection = settings[CONNECTION]?.value ?? undefined;
    return {
      isStandard: modes.includes('NO_BACKSLASH_ESCAPES'),
      quotesNames: modes.some((mode) => NAMES_IN_QUOTES.test(mode)) || undefined,
      charset,
      was: settings[CLIENT]?.was,
      connection: connection === charset ? undefined : connection,
    };
  },

  describe(settings) {
    const {
      [CLIENT]: client,
      [CONNECTION]: connection,
      [COLLATION]: collation,
      [MODE]: mode,
      [ZONE]: zone,
    } = settings;
    const parts: string[] = [];
    // Rejected records stay in the encoding that the input declares.
    if (client) parts.push(`SET NAMES ${client.was ?? client.value ?? 'DEFAULT'};\n`);
    if (collation) parts.push(`SET ${COLLATION} = ${collation.value ?? 'DEFAULT'};\n`);
    else if (connection && connection.value !== client?.value) {
      parts.push(`SET ${CONNECTION} = ${connection.value ?? 'DEFAULT'};\n`);
    }
    if (zone) parts.push(`SET TIME_ZONE=${zone.value === null ? 'DEFAULT' : quote(zone.value)};\n`);
    if (mode?.value === null) parts.push('SET SQL_MODE=DEFAULT;\n');
    else if (mode) {
      // A dump turns the strict mode off, in which a record that was rejected once could lose text.
      const own = LEXICAL.reduce((sql, each) => `REPLACE(${sql},'${each}','')`, '@@SQL_MODE');
      parts.push(`SET SQL_MODE=CONCAT(${own},',${mode.value}');\n`);
    }
    return parts.join('');
  },
};

/** The modes that decide where strings end, which a row needs as its dump has them. */
const LEXICAL = ['ANSI_QUOTES', 'NO_BACKSLASH_ESCAPES'];

const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const listModes = (value: string): string[] =>
  value
    .split(',')
    .map((mode) => mode.trim())
    .filter((mode) => mode !== '');

/** Reads one assignment. */
function assign(
  item: Words,
  settings: Settings,
  before: Settings,
  scope: string,
  isExplicit: boolean,
  line: number,
): Settings {
  if (item.accept('@')) {
    if (!item.accept('@')) return assignUser(item, settings, before);
    const own = item.peek(1).text === '.' ? item.acceptOne(SCOPES) : undefined;
    if (own) item.accept('.');
    return assignSystem(item, settings, before, own ?? 'session', true, line);
  }
  const isPhrase = !/^[=:]$/.test(item.peek(1).text);
  if (isPhrase && item.accept('names')) return assignNames(item, settings, line);
  if (isPhrase && (item.accept('character set') || item.accept('charset'))) {
    const value = readCharsetName(item);
    if (!value) throw refuseSetting('CHARACTER SET', line);
    // The connection gets the character set of the database, which the dump may not state.
    return change(settings, { [CLIENT]: value, [CONNECTION]: DEFAULT, [COLLATION]: undefined });
  }
  return assignSystem(item, settings, before, scope, isExplicit || scope === 'session', line);
}

function assignNames(item: Words, settings: Settings, line: number): Settings {
  const value = readCharsetName(item);
  if (!value) throw refuseSetting('NAMES', line);
  let collation: Setting | undefined;
  if (item.accept('collate')) {
    const name = textOf(item.next())?.toLowerCase();
    if (name === undefined) throw refuseSetting('NAMES', line);
    collation = name === 'default' ? undefined : { value: name };
  }
  if (!item.isOver) throw refuseSetting('NAMES', line);
  return change(settings, { [CLIENT]: value, [CONNECTION]: value, [COLLATION]: collation });
}

function readCharsetName(item: Words): Setting | undefined {
  const word = item.next();
  const name = textOf(word)?.toLowerCase();
  if (name === undefined) return undefined;
  return name === 'default' ? DEFAULT : { value: name, was: word.was };
}

function assignUser(item: Words, settings: Settings, before: Settings): Settings {
  const name = readUserName(item);
  if (name === undefined || !acceptEquals(item)) return settings;
  const found = evaluate(item, before);
  return assignVariable(settings, name, found === 'null' ? undefined : (found ?? OPAQUE));
}

/** Assigns a user variable; once there are too many, only the server knows the value of any other. */
function assignVariable(settings: Settings, name: string, value: Setting | undefined): Settings {
  if (name in settings || Object.keys(settings).length < MOST_SETTINGS) {
    return change(settings, { [name]: value });
  }
  return OTHERS in settings ? settings : change(settings, { [OTHERS]: OPAQUE });
}

function assignSystem(
  item: Words,
  settings: Settings,
  before: Settings,
  scope: string,
  isCertain: boolean,
  line: number,
): Settings {
  const name = item.next().name?.toLowerCase();
  if (name === undefined || !MATTERS.has(name)) return settings;
  if (FOREIGN.test(scope) && isCertain) return settings;
  const found = isCertain && acceptEquals(item) ? evaluate(item, before) : undefined;
  // A server refuses NULL, so that nothing changes.
  if (found === 'null') return settings;
  if (!found || found.isOpaque) throw refuseSetting(name, line);
  const value = found.value?.toLowerCase() ?? null;
  if (name === MODE) return change(settings, { [MODE]: readMode(found, line) });
  if (name === ZONE) return change(settings, { [ZONE]: found });
  // The number of a collation.
  if (value !== null && !/^[a-z]\w*$/.test(value)) throw refuseSetting(name, line);
  if (name === CLIENT) return change(settings, { [CLIENT]: { value, was: found.was } });
  if (name === CONNECTION) {
    return change(settings, { [CONNECTION]: { value }, [COLLATION]: undefined });
  }
  const charset = value === null ? null : charsetOf(value);
  return change(settings, {
    [COLLATION]: { value },
    ...(charset === undefined ? {} : { [CONNECTION]: { value: charset } }),
  });
}

function readMode({ value }: Setting, line: number): Setting {
  if (value === null) return DEFAULT;
  const mode = value === '0' ? '' : value.toUpperCase();
  if (!/^(?!\d+$)[A-Z_\d, ]*$/.test(mode)) throw refuseSetting(MODE, line);
  return { value: listModes(mode).join() };
}

const acceptEquals = (item: Words): boolean => item.accept('=') || item.accept(': =');

/** Reads the name of a user variable after its `@`. */
function readUserName(item: Words): string | undefined {
  let name = textOf(item.next());
  while (name !== undefined && item.accept('.')) name += `.${textOf(item.next()) ?? ''}`;
  return name === undefined ? undefined : `@${name.toLowerCase()}`;
}

/** Evaluates the rest of an item; undefined if only the server can. */
function evaluate(item: Words, settings: Settings): Setting | 'null' | undefined {
  const found = evaluateTerm(item, settings);
  return item.isOver ? found : undefined;
}

function evaluateTerm(item: Words, settings: Settings): Setting | 'null' | undefined {
  if (item.accept('@')) {
    if (item.accept('@')) {
      const scope = item.peek(1).text === '.' ? item.acceptOne(SCOPES) : undefined;
      if (scope) item.accept('.');
      const name = item.next().name?.toLowerCase() ?? '';
      return FOREIGN.test(scope ?? '') ? DEFAULT : settingOf(name, settings);
    }
    const name = readUserName(item);
    return name === undefined ? undefined : (settings[name] ?? settings[OTHERS] ?? 'null');
  }
  if (item.accept('default')) return DEFAULT;
  if (item.accept('null')) return 'null';
  for (const [name, apply] of Object.entries(FUNCTIONS)) {
    if (!item.accept(`${name} (`)) continue;
    const values: string[] = [];
    do {
      const value = evaluateTerm(item, settings);
      if (value === 'null') return 'null';
      if (!value || value.isOpaque) return undefined;
      // The modes of the server decide nothing, unless somebody has changed their defaults.
      values.push(value.value ?? '');
    } while (item.accept(','));
    return item.accept(')') ? { value: apply(values) } : undefined;
  }
  let text = '';
  const { text: first } = item.peek();
  if (!first.startsWith("'") && !item.peek().isQuoted) {
    const word = item.next();
    const value = textOf(word);
    return value === undefined ? undefined : { value, was: word.was };
  }
  const { was } = item.peek();
  while (item.peek().text.startsWith("'") || item.peek().isQuoted) text += textOf(item.next());
  return { value: text, was };
}

/** The functions with which dumps change modes. */
const FUNCTIONS: Readonly<Record<string, (values: readonly string[]) => string>> = {
  concat: (values) => values.join(''),
  replace: ([text = '', from = '', to = '']) => (from === '' ? text : text.replaceAll(from, to)),
};

/** The value of a system variable; one that does not matter is not known. */
function settingOf(name: string, settings: Settings): Setting {
  if (name === COLLATION) return settings[COLLATION] ?? settings[CONNECTION] ?? DEFAULT;
  return settings[name] ?? (MATTERS.has(name) ? DEFAULT : OPAQUE);
}

/** Notes the user variables that a SELECT assigns. */
function markSelected(words: Words, settings: Settings): Settings {
  let found = settings;
  let isInto = false;
  while (!words.isOver) {
    if (words.accept('into')) isInto = true;
    else if (words.accept('from')) isInto = false;
    else if (words.accept('@') && words.peek().text !== '@') {
      const name = readUserName(words);
      if (name !== undefined && (isInto || words.accept(': ='))) {
        found = assignVariable(found, name, OPAQUE);
      }
    } else words.next();
  }
  return found;
}
