/** Collects tables and their columns from statements. */
import type { Structure } from '@utf8/repair';
import { FormatError } from '../format-error.js';
import { type Catalogue, findColumn } from './catalogue.js';
import type { CharsetOptions, SqlDialect } from './dialect.js';
import { NOT_ASCII } from './read-words.js';
import type { ColumnType, KeyPart, Reference, TableType, UniqueKey } from './table-type.js';
import type { Word, Words } from './words.js';

/** Inputs for reading a statement. */
export interface DdlContext {
  readonly dialect: SqlDialect;
  readonly catalogue: Catalogue;
  /** Returns the line of a word. */
  readonly lineOf: (word: Word) => number;
}

/** Data about a table while its parts are read. */
interface Draft {
  columns: ColumnType[] | undefined;
  primary: readonly KeyPart[] | undefined;
  unique: UniqueKey[];
  references: Reference[];
}

/** Reads a statement that may change the catalogue. */
export function readDdl(words: Words, context: DdlContext): void {
  const { catalogue } = context;
  if (words.accept('use')) {
    const { name } = words.next();
    if (name !== undefined) catalogue.learn({ database: name });
  } else if (words.accept('create')) readCreate(words, context);
  else if (words.accept('alter')) readAlter(words, context);
  else if (words.accept('drop')) readDrop(words, context);
  else if (words.accept('rename table')) {
    for (const item of words.split()) {
      const from = item.readName();
      if (from && item.accept('to')) rename(context, from, item.readName());
    }
  }
}

function readCreate(words: Words, context: DdlContext): void {
  const { catalogue, dialect } = context;
  words.accept('or replace');
  words.acceptAll(/^(global|local|temporary|temp|unlogged|foreign)$/);
  if (words.accept('database') || words.accept('schema')) {
    words.accept('if not exists');
    const { name } = words.next();
    const charset = dialect.readCharset?.(words).charset;
    if (name !== undefined && charset) catalogue.setCharset(name, charset);
  } else if (words.accept('table')) readCreateTable(words, context);
  else if (words.accept('type')) readCreateType(words, context);
  else if (words.accept('domain')) {
    const name = words.readName()?.join('.');
    words.accept('as');
    const column = dialect.readType(words, catalogue);
    if (name !== undefined) catalogue.setType(name, { is: 'domain', column });
  } else if (words.accept('unique index')) readUniqueIndex(words, context);
}

function readCreateType(words: Words, { dialect, catalogue }: DdlContext): void {
  const name = words.readName()?.join('.');
  if (name === undefined || !words.accept('as')) return;
  const fields = words.readGroup();
  if (!fields) {
    catalogue.setType(name, { is: 'text' });
    return;
  }
  const of: (Structure | null)[] = fields.split().map((field) => {
    field.next();
    return dialect.readType(field, catalogue).structure ?? null;
  });
  catalogue.setType(name, { is: 'composite', of });
}

function readUniqueIndex(words: Words, context: DdlContext): void {
  const line = context.lineOf(words.peek());
  words.accept('concurrently');
  if (!words.find('on')) return;
  words.accept('only');
  const parts = words.readName();
  if (words.accept('using')) words.next();
  const columns = words.readKeyParts();
  const key = parts && context.catalogue.find(parts);
  const table = context.catalogue.table(key);
  // Nothing is known of some of the rows.
  if (!key || !table || !columns || words.find('where')) return;
  const unique = [...table.unique, { columns, line }];
  context.catalogue.setTable(key, { ...table, unique });
}

