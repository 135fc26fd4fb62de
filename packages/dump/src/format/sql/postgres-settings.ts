/**
 * The settings of PostgreSQL.
 *
 * @see https://www.postgresql.org/docs/current/sql-set.html
 */
import {
  change,
  NO_SETTINGS,
  refuseSetting,
  type Setting,
  type Settings,
  type SettingsReader,
  type SettingsState,
  textOf,
} from './settings.js';
import type { Word, Words } from './words.js';

const STANDARD = 'standard_conforming_strings';
const ENCODING = 'client_encoding';
const PATH = 'search_path';

/** The settings that decide how a server stores a row, in the order in which they are written. */
const MATTERS = [ENCODING, STANDARD, PATH, 'datestyle', 'intervalstyle', 'timezone', 'xmloption'];

export const postgresSettings: SettingsReader = {
  verbs: /^(set|select|reset|discard|begin|start|commit|end|rollback|abort|prepare)$/,

  read(words, state, line) {
    if (words.accept('set')) return readSet(words, state, line);
    if (words.accept('select')) return readSelect(words, state, line);
    if (words.accept('reset')) {
      if (words.accept('all')) return { ...state, settings: resetAll(state.settings) };
      const name = words.accept('time zone') ? 'timezone' : words.next().name?.toLowerCase();
      if (name === undefined || !MATTERS.includes(name)) return state;
      return set(state, name, toDefault(name), false, line);
    }
    if (words.accept('discard')) {
      return words.accept('all') ? { ...state, settings: resetAll(state.settings) } : state;
    }
    return readTransaction(words, state, line);
  },

  derive(settings) {
    const path = settings[PATH]?.value;
    return {
      isStandard: settings[STANDARD]?.value !== 'off',
      charset: settings[ENCODING]?.value?.toLowerCase() ?? undefined,
      was: settings[ENCODING]?.was,
      schema: path === undefined || path === null ? undefined : firstOf(path),
    };
  },

  describe: (settings) =>
    MATTERS.flatMap((name) => settings[name]?.statement ?? [])
      .map((statement) => `${statement};\n`)
      .join(''),
};

/** The schema in which names without one are looked up, as far as dumps use it. */
function firstOf(path: string): string {
  const first = (path.split(',')[0] as string).trim().replace(/^"(.*)"$/, '$1');
  return first === 'pg_catalog' ? '' : first;
}

function readSet(words: Words, state: SettingsState, line: number): SettingsState {
  const isLocal = words.accept('local');
  if (!isLocal) words.accept('session');
  if (words.accept('time zone')) {
    const statement = `SET TIME ZONE ${spell(words.copy())}`;
    const isDefault = words.accept('default') || words.accept('local');
    const value = isDefault ? null : spell(words.copy());
    return set(
      state,
      'timezone',
      isDefault ? toDefault('timezone') : { value, statement },
      isLocal,
      line,
    );
  }
  if (words.accept('names')) {
    const { was } = words.peek();
    const value = words.isOver || words.peek().text === 'default' ? null : readValue(words);
    if (value === undefined) throw refuseSetting(ENCODING, line);
    return set(
      state,
      ENCODING,
      value === null ? toDefault(ENCODING) : encode(value, was),
      isLocal,
      line,
    );
  }
  if (words.accept('schema')) {
    const value = readValue(words);
    if (value === undefined) throw refuseSetting(PATH, line);
    return set(state, PATH, { value, statement: `SET ${PATH} = ${quote(value)}` }, isLocal, line);
  }
  if (words.accept('xml option')) {
    const [value = ''] = words.copy().next().text.split(' ');
    return set(state, 'xmloption', { value, statement: `SET xmloption = ${value}` }, isLocal, line);
  }
  const name = words.next().name?.toLowerCase();
  if (name === undefined || !MATTERS.includes(name)) return state;
  if (!words.accept('=') && !words.accept('to')) throw refuseSetting(name, line);
  if (words.peek().text === 'default') return set(state, name, toDefault(name), isLocal, line);
  if (name === STANDARD || name === ENCODING) {
    const { was } = words.peek();
    const value = readValue(words);
    return set(
      state,
      name,
      value === undefined ? undefined : interpret(name, value, was),
      isLocal,
      line,
    );
  }
  const statement = `SET ${name} = ${spell(words.copy())}`;
  const values = words.split().map((item) => readValue(item));
  if (values.some((value) => value === undefined)) throw refuseSetting(name, line);
  return set(state, name, { value: values.join(), statement }, isLocal, line);
}

/** Finds calls of `set_config`. */
function readSelect(words: Words, state: SettingsState, line: number): SettingsState {
  let next = state;
  while (!words.isOver) {
    const isCall = words.next().text === 'set_config' && words.peek().text === '(';
    if (!isCall) continue;
    const [first, second, third] = words.readGroup()?.split() ?? [];
    const name = first && readString(first)?.toLowerCase();
    if (name === undefined) throw refuseSetting('set_config', line);
    if (!MATTERS.includes(name)) continue;
    const was = second?.peek().was;
    const value = second && readString(second);
    const isLocal = third && readBoolean(readValue(third) ?? '');
    if (value === undefined || isLocal === undefined) throw refuseSetting(name, line);
    const call = `SELECT pg_catalog.set_config('${name}', ${quote(value)}, false)`;
    const setting =
      name === STANDARD || name === ENCODING
        ? interpret(name, value, was)
        : { value, statement: call };
    next = set(next, name, setting, isLocal, line);
  }
  return next;
}

