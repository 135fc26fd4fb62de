/**
 * Search for the strings in a statement of MySQL that are text. Binary strings need no mark, so a string
 * counts as text only if the grammar allows nothing else.
 */
import type { FieldKind } from '../format.js';
import { type Catalogue, findColumn } from './catalogue.js';
import type { SqlText } from './dialect.js';
import { hasBody } from './programs.js';
import { readWords } from './read-words.js';
import { Tokens } from './tokens.js';
import type { Word, Words } from './words.js';

/** A string of a statement. */
export interface Literal {
  readonly start: number;
  readonly end: number;
  readonly kind: FieldKind;
  /** True if a server keeps it in its dictionary, which lacks characters above U+FFFF. */
  readonly isComment?: boolean | undefined;
}

/** Options whose value is text wherever they stand. */
const TEXTS = /^(comment|connection|directory)$/;

/** Functions whose result is text if their arguments are. */
export const TEXT_FUNCTIONS =
  /^(concat|concat_ws|lower|upper|lcase|ucase|trim|ltrim|rtrim|replace|coalesce|ifnull|nvl|left|right|substr|substring|mid|lpad|rpad|repeat|reverse|insert)$/;

/** Lists the strings of a statement that does not write rows. */
export function listLiterals(
  sql: SqlText,
  start: number,
  end: number,
  catalogue: Catalogue,
): Literal[] {
  const words = readWords(new Tokens(sql, start, end));
  const proven = new Map<number, FieldKind>();
  const [first, ...more] = words.splitAt(';');
  const isProgram = hasBody(words);
  if (first && !isProgram) markColumns(first.copy(), catalogue, proven);
  // Several statements, or a program: any of them may be anything.
  const isDefinition =
    /^(create|alter)$/.test(words.peek().text) && (isProgram || more.length === 0);
  const literals: Literal[] = [];
  let [last, before]: (Word | undefined)[] = [];
  while (!words.isOver) {
    const word = words.next();
    if (isLiteral(word, sql)) {
      const next = words.peek();
      const isName = isAt(last, word.start) || (next.text === '@' && next.start === word.end);
      const option = last?.text === '=' && !isProgram ? before : last;
      const isComment = isDefinition && isOption(option);
      const isText = isName || isComment || isMarked(last, word);
      const kind = sql.dialect.kindOf(sql.bytes, word.start, word.end);
      const known = kind === 'opaque' ? kind : isText ? 'text' : proven.get(word.start);
      literals.push({ start: word.start, end: word.end, kind: known ?? 'unknown', isComment });
    }
    [last, before] = [word, last];
  }
  return literals;
}

/** Tells whether a word is a string. */
function isLiteral({ text, isQuoted, start }: Word, { bytes, dialect, mode }: SqlText): boolean {
  if (text.startsWith("'")) return true;
  return isQuoted && dialect.isString(bytes, start, mode);
}

const isOption = (word: Word | undefined): boolean =>
  word !== undefined && !word.isQuoted && TEXTS.test(word.text);

/** Tells whether the `@` of a name in quotes ends at an index. */
const isAt = (word: Word | undefined, start: number): boolean =>
  word?.text === '@' && word.end === start;

/** Tells whether a character set before a string says that it is text. */
const isMarked = (last: Word | undefined, { start }: Word): boolean =>
  last !== undefined &&
  !last.isQuoted &&
  (/^_utf8(mb[34])?$/.test(last.text) || (last.text === 'n' && last.end === start));

/** Finds the members of ENUM and SET, and the defaults of columns, if the catalogue contains their types. */
function markColumns(words: Words, catalogue: Catalogue, proven: Map<number, FieldKind>): void {
  const isCreate = words.accept('create');
  if (!isCreate && !words.accept('alter')) return;
  words.acceptAll(/^(or|replace|temporary|online|ignore)$/);
  if (!words.accept('table')) return;
  words.accept('if not exists');
  words.accept('if exists');
  const table = catalogue.table(catalogue.find(words.readName() ?? []));
  if (!table?.columns) return;
  if (words.accept('wait')) words.next();
  words.accept('nowait');
  const items = isCreate ? words.readGroup() : words;
  for (const item of items?.split() ?? []) {
    item.acceptAll(/^(add|modify|change|alter|column|if|not|exists)$/);
    for (const each of item.copy().readGroup()?.split() ?? [item]) {
      markColumn(each, table.columns, proven);
    }
  }
}

function markColumn(
  item: Words,
  columns: Parameters<typeof findColumn>[0],
  proven: Map<number, FieldKind>,
): void {
  let column = findColumn(columns, item.next().name);
  // CHANGE has the old name and the new one.
  column = findColumn(columns, item.peek().name) ?? column;
  if (!column || column.is === 'other') return;
  const kind = column.is === 'binary' ? 'opaque' : 'text';
  while (!item.isOver) {
    if (item.acceptOne(/^(enum|set)$/)) {
      const members = item.readGroup();
      while (members && !members.isOver) proven.set(members.next().start, kind);
    } else if (item.accept('default')) {
      const value = item.copy().readGroup() ?? item;
      value.acceptOne(/^(_\w+|n)$/);
      proven.set(value.next().start, kind);
    } else if (!item.readGroup()) item.next();
  }
}
