/** Declarations of MySQL that name a character set without characters above U+FFFF. */
import type { Word, Words } from './words.js';

/** What begins an item of CREATE TABLE that is no column. */
type IsColumn = (word: Word) => boolean;

/** The variables of a session through which text passes. */
const VARIABLES = /^(character_set_(client|connection|results)|collation_connection)$/;

/** Where the options of a table end. */
const OPTIONS_END = /^(as|select|with|values|partition|ignore|replace|union)$/;

/** Actions of ALTER TABLE that declare nothing. */
const OTHER_ACTIONS =
  /^(drop|rename|alter|order|enable|disable|force|discard|import|truncate|coalesce|reorganize|exchange|analyze|check|optimize|rebuild|repair|remove|upgrade)$/;

/** Lists the words of a statement to be replaced, and what replaces them. */
export function* listMysqlFixes(words: Words, isColumn: IsColumn): Generator<[Word, string]> {
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
  yield* fixOptions(item);
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
  const [, rest] = /^utf8(?:mb3)?((?:_\w+)?)$/.exec(bare) ?? [];
  if (rest === undefined) return;
  // The only one that utf8mb4 does not have.
  const collation = rest.replace('_general_mysql500_ci', '_general_ci');
  yield [word, `${quote}utf8mb4${collation}${quote}`];
}
