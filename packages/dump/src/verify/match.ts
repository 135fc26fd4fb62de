/** Tables, columns and keys of one side that correspond to those of the other. */
import { UsageError } from '../error.js';
import { parseColumn } from '../format/shared/column-choice.js';
import { opt, phrase } from '../phrase.js';
import type { Side, SideColumn, SideTable } from './side.js';

/** The tables to compare: of the source, and of the target if its name is another. */
export interface TableChoice {
  readonly source: string;
  readonly target: string;
}

/** A column of both sides. */
export interface ColumnPair {
  readonly source: SideColumn;
  readonly target: SideColumn;
  /** True if `\x` followed by hexadecimal digits stands for bytes on a side. */
  readonly isSourceHex: boolean;
  readonly isTargetHex: boolean;
}

/** A table of both sides; one of them may have no records. */
export interface TablePair {
  readonly source: SideTable | undefined;
  readonly target: SideTable | undefined;
  readonly columns: readonly ColumnPair[];
  /** Indices in {@link columns} by index of the column of a side; -1 for one that the other side lacks. */
  readonly bySource: readonly number[];
  readonly byTarget: readonly number[];
  /** Columns of both sides that are not compared. */
  readonly ignored: ReadonlySet<SideColumn>;
  /** The columns of the key, as the options name them, and their indices; none for whole records. */
  readonly key: readonly KeyColumn[];
}

/** Columns of the options. */
export interface ColumnChoice {
  readonly keys: readonly string[];
  readonly ignored: readonly string[];
}

/** Parses `T` or `SOURCE=TARGET`. */
export function parseTable(text: string): TableChoice {
  const [source = '', target = source, ...more] = text.split('=');
  if (source !== '' && target !== '' && more.length === 0) return { source, target };
  throw new UsageError(
    phrase`${opt('tables')} ${JSON.stringify(text)}: expected the name of a table, or SOURCE=TARGET if the names differ`,
  );
}

/** The name of a table without qualifiers, in lower case. */
export const fold = (name: string): string => name.slice(name.lastIndexOf('.') + 1).toLowerCase();

/** Makes a test for the chosen tables of a side; all of them by default. */
export function createTableTest(
  choices: readonly TableChoice[],
  side: 'source' | 'target',
): (name: string) => boolean {
  if (choices.length === 0) return () => true;
  return (name) => choices.some((choice) => names(choice[side], name));
}

/** Tells whether a given name means a table; without qualifiers, it means any table of that name. */
const names = (given: string, name: string): boolean =>
  given === name || (!given.includes('.') && fold(given) === fold(name));

/**
 * Pairs the tables of both sides.
 *
 * @throws {@link UsageError} if a name fits several.
 */
export function pairTables(
  source: Side,
  target: Side,
  choices: readonly TableChoice[],
  columns: ColumnChoice,
): TablePair[] {
  for (const side of [source, target]) refuseSeveral(side, source, target);
  const left = new Set(target.tables);
  const pairs: [SideTable | undefined, SideTable | undefined][] = [];
  const take = (one: SideTable, found: readonly SideTable[]): boolean => {
    const [other] = found;
    if (!other) return false;
    if (found.length > 1) {
      throw new UsageError(
        phrase`${listNames(found)} of ${target.file} may be ${one.name} of ${source.file}; specify the pair with ${opt('tables', 'SOURCE=TARGET')}`,
      );
    }
    left.delete(other);
    pairs.push([one, other]);
    return true;
  };
  const isUnnamed = ({ name }: SideTable): boolean => name === undefined;
  const byName = groupBy(target.tables, ({ name }) => name);
  const unnamed = byName.get(undefined) ?? [];
  const rest = source.tables.filter((one) => {
    const alike = isUnnamed(one) ? left : [...(byName.get(one.name) ?? []), ...unnamed];
    return !take(
      one,
      [...alike].filter((other) => left.has(other)),
    );
  });
  const foldName = ({ name = '' }: SideTable): string => fold(name);
  const [targets, sources] = [groupBy([...left], foldName), groupBy(rest, foldName)];
  for (const one of rest) {
    const chosen = choices.filter((choice) => names(choice.source, one.name ?? ''));
    const found =
      chosen.length > 0
        ? [...left].filter(({ name = '' }) => chosen.some((choice) => names(choice.target, name)))
        : (targets.get(foldName(one)) ?? []).filter((other) => left.has(other));
    const rivals = (sources.get(foldName(one)) ?? []).filter((other) => other !== one);
    if (found.length > 0 && rivals.length > 0 && chosen.length === 0) {
      throw new UsageError(
        phrase`${found[0]?.name} of ${target.file} may be ${listNames([one, ...rivals])} of ${source.file}; specify the pair with ${opt('tables', 'SOURCE=TARGET')}`,
      );
    }
    if (!take(one, found)) pairs.push([one, undefined]);
  }
  for (const other of left) pairs.push([undefined, other]);
  const result = pairs.map(([one, other]) => pairColumns(one, other, columns));
  refuseUnknown(result, columns);
  return result;
}