function readTransaction(words: Words, state: SettingsState, line: number): SettingsState {
  const { settings, transaction } = state;
  const verb = words.next().text;
  if (verb === 'prepare' && words.peek().text !== 'transaction') return state;
  if (verb === 'begin' || verb === 'start') {
    return transaction ? state : { settings, transaction: { before: settings, session: settings } };
  }
  words.acceptAll(/^(work|transaction)$/);
  if (words.accept('to') || words.accept('prepared')) {
    if (transaction && transaction.before !== settings && verb === 'rollback') {
      throw refuseSetting('a setting after ROLLBACK TO', line);
    }
    return state;
  }
  if (!transaction) return state;
  const ended =
    verb === 'rollback' || verb === 'abort' || verb === 'prepare'
      ? transaction.before
      : transaction.session;
  const after = words.accept('and chain') ? { before: ended, session: ended } : undefined;
  return { settings: ended, transaction: after };
}

/** Changes a setting, for the session or until the transaction ends. */
function set(
  state: SettingsState,
  name: string,
  setting: Setting | undefined,
  isLocal: boolean,
  line: number,
): SettingsState {
  if (!setting) throw refuseSetting(name, line);
  const { settings, transaction } = state;
  const isSame = settings[name]?.statement === setting.statement;
  // Without a transaction it has no effect, and psql -1 makes one of the whole file.
  if (isLocal && !transaction) {
    if (isSame) return state;
    throw refuseSetting(`${name} after SET LOCAL outside a transaction`, line);
  }
  const changed = change(settings, { [name]: setting });
  if (!transaction) return { settings: changed };
  const session = isLocal ? transaction.session : change(transaction.session, { [name]: setting });
  return { settings: changed, transaction: { ...transaction, session } };
}

const toDefault = (name: string): Setting => ({ value: null, statement: `RESET ${name}` });

/** Returns all settings that were set at their defaults. */
const resetAll = (settings: Settings): Settings =>
  Object.keys(settings).reduce<Settings>(
    (all, name) => change(all, { [name]: toDefault(name) }),
    NO_SETTINGS,
  );

function interpret(name: string, value: string, was?: string): Setting | undefined {
  if (name === ENCODING) return encode(value, was);
  const isOn = readBoolean(value);
  if (isOn === undefined) return undefined;
  return { value: isOn ? 'on' : 'off', statement: `SET ${STANDARD} = ${isOn ? 'on' : 'off'}` };
}

const encode = (value: string, was?: string): Setting => ({
  value,
  was,
  // For rejected records, which stay in the encoding that the input declares.
  statement: `SET ${ENCODING} = ${quote(was ?? value)}`,
});

/**
 * Reads a boolean as the server does: any unique prefix of its words.
 *
 * @see parse_bool_with_len in src/backend/utils/adt/bool.c
 */
export function readBoolean(value: string): boolean | undefined {
  const text = value.toLowerCase();
  if (text === '') return undefined;
  if ('true'.startsWith(text) || 'yes'.startsWith(text) || text === 'on' || text === '1')
    return true;
  const isOff = text.length > 1 && 'off'.startsWith(text);
  return isOff || 'false'.startsWith(text) || 'no'.startsWith(text) || text === '0'
    ? false
    : undefined;
}

/** Reads one value: a string of any kind, a name, a number. */
function readValue(words: Words): string | undefined {
  const { text, end } = words.peek();
  const next = words.peek(1);
  const isEscape = /^(e|n)$/.test(text) && next.text.startsWith("'") && next.start === end;
  if (isEscape) words.next();
  const sign = words.accept('-') ? '-' : '';
  const word = words.next();
  const value = word.text.startsWith('$') ? undollar(word) : textOf(word);
  if (value === undefined || (isEscape && value.includes('\\'))) return undefined;
  // A cast changes nothing here.
  if (words.accept(': :')) words.acceptAll(/^(text|pg_catalog|\.)$/);
  return words.isOver || /^[,)]$/.test(words.peek().text) ? sign + value : undefined;
}

/** Reads a string; undefined for anything else, such as the name of a column. */
const readString = (words: Words): string | undefined =>
  /^('|\$|e$)/.test(words.peek().text) ? readValue(words) : undefined;

const undollar = ({ text }: Word): string | undefined => /^(\$\w*\$)(.*)\1$/s.exec(text)?.[2];

const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Spells the rest of a statement. */
function spell(words: Words): string {
  const parts: string[] = [];
  while (!words.isOver) {
    const { text, name, isQuoted } = words.next();
    if (text === ',') parts.push(', ');
    else {
      const written = isQuoted ? `"${(name ?? '').replaceAll('"', '""')}"` : text;
      parts.push(parts.length > 0 && parts.at(-1) !== ', ' ? ` ${written}` : written);
    }
  }
  return parts.join('');
}