function readCreateTable(words: Words, context: DdlContext): void {
  const { catalogue, dialect, lineOf } = context;
  const isOptional = words.accept('if not exists');
  const line = lineOf(words.peek());
  const parts = words.readName();
  if (!parts) return;
  const key = catalogue.keyOf(parts);
  const known = isOptional ? catalogue.find(parts) : undefined;
  // The server keeps the table that it has.
  if (known === key) return;
  const { spelling } = words;
  requireOneSpelling(catalogue.table(key), spelling, line);
  const base: TableType = {
    name: parts.join('.'),
    spelling,
    columns: undefined,
    unique: [],
    references: [],
    line,
  };
  const like = words.accept('like') ? words.readName() : undefined;
  if (like) {
    const model = catalogue.table(catalogue.find(like));
    setTable(context, key, { ...base, ...model, name: base.name, spelling, line, references: [] });
    return;
  }
  const draft: Draft = { columns: [], primary: undefined, unique: [], references: [] };
  let root: string | undefined;
  if (words.accept('partition of')) {
    root = catalogue.find(words.readName() ?? []);
    const parent = catalogue.table(root);
    // Shared by all partitions, since nothing is added to it.
    draft.columns = parent?.columns as ColumnType[] | undefined;
    draft.primary = parent?.primary;
    draft.unique = [...(parent?.unique ?? [])];
    words.readGroup();
  } else if (words.accept('of')) {
    // A typed table; its columns are not known as such.
    draft.columns = undefined;
    words.readName();
    words.readGroup();
  } else {
    const items = words.readGroup();
    draft.columns =
      items && !/^(select|with|values|table)$/.test(items.peek().text) ? [] : undefined;
    if (items && draft.columns) readItems(items, draft, context);
  }
  if (words.accept('inherits')) {
    const parents = words.readGroup()?.split() ?? [];
    for (const parent of parents) {
      const inherited = catalogue.table(catalogue.find(parent.readName() ?? []))?.columns;
      draft.columns =
        inherited && draft.columns ? mergeColumns(inherited, draft.columns) : undefined;
    }
  }
  const {
    charset = catalogue.charsetOf(parts.at(-2) ?? catalogue.state.database),
    collation,
    was,
  } = dialect.readCharset?.(words) ?? {};
  const partition = readPartition(words.copy());
  // Another table with this name, in no database in particular, may be the same.
  if (hidesColumns(words) || known !== undefined) draft.columns = undefined;
  const isPlain = charset === undefined && collation === undefined;
  const columns = isPlain
    ? draft.columns
    : draft.columns?.map((column) => inherit(column, { charset, collation, was }));
  if (columns && !root) catalogue.noteColumns(columns);
  setTable(context, key, {
    ...base,
    ...draft,
    ...{ columns, partition, root, charset, collation, was },
  });
}

/** Tells whether columns come from a query, in addition to the listed ones. */
function hidesColumns(words: Words): boolean {
  const rest = words.copy();
  while (!rest.isOver) {
    if (!rest.peek().isQuoted && /^(select|execute)$/.test(rest.peek().text)) return true;
    if (rest.readGroup() === undefined) rest.next();
  }
  return false;
}

/** Columns of the same name are one, where the first parent has it. */
function mergeColumns(first: readonly ColumnType[], more: readonly ColumnType[]): ColumnType[] {
  const names = new Set(first.map(({ name }) => name));
  return [...first, ...more.filter(({ name }) => !names.has(name))];
}

/** Gives a column the character set of its table, unless it has its own. */
function inherit(column: ColumnType, { charset, collation, was }: CharsetOptions): ColumnType {
  if (column.is !== 'text' || column.charset !== undefined) return column;
  if (charset === 'binary') return { ...column, is: 'binary' };
  return { ...column, charset, collation: column.collation ?? collation, was };
}

function readPartition(words: Words): TableType['partition'] {
  if (!words.find('partition by')) return undefined;
  words.accept('linear');
  const by = words.next().text;
  words.accept('columns');
  const inner = words.readGroup();
  const columns: string[] = [];
  while (inner && !inner.isOver) {
    const { name } = inner.next();
    if (name !== undefined) columns.push(name);
  }
  return { by, columns };
}

/** @throws {@link FormatError} if two columns have one name once it is repaired. */
function readItems(items: Words, draft: Draft, context: DdlContext): void {
  for (const item of items.split()) readItem(item, draft, context);
  const names = new Set<string>();
  for (const { name, line } of draft.columns ?? []) {
    if (names.has(name) && NOT_ASCII.test(name)) {
      const reason = `the repaired names of two columns are ${JSON.stringify(name)}; rename one of them`;
      throw new FormatError(reason, line);
    }
    names.add(name);
  }
}