/** Groups tables by what they share. */
function groupBy<Key>(
  tables: readonly SideTable[],
  keyOf: (table: SideTable) => Key,
): Map<Key, SideTable[]> {
  const groups = new Map<Key, SideTable[]>();
  for (const table of tables) {
    const key = keyOf(table);
    const group = groups.get(key);
    if (group) group.push(table);
    else groups.set(key, [table]);
  }
  return groups;
}

/** The most tables that an error names. */
const LISTED = 5;

const listNames = (tables: readonly SideTable[]): string =>
  tables.length > LISTED
    ? `${tables
        .slice(0, LISTED)
        .map(({ name }) => name)
        .join(', ')}, …`
    : tables.map(({ name }) => name).join(' and ');

/** Refuses tables on one side if the other names none. */
function refuseSeveral(side: Side, source: Side, target: Side): void {
  const other = side === source ? target : source;
  const isUnnamed = other.tables.some(({ name }) => name === undefined);
  const named = side.tables.filter(({ name }) => name !== undefined);
  if (!isUnnamed || named.length < 2) return;
  const list = named.slice(0, LISTED).map(({ name }) => name);
  throw new UsageError(
    phrase`${side.file} has several tables (${list.join(', ')}${named.length > LISTED ? ', …' : ''}) and ${other.file} names none; choose one with ${opt('tables')}`,
  );
}

function pairColumns(
  source: SideTable | undefined,
  target: SideTable | undefined,
  choice: ColumnChoice,
): TablePair {
  const ignored = new Set(
    [source, target].flatMap((table) => (table ? listIgnored(table, choice.ignored) : [])),
  );
  const columns: ColumnPair[] = [];
  const bySource = (source?.columns ?? []).map(() => -1);
  const byTarget = (target?.columns ?? []).map(() => -1);
  const [one, other] = [source ?? target, target ?? source] as [SideTable, SideTable];
  const hasNames = [one, other].every((table) => table.columns.some(({ name }) => name));
  const isOneSided = !source || !target;
  const [own, others] = [new ColumnIndex(one), new ColumnIndex(other)];
  const indices = new Map<SideColumn, number>();
  for (const [i, column] of one.columns.entries()) {
    const j = hasNames ? others.findByName(column, own) : others.findByNumber(column);
    const found = other.columns[j];
    if (!found || ignored.has(column) || ignored.has(found)) continue;
    const known = indices.get(found);
    // Records without the names of columns have them by number.
    const index = known ?? columns.length;
    if (known === undefined) {
      indices.set(found, index);
      columns.push({ source: column, target: found, ...findHex(column, found) });
    }
    if (source) bySource[i] = index;
    if (target) byTarget[j] = index;
  }
  if (hasNames && target && !isOneSided) addUnnamed(target, byTarget);
  const key = findKey(source, target, columns, choice.keys);
  return { source, target, columns, bySource, byTarget, ignored, key };
}

