/** Declarations of MySQL that name another character set than utf8mb4. */
import { lacksSome } from '../../charset/repertoire.js';
import { charsetOf, VARYING } from './mysql-type.js';
import type { Word, Words } from './words.js';

/** Test for the first word of an item of CREATE TABLE that is not a column. */
type IsColumn = (word: Word) => boolean;

/** The variables of a session through which text passes. */
const VARIABLES = /^(character_set_(client|connection|results)|collation_connection)$/;

/** Words after the options of a table. */
const OPTIONS_END = /^(as|select|with|values|partition|ignore|replace|union)$/;

/** Actions of ALTER TABLE that declare nothing. */
const OTHER_ACTIONS =
  /^(drop|rename|alter|order|enable|disable|force|discard|import|truncate|coalesce|reorganize|exchange|analyze|check|optimize|rebuild|repair|remove|upgrade)$/;

/**
 * Lists the words of a statement to replace, and their replacements.
 *
 * @param client - The character set of the client. In `binary`, bytes reach their column as they are, and those of
 *   ucs2 are not UTF-8.
 */
export function* listMysqlFixes(
  words: Words,
  client: string | undefined,
  isColumn: IsColumn,
): Generator<[Word, string]> {
  for (const [word, fixed] of listNarrow(words, isColumn)) {
    const isKept = client === 'binary' && /^['"`]?ucs2/.test(word.text);
    if (!isKept) yield [word, fixed];
  }
}

function* listNarrow(words: Words, isColumn: IsColumn): Generator<[Word, string]> {
  if (words.accept('set')) {
    for (const item of words.split()) yield* fixAssignment(item);
    return;
  }
  const isCreate = words.accept('create');
  if (!isCreate && !words.accept('alter')) return;
  words.acceptAll(/^(or|replace|temporary|online|ignore)$/);
  if (words.accept('database') || words.accept('schema')) {
    words.acceptAll(/^(if|not|exists)$/);
    if (!/^(default|character|charset|collate)$/.test(words.peek().text)) words.next();
    yield* fixOptions(words);
    return;
  }
  if (!words.accept('table')) return;
  words.acceptAll(/^(if|not|exists)$/);
  words.readName();
  if (!isCreate) {
    for (const action of words.split()) yield* fixAction(action, isColumn);
    return;
  }
  for (const item of words.readGroup()?.split() ?? []) yield* fixItem(item, isColumn);
  yield* fixOptions(words);
}

function* fixAssignment(item: Words): Generator<[Word, string]> {
  const isSystem = item.accept('@ @');
  if (!isSystem && item.accept('@')) return;
  const isForeign = /^(global|persist|persist_only)$/.test(item.peek().text);
  if (isForeign) return;
  if (item.acceptOne(/^(session|local)$/)) item.accept('.');
  if (item.accept('names') || item.accept('character set') || item.accept('charset')) {
    yield* fix(item.next());
    if (item.accept('collate')) yield* fix(item.next());
    return;
  }
  if (!VARIABLES.test(item.next().name?.toLowerCase() ?? '')) return;
  if (!item.accept('=') && !item.accept(': =')) return;
  const value = item.next();
  if (item.isOver) yield* fix(value);
}

function* fixAction(action: Words, isColumn: IsColumn): Generator<[Word, string]> {
  const verb = action.acceptOne(/^(add|modify|change)$/);
  if (!verb) {
    if (!OTHER_ACTIONS.test(action.peek().text)) yield* fixOptions(action);
    return;
  }
  const isNamed = action.accept('column');
  action.acceptAll(/^(if|not|exists)$/);
  const group = action.readGroup();
  if (group) {
    for (const item of group.split()) yield* fixItem(item, isColumn);
    return;
  }
  // CHANGE has the old name and the new one.
  if (verb === 'change') action.next();
  yield* fixItem(action, isNamed ? () => true : isColumn);
}

/** Fixes a column. */
function* fixItem(item: Words, isColumn: IsColumn): Generator<[Word, string]> {
  if (!isColumn(item.peek())) return;
  item.next();
  yield* fixNational(item);
  yield* fixOptions(item);
}

/** Names of types in utf8mb3, which cannot be given another character set, and the types that can. */
const NATIONAL: Readonly<Record<string, string>> = { nchar: 'char', nvarchar: 'varchar' };

/** Fixes NATIONAL CHAR and its synonyms. */
function* fixNational(item: Words): Generator<[Word, string]> {
  const first = item.peek();
  if (first.isQuoted) return;
  const isNational = item.accept('national');
  const type = item.peek();
  const plain = isNational ? type.text : NATIONAL[type.text];
  if (plain === undefined || type.isQuoted) return;
  if (isNational) yield [first, ''];
  let last = item.next();
  if (/char/.test(last.text) && VARYING.test(item.peek().text)) last = item.next();
  const closing = item.copy();
  if (closing.readGroup()) {
    if (!isNational) yield [type, plain];
    yield [item.peek(item.length - closing.length - 1), ') character set utf8mb4'];
  } else {
    const spelled = last === type ? plain : last.text;
    if (last !== type && !isNational) yield [type, plain];
    yield [last, `${spelled} character set utf8mb4`];
  }
}

/** Fixes the character set and the collation among options, which expressions in parentheses are not. */
function* fixOptions(words: Words): Generator<[Word, string]> {
  while (!words.isOver && (words.peek().isQuoted || !OPTIONS_END.test(words.peek().text))) {
    if (words.readGroup()) continue;
    const isOption =
      words.accept('character set') ||
      words.accept('char set') ||
      words.accept('charset') ||
      words.accept('collate');
    if (!isOption) {
      words.next();
      continue;
    }
    words.accept('=');
    yield* fix(words.next());
  }
}

/** Replaces a character set, or the one in the name of a collation. */
function* fix(word: Word): Generator<[Word, string]> {
  const { text, name, isQuoted } = word;
  const quote = isQuoted || text.startsWith("'") ? (text[0] as string) : '';
  const bare = (isQuoted ? (name ?? '') : quote === '' ? text : text.slice(1, -1)).toLowerCase();
  const charset = charsetOf(bare);
  // In swe7, bytes of ASCII are other letters.
  if (charset === undefined || charset === 'swe7' || !lacksSome(charset)) return;
  const rest = bare.slice(charset.length);
  // The only one that utf8mb4 does not have of those of utf8.
  const collation = /^utf8(mb3)?$/.test(charset)
    ? rest.replace('_general_mysql500_ci', '_general_ci')
    : rest && replaceCollation(rest);
  yield [word, `${quote}utf8mb4${collation}${quote}`];
}

/** Suffixes of collations that other character sets share with utf8mb4, on every server. */
const COLLATIONS =
  /^_(general_ci|general_nopad_ci|bin|nopad_bin|swedish_ci|danish_ci|spanish_ci|german2_ci|croatian_ci|polish_ci|hungarian_ci|turkish_ci|unicode_\w+)$/;

/** Replaces a collation that utf8mb4 does not have. One that tells case apart becomes one that tells all apart. */
function replaceCollation(suffix: string): string {
  if (COLLATIONS.test(suffix)) return suffix;
  if (!suffix.endsWith('_ci')) return suffix.includes('nopad') ? '_nopad_bin' : '_bin';
  return suffix.includes('nopad') ? '_unicode_nopad_ci' : '_unicode_ci';
}
