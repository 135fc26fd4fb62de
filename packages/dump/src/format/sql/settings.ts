/** The settings of a session: how it reads strings and stores rows. */
import { isDeepStrictEqual } from 'node:util';
import { FormatError } from '../format-error.js';
import type { Word, Words } from './words.js';

/** A value that a dump has set. */
export interface Setting {
  /** Null for the default of the server, which no dump knows. */
  readonly value: string | null;
  /** The encoding that it was before `fixHeader` has replaced it. */
  readonly was?: string | undefined;
  /** The statement that sets it, in Latin-1, if its spelling matters. */
  readonly statement?: string | undefined;
  /** True if it was set to an expression whose value only the server knows. */
  readonly isOpaque?: boolean | undefined;
}

/** Settings by name; the name of a user variable of MySQL begins with `@`. */
export type Settings = Readonly<Record<string, Setting>>;

export const NO_SETTINGS: Settings = {};

/** The settings of a transaction that is open. */
export interface OpenTransaction {
  /** Those to which ROLLBACK returns, and those to which COMMIT does. */
  readonly before: Settings;
  readonly session: Settings;
}

/** Current settings, and the open transaction if there is one. */
export interface SettingsState {
  readonly settings: Settings;
  readonly transaction?: OpenTransaction | undefined;
}

/** Meaning of settings for a reader. */
export interface SessionTraits {
  /** True if a backslash in single quotes is like any other character. */
  readonly isStandard: boolean;
  /** True if text in double quotes is a name; it is a string by default. */
  readonly quotesNames?: boolean | undefined;
  /** The character set of the client in lower case; undefined if nothing has set it. */
  readonly charset: string | undefined;
  /** The one before `fixHeader` has replaced it, if it has. */
  readonly was?: string | undefined;
  /** Another character set that text passes on its way to a column, if there is one. */
  readonly connection?: string | undefined;
  /** The schema of names without one; undefined if nothing has set it. */
  readonly schema?: string | undefined;
}

/** The settings of one server, in its own grammar. */
export interface SettingsReader {
  /** The first words of the statements that may change settings. */
  readonly verbs: RegExp;
  /**
   * Reads a statement from its first word on.
   *
   * @returns The same state if it changes nothing.
   * @throws {@link FormatError} if it sets something that matters to a value that cannot be read.
   */
  read(words: Words, state: SettingsState, line: number): SettingsState;
  derive(settings: Settings): SessionTraits;
  /** Returns the statements after which another session has the same settings, in Latin-1. */
  describe(settings: Settings): string;
}

/** Creates the error for a value that cannot be read. */
export const refuseSetting = (name: string, line: number): FormatError =>
  new FormatError(
    `cannot tell the value of ${name}, on which the reading of the next statements depends; set it to a constant`,
    line,
  );

/** Returns the text of a string, a quoted name or a plain word; undefined for other characters. */
export function textOf({ text, name, isQuoted }: Word): string | undefined {
  if (text.length > 1 && text.startsWith("'")) return text.slice(1, -1).replaceAll("''", "'");
  if (isQuoted) return name;
  return /^[\w$.-]+$/.test(text) ? text : undefined;
}

/** Returns a copy with other values; those that are undefined are removed. */
export function change(
  settings: Settings,
  changes: Readonly<Record<string, Setting | undefined>>,
): Settings {
  const all = Object.entries({ ...settings, ...changes });
  return Object.fromEntries(all.filter(([, value]) => value !== undefined)) as Settings;
}

/**
 * Merges what two servers read. A user variable that differs has a value that only the server knows.
 *
 * @throws {@link FormatError} if anything else differs.
 */
export function mergeSettings(one: Settings, other: Settings, line: number): Settings {
  const differing = [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
    (name) => !isDeepStrictEqual(one[name], other[name]),
  );
  const setting = differing.find((name) => !name.startsWith('@'));
  if (setting !== undefined) throw refuseSetting(`${setting} on every server`, line);
  if (differing.length === 0) return one;
  const opaque: Setting = { value: null, isOpaque: true };
  return change(one, Object.fromEntries(differing.map((name) => [name, opaque])));
}

/** A server without settings that matter. */
export const noSettings: SettingsReader = {
  verbs: /^$/,
  read: (_, state) => state,
  derive: () => ({ isStandard: true, charset: undefined }),
  describe: () => '',
};