/** Lists the columns of a table that the options name. */
const listIgnored = (table: SideTable, texts: readonly string[]): SideColumn[] =>
  table.columns.filter((column) => isIgnored(column, table, texts));

/** Tells whether the options name a column of a table. */
export const isIgnored = (
  column: SideColumn,
  { name }: SideTable,
  texts: readonly string[],
): boolean => texts.some((text) => isNamedAlike(text, column, name));

type NameTest = (text: string, column: SideColumn, table: string | undefined) => boolean;

/** Tells whether an option names a column. */
const isNamed: NameTest = (text, { name, number }, table) =>
  parseColumn(text).matches({ column: name, number }, table);

/** Tells whether an option names a column in any case, or by its number. */
const isNamedAlike: NameTest = (text, column, table) =>
  isNamed(text, column, table) ||
  isNamed(text.toLowerCase(), { ...column, name: lower(column.name) }, lower(table)) ||
  text === String(column.number);

/** Gives records of the target whose columns have no names those of other records. */
function addUnnamed({ columns }: SideTable, indices: number[]): void {
  const named = new Map<number, number>();
  for (const [i, { name, number }] of columns.entries()) {
    if (name !== undefined && !named.has(number)) named.set(number, i);
  }
  for (const [i, { name, number }] of columns.entries()) {
    if (name === undefined && indices[i] === -1) indices[i] = indices[named.get(number) ?? i] ?? -1;
  }
}

/** The columns of a table by their names and numbers. */
class ColumnIndex {
  /** Indices of the columns of a name, which a header may have twice. */
  readonly #names = new Map<string, number[]>();
  /** Names by their lower case; undefined if several differ in case alone. */
  readonly #folded = new Map<string, string | undefined>();
  readonly #numbers = new Map<number, number>();
  readonly #named = new Map<number, SideColumn>();