/**
 * Refuses a table whose name is that of another one once it is repaired.
 *
 * @throws {@link FormatError} if a known table of the name is spelled in another way.
 */
function requireOneSpelling(
  known: TableType | undefined,
  spelling: string | undefined,
  line: number,
): void {
  if (!known || known.spelling === undefined || spelling === undefined) return;
  const [one, other] = [known.spelling, spelling].map((text) =>
    text.replace(/^["`[]|["`\]]$/g, ''),
  );
  if (one === other) return;
  throw new FormatError(
    `the repaired name of this table and that of line ${known.line} are both ${JSON.stringify(known.name)}; rename one of them`,
    line,
  );
}

/** Reads a column, or a constraint, of CREATE TABLE or ALTER TABLE. */
function readItem(item: Words, draft: Draft, context: DdlContext): void {
  const { dialect, catalogue, lineOf } = context;
  const first = item.peek();
  if (first.isQuoted || !dialect.notColumns.has(first.text)) {
    const line = lineOf(first);
    const { name } = item.next();
    if (name === undefined) return;
    const options = item.copy();
    const isInvisible = readVisibility(item);
    draft.columns?.push({ name, ...dialect.readType(item, catalogue), isInvisible, line });
    if (options.copy().find('primary key')) draft.primary = [{ name }];
    else if (options.copy().find('unique')) draft.unique.push({ columns: [{ name }], line });
    readReference(options, [name], draft, context, line);
    return;
  }
  readConstraint(item, draft, context);
}

/** Finds INVISIBLE among the options of a column. */
function readVisibility(item: Words): true | undefined {
  const rest = item.copy();
  while (!rest.isOver) {
    if (rest.accept('invisible')) return true;
    if (!rest.readGroup()) rest.next();
  }
  return undefined;
}

function readConstraint(item: Words, draft: Draft, context: DdlContext): void {
  const line = context.lineOf(item.peek());
  if (item.accept('like')) {
    const model = context.catalogue.table(context.catalogue.find(item.readName() ?? []));
    if (model?.columns && draft.columns) draft.columns.push(...model.columns);
    else draft.columns = undefined;
    return;
  }
  if (item.accept('constraint') && !/^(primary|unique|foreign|check)$/.test(item.peek().text)) {
    item.next();
  }
  if (item.accept('primary key')) {
    if (item.accept('using')) item.next();
    draft.primary = item.readKeyParts();
  } else if (item.accept('unique')) {
    item.acceptAll(/^(key|index)$/);
    if (item.peek().text !== '(') item.next();
    if (item.accept('using')) item.next();
    const columns = item.readKeyParts();
    if (columns) draft.unique.push({ columns, line });
  } else if (item.accept('foreign key')) {
    if (item.peek().text !== '(') item.next();
    readReference(item, item.readNames() ?? [], draft, context, line);
  }
}

function readReference(
  words: Words,
  columns: readonly string[],
  draft: Draft,
  { catalogue }: DdlContext,
  line: number,
): void {
  if (!words.find('references')) return;
  const parts = words.readName();
  if (!parts) return;
  const table = catalogue.find(parts) ?? catalogue.keyOf(parts);
  draft.references.push({ columns, table, others: words.readNames() ?? [], line });
}

function readAlter(words: Words, context: DdlContext): void {
  const { catalogue, dialect } = context;
  words.acceptAll(/^(online|ignore)$/);
  if (words.accept('database') || words.accept('schema')) {
    const isUnnamed = /^(default|character|charset|collate)$/.test(words.peek().text);
    const name = (isUnnamed ? undefined : words.next().name) ?? catalogue.state.database;
    const { charset } = dialect.readCharset?.(words) ?? {};
    // A dump that names no database may be for this one.
    const names = catalogue.state.database === '' ? [name, ''] : [name];
    if (charset) for (const each of names) catalogue.setCharset(each, charset);
    return;
  }
  if (!words.accept('table') && !words.accept('foreign table')) return;
  words.accept('if exists');
  words.accept('only');
  const parts = words.readName();
  const key = parts && catalogue.find(parts);
  const table = catalogue.table(key);
  if (!parts || !key || !table) return;
  if (words.accept('wait')) words.next();
  words.accept('nowait');
  let next: TableType = table;
  for (const action of words.split()) {
    if (action.accept('rename to') || action.accept('rename as')) {
      catalogue.setTable(key, next);
      rename(context, parts, action.readName());
      return;
    }
    if (action.accept('set schema')) {
      const { name } = action.next();
      catalogue.setTable(key, next);
      if (name) rename(context, parts, [name, parts.at(-1) as string]);
      return;
    }
    next = alter(next, key, action, context);
  }
  setTable(context, key, next);
}

/**
 * Changes a table.
 *
 * @throws {@link FormatError} if it has more columns than a server accepts.
 */
function setTable({ catalogue, dialect }: DdlContext, key: string, table: TableType): void {
  const { columns, name, line } = table;
  if (columns && columns.length > dialect.mostColumns) {
    const reason = `table ${JSON.stringify(name)} has more than ${dialect.mostColumns} columns; is the dump in this format?`;
    throw new FormatError(reason, line);
  }
  catalogue.setTable(key, table);
}

/** Returns a table after one action of ALTER TABLE. */
function alter(table: TableType, key: string, action: Words, context: DdlContext): TableType {
  const { dialect, catalogue } = context;
  const { columns } = table;
  const change = (name: string | undefined, column: ColumnType | undefined): TableType => {
    const old = columns && findColumn(columns, name);
    if (!columns || !old) return table;
    const added = column ? [column] : [];
    catalogue.noteColumns(added);
    const at = columns.indexOf(old);
    return { ...table, columns: [...columns.slice(0, at), ...added, ...columns.slice(at + 1)] };
  };
  if (action.accept('add')) {
    const isColumn = action.accept('column');
    const isOptional = action.accept('if not exists');
    return add(table, action, isColumn, isOptional, context);
  }
  if (action.accept('drop')) {
    const isColumn = action.accept('column');
    action.accept('if exists');
    const isOther = /^(constraint|primary|index|key|foreign|partition|check|period|system)$/.test(
      action.peek().text,
    );
    return isOther && !isColumn && !action.peek().isQuoted
      ? table
      : change(action.next().name, undefined);
  }
  if (action.accept('rename')) {
    if (/^(index|key|constraint)$/.test(action.peek().text)) return table;
    action.accept('column');
    const old = columns && findColumn(columns, action.next().name);
    action.accept('to');
    const { name } = action.next();
    return old && name !== undefined ? change(old.name, { ...old, name }) : table;
  }
  const isChange = action.accept('change');
  if (isChange || action.accept('modify')) {
    action.accept('column');
    action.accept('if exists');
    const old = action.peek().name;
    // CHANGE has the old name and the new one.
    if (isChange) action.next();
    return replaceColumn(table, old, action, context);
  }
  if (action.accept('alter')) {
    action.accept('column');
    const old = columns && findColumn(columns, action.next().name);
    action.accept('set data');
    const isInvisible = action.accept('set invisible');
    if (old && (isInvisible || action.accept('set visible'))) {
      return change(old.name, { ...old, isInvisible });
    }
    if (!old || !action.accept('type')) return table;
    const { name, line, isInvisible: wasInvisible } = old;
    const type = dialect.readType(action, catalogue);
    return change(name, { name, line, ...type, isInvisible: wasInvisible });
  }
  if (action.accept('convert to')) {
    const { charset, collation, was } = dialect.readCharset?.(action) ?? {};
    const converted = columns?.map((column) =>
      column.is !== 'text'
        ? column
        : inherit(
            { ...column, charset: undefined, collation: undefined },
            { charset, collation, was },
          ),
    );
    if (converted) catalogue.noteColumns(converted);
    return { ...table, charset, collation, was, columns: converted };
  }
  if (action.accept('attach partition')) {
    const attached = catalogue.find(action.readName() ?? []);
    const partition = catalogue.table(attached);
    if (attached && partition) catalogue.setTable(attached, { ...partition, root: key });
  }
  // Options, of which these are for columns that are added later.
  const { charset, collation, was } = dialect.readCharset?.(action) ?? {};
  return charset === undefined ? table : { ...table, charset, collation, was };
}

function replaceColumn(
  table: TableType,
  old: string | undefined,
  action: Words,
  context: DdlContext,
): TableType {
  const { columns } = table;
  const index = columns ? columns.indexOf(findColumn(columns, old) as ColumnType) : -1;
  const line = context.lineOf(action.peek());
  const { name } = action.next();
  if (!columns || index === -1 || name === undefined) return table;
  const place = action.copy();
  const isInvisible = readVisibility(action);
  const column = inherit(
    { name, line, ...context.dialect.readType(action, context.catalogue), isInvisible },
    table,
  );
  context.catalogue.noteColumns([column]);
  const rest = [...columns.slice(0, index), ...columns.slice(index + 1)];
  return { ...table, columns: insert(rest, [column], place, index) };
}

/** Adds columns or a constraint. */
function add(
  table: TableType,
  action: Words,
  isColumn: boolean,
  isOptional: boolean,
  context: DdlContext,
): TableType {
  const first = action.peek();
  const draft: Draft = {
    columns: [],
    primary: table.primary,
    unique: [...table.unique],
    references: [...table.references],
  };
  const group = first.text === '(' ? action.readGroup() : undefined;
  const place = action.copy();
  if (group) readItems(group, draft, context);
  else if (isColumn && !first.isQuoted && context.dialect.notColumns.has(first.text)) {
    // A column that is named like a constraint.
    draft.columns?.push({
      name: action.next().name ?? '',
      ...context.dialect.readType(action, context.catalogue),
      line: context.lineOf(first),
    });
  } else readItem(action, draft, context);
  const added = (draft.columns ?? [])
    .filter(({ name }) => !isOptional || !findColumn(table.columns ?? [], name))
    .map((column) => inherit(column, table));
  context.catalogue.noteColumns(added);
  const columns = table.columns && insert(table.columns, added, place, table.columns.length);
  const { primary, unique, references } = draft;
  return { ...table, columns, primary, unique, references };
}

/** Inserts columns where FIRST or AFTER says, or at an index. */
function insert(
  columns: readonly ColumnType[],
  added: readonly ColumnType[],
  place: Words,
  index: number,
): ColumnType[] {
  let at = index;
  while (!place.isOver) {
    if (place.readGroup()) continue;
    if (place.accept('first')) at = 0;
    else if (place.accept('after')) {
      const before = findColumn(columns, place.next().name);
      at = before ? columns.indexOf(before) + 1 : at;
    } else place.next();
  }
  return [...columns.slice(0, at), ...added, ...columns.slice(at)];
}

function rename(
  { catalogue }: DdlContext,
  from: readonly string[],
  to: string[] | undefined,
): void {
  const key = catalogue.find(from);
  const table = catalogue.table(key);
  if (!key || !table || !to) return;
  const qualified = to.length === 1 ? [...from.slice(0, -1), ...to] : to;
  catalogue.dropTable(key);
  catalogue.setTable(catalogue.keyOf(qualified), { ...table, name: qualified.join('.') });
}

function readDrop(words: Words, { catalogue, dialect, lineOf }: DdlContext): void {
  words.accept('temporary');
  if (words.accept('database') || (!dialect.hasSchemas && words.accept('schema'))) {
    words.accept('if exists');
    const { name } = words.next();
    if (name !== undefined) catalogue.dropDatabase(name);
    return;
  }
  if (!words.accept('table')) return;
  words.accept('if exists');
  for (const item of words.split()) {
    const line = lineOf(item.peek());
    const key = catalogue.find(item.readName() ?? []);
    requireOneSpelling(catalogue.table(key), item.spelling, line);
    if (key) catalogue.dropTable(key);
  }
}