  constructor({ columns }: SideTable) {
    for (const [i, column] of columns.entries()) {
      const { name, number } = column;
      if (!this.#numbers.has(number)) this.#numbers.set(number, i);
      if (name === undefined) continue;
      if (!this.#named.has(number)) this.#named.set(number, column);
      const known = this.#names.get(name);
      if (known) {
        known.push(i);
        continue;
      }
      this.#names.set(name, [i]);
      const lower = name.toLowerCase();
      this.#folded.set(lower, this.#folded.has(lower) ? undefined : name);
    }
  }

  /**
   * Finds the column of a name: the same name, or else the only one that differs in case alone.
   *
   * @param own - The columns of the other table, to which the name belongs.
   */
  findByName(column: SideColumn, own: ColumnIndex): number {
    const wanted = column.name === undefined ? own.#named.get(column.number) : column;
    if (wanted?.name === undefined) return -1;
    const { name, occurrence } = wanted;
    const lower = name.toLowerCase();
    const isOnly = own.#folded.get(lower) !== undefined;
    const other = this.#names.has(name) ? name : isOnly ? this.#folded.get(lower) : undefined;
    const indices = other === undefined ? undefined : this.#names.get(other);
    return indices?.[occurrence - 1] ?? -1;
  }

  findByNumber({ number }: SideColumn): number {
    return this.#numbers.get(number) ?? -1;
  }
}

/** Tells on which sides `\x…` stands for bytes: all values look so, and those of the other side are bytes. */
function findHex(source: SideColumn, target: SideColumn) {
  const isHex = ({ values, hexForms }: SideColumn): boolean => values > 0 && hexForms === values;
  const isBytes = (column: SideColumn): boolean => isHex(column) || column.blobs > 0;
  const isBlob = isBytes(source) && isBytes(target);
  return { isSourceHex: isBlob && isHex(source), isTargetHex: isBlob && isHex(target) };
}

function findKey(
  source: SideTable | undefined,
  target: SideTable | undefined,
  columns: readonly ColumnPair[],
  keys: readonly string[],
): TablePair['key'] {
  const tests = [isNamed, isNamedAlike].flatMap((test) => [
    (text: string, pair: ColumnPair) => test(text, pair.source, (source ?? target)?.name),
    (text: string, pair: ColumnPair) => test(text, pair.target, (target ?? source)?.name),
  ]);
  return keys.flatMap((text) => {
    const found = tests.map((test) => columns.findIndex((pair) => test(text, pair)));
    const column = found.find((index) => index !== -1);
    return column === undefined ? [] : [{ text, column }];
  });
}

/** A column of a key, as an option names it, and its index in the table of one side. */
export interface KeyColumn {
  readonly text: string;
  readonly column: number;
}

/** Finds the columns of a table that the options name as its key. */
export const findKeyColumns = (
  { name, columns }: SideTable,
  keys: readonly string[],
): readonly KeyColumn[] =>
  keys.flatMap((text) => {
    const found = [isNamed, isNamedAlike].map((test) =>
      columns.findIndex((column) => test(text, column, name)),
    );
    const column = found.find((index) => index !== -1);
    return column === undefined ? [] : [{ text, column }];
  });

const lower = (name: string | undefined): string | undefined => name?.toLowerCase();

/** The most columns that an error names. */
const NAMED = 20;

function refuseUnknown(pairs: readonly TablePair[], { keys, ignored }: ColumnChoice): void {
  if (pairs.length === 0) return;
  const isKey = (text: string): boolean =>
    pairs.some(({ key }) => key.some((each) => each.text === text));
  const isUsed = (text: string): boolean =>
    pairs.some(({ source, target }) =>
      [source, target].some((table) => table && listIgnored(table, [text]).length > 0),
    );
  const unknownKey = keys.find((text) => !isKey(text));
  const unknown = unknownKey ?? ignored.find((text) => !isUsed(text));
  if (unknown === undefined) return;
  const [source, target] = (['source', 'target'] as const).map((side) =>
    pairs
      .flatMap((pair) => pair[side]?.columns ?? [])
      .slice(0, NAMED)
      .map(({ name, number }) => name ?? number)
      .join(', '),
  );
  throw new UsageError(
    phrase`${opt(unknownKey === undefined ? 'ignored' : 'keys')}: no table${unknownKey === undefined ? '' : ' that both sides have'} has a column ${JSON.stringify(unknown)}; the source has ${source || 'no columns'}, the target has ${target || 'no columns'}`,
  );
}

/** Finds the pair of a table of the rejects, and for each of its columns the pair of columns. */
export function matchRejects(
  table: SideTable,
  pairs: readonly TablePair[],
  file: string,
): { readonly pair: number; readonly indices: readonly number[] } {
  const isFit = ({ source }: TablePair): boolean =>
    source !== undefined && (source.name === table.name || table.name === undefined);
  let found = pairs.findIndex(isFit);
  if (found === -1) {
    // Rejected rows may come without the statement that chooses a database.
    const isAlike = ({ source }: TablePair): boolean =>
      source?.name !== undefined && fold(source.name) === fold(table.name ?? '');
    const alike = pairs.filter(isAlike);
    if (alike.length === 1) found = pairs.findIndex(isAlike);
  }
  const { source, bySource } = pairs[found] ?? {};
  if (!source || !bySource) {
    throw new UsageError(
      phrase`${opt('rejects')}: ${file} has records of ${table.name ?? 'a table without a name'}, but the source has none`,
    );
  }
  const hasNames = [table, source].every(({ columns }) => columns.some(({ name }) => name));
  const [own, others] = [new ColumnIndex(table), new ColumnIndex(source)];
  const indices = table.columns.map((column) => {
    const index = hasNames ? others.findByName(column, own) : others.findByNumber(column);
    return bySource[index] ?? -1;
  });
  return { pair: found, indices };
}
