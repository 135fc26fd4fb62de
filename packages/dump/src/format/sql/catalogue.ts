/** Looks tables up as a database does: by the current database or schema, and by case. */
import { leastOf, reachOfColumn } from '../../charset/repertoire.js';
import {
  type CatalogueState,
  type ColumnType,
  EMPTY_CATALOGUE,
  type NamedType,
  type TableType,
} from './table-type.js';
import { EMPTY, entriesOf, getIn, setIn } from './trie.js';

/** Separates the parts of a key; no name contains it. */
const SEPARATOR = '\0';

/** Rules by which names are completed. */
export interface NameRules {
  /** True if a qualified name is `schema.table` in the current database, rather than `database.table`. */
  readonly hasSchemas: boolean;
}

/** Changes that an undone function made to a catalogue. */
export interface CatalogueAttempt {
  readonly tables: ReadonlyMap<string, TableType | undefined>;
  readonly rest: Omit<CatalogueState, 'tables' | 'aliases'>;
}

export class Catalogue {
  readonly #rules: NameRules;
  /** All that is known, as plain data that later statements leave alone. */
  state: CatalogueState;
  /** Keys of tables that change, while that is noted. */
  #touched: Set<string> | undefined;

  constructor(rules: NameRules, state: CatalogueState = EMPTY_CATALOGUE) {
    this.#rules = rules;
    this.state = state;
  }

  learn(change: Partial<Omit<CatalogueState, 'tables' | 'aliases'>>): void {
    this.state = { ...this.state, ...change };
  }

  /** Returns the default character set of a database. */
  charsetOf(database: string): string | undefined {
    return getIn(this.state.charsets, database);
  }

  setCharset(database: string, charset: string): void {
    this.state = { ...this.state, charsets: setIn(this.state.charsets, database, charset) };
  }

  /**
   * Undoes the changes of a function.
   *
   * @returns The tables that it changed, as it left them, and everything else that it left.
   */
  attempt(act: () => void): CatalogueAttempt {
    const before = this.state;
    const touched = new Set<string>();
    this.#touched = touched;
    try {
      act();
      const { tables: after, aliases: _, ...rest } = this.state;
      const tables = new Map([...touched].map((key) => [key, getIn(after, key)]));
      return { tables, rest };
    } finally {
      this.#touched = undefined;
      this.state = before;
    }
  }

  /** Sets a table, or removes it if it is undefined. */
  putTable(key: string, table: TableType | undefined): void {
    if (table) this.setTable(key, table);
    else this.dropTable(key);
  }

  setTable(key: string, table: TableType): void {
    this.#touched?.add(key);
    const { tables } = this.state;
    const isKnown = getIn(tables, key) !== undefined;
    this.state = { ...this.state, tables: setIn(tables, key, table) };
    if (!isKnown) this.#setAliases(key, true);
  }

  dropTable(key: string): void {
    this.#touched?.add(key);
    const { tables } = this.state;
    if (!getIn(tables, key)) return;
    this.state = { ...this.state, tables: setIn(tables, key, undefined) };
    this.#setAliases(key, undefined);
  }

  /** Notes columns that statements declare. */
  noteColumns(columns: readonly ColumnType[]): void {
    const reach = leastOf(
      this.state.reach,
      ...columns.map(({ charset }) => reachOfColumn(charset)),
    );
    if (reach !== this.state.reach) this.state = { ...this.state, reach };
  }

  /** Adds a key to the entries of its aliases, or removes it. */
  #setAliases(key: string, value: true | undefined): void {
    let { aliases } = this.state;
    for (const alias of listAliases(key)) {
      const keys = setIn(getIn(aliases, alias) ?? EMPTY, key, value);
      aliases = setIn(aliases, alias, keys.length === 0 ? undefined : keys);
    }
    this.state = { ...this.state, aliases };
  }

  /** Forgets the tables of a database. */
  dropDatabase(database: string): void {
    for (const { key } of this.#listKeys(aliasOf('database', [database]))) this.dropTable(key);
  }

  #listKeys(alias: string): Iterable<{ readonly key: string }> {
    return entriesOf(getIn(this.state.aliases, alias) ?? EMPTY);
  }

  /** Returns the key of a name that is created. */
  keyOf(parts: readonly string[]): string {
    const [scope, name] = this.#qualify(parts);
    return [...scope, name].join(SEPARATOR);
  }

  /** Returns the name of a table with the current database and schema. */
  qualify(parts: readonly string[]): string {
    const [scope, name] = this.#qualify(parts);
    return [...scope.filter((part) => part !== ''), name].join('.');
  }

  #qualify(parts: readonly string[]): [scope: string[], name: string] {
    const { database, schema } = this.state;
    const name = parts.at(-1) as string;
    const qualifier = parts.at(-2);
    if (!this.#rules.hasSchemas) return [[qualifier ?? database], name];
    return [[parts.at(-3) ?? database, qualifier ?? schema], name];
  }

  /**
   * Finds the key of a table that a statement names.
   *
   * A dump may leave the database out in one place and name it in another. A table without one is then
   * the same, unless several could be meant.
   */
  find(parts: readonly string[]): string | undefined {
    // A statement that is damaged names none.
    if (parts.length === 0) return undefined;
    const key = this.keyOf(parts);
    if (getIn(this.state.tables, key)) return key;
    const sameCase = this.#findOnly([aliasOf('case', [key.toLowerCase()])]);
    if (sameCase !== undefined) return sameCase === SEVERAL ? undefined : sameCase;
    const [scope, name] = this.#qualify(parts);
    // A part that one side omits may be any name on the other.
    let scopes: (string | null)[][] = [[]];
    for (const part of scope) {
      const choices = part === '' ? [null] : [part, ''];
      scopes = scopes.flatMap((before) => choices.map((choice) => [...before, choice]));
    }
    const found = this.#findOnly(
      scopes.map((each) => aliasOf('scope', [...each, name.toLowerCase()])),
    );
    return found === SEVERAL ? undefined : found;
  }

  /** Finds the only key of some aliases. */
  #findOnly(aliases: readonly string[]): string | typeof SEVERAL | undefined {
    let found: string | undefined;
    for (const alias of aliases) {
      for (const { key } of this.#listKeys(alias)) {
        if (found !== undefined && found !== key) return SEVERAL;
        found = key;
      }
    }
    return found;
  }

  table(key: string | undefined): TableType | undefined {
    return key === undefined ? undefined : getIn(this.state.tables, key);
  }

  /** Finds a user-defined type by its name, with or without a schema. */
  type(name: string): NamedType | undefined {
    const { types } = this.state;
    return getIn(types, name) ?? getIn(types, name.slice(name.lastIndexOf('.') + 1));
  }

  setType(name: string, type: NamedType): void {
    this.state = { ...this.state, types: setIn(this.state.types, name, type) };
  }
}

/** Found instead of a key if several could be meant. */
const SEVERAL = Symbol('several');

/** An alias is one string for any parts; null matches any name. */
const aliasOf = (kind: 'case' | 'scope' | 'database', parts: readonly (string | null)[]): string =>
  JSON.stringify([kind, ...parts]);

/** Lists the aliases of a table: its key without case, without parts of its scope, by its database. */
function listAliases(key: string): string[] {
  const scope = key.split(SEPARATOR);
  const name = (scope.pop() ?? '').toLowerCase();
  let scopes: (string | null)[][] = [[]];
  for (const part of scope) {
    scopes = scopes.flatMap((before) => [
      [...before, part],
      [...before, null],
    ]);
  }
  return [
    aliasOf('case', [key.toLowerCase()]),
    aliasOf('database', scope.slice(0, 1)),
    ...scopes.map((each) => aliasOf('scope', [...each, name])),
  ];
}

/** Columns by name and by name in lower case; undefined for a name that several have. */
type ColumnIndex = ReadonlyMap<string, ColumnType | undefined>;

const indices = new WeakMap<
  readonly ColumnType[],
  readonly [exact: ColumnIndex, folded: ColumnIndex]
>();

/** Number of columns up to which a search takes no longer than to make an index. */
const FEW = 8;

/** Finds a column by name; case does not matter to MySQL, and PostgreSQL has folded it already. */
export function findColumn(
  columns: readonly ColumnType[],
  name: string | undefined,
): ColumnType | undefined {
  if (name === undefined) return undefined;
  if (columns.length <= FEW) {
    const exact = columns.find((column) => column.name === name);
    if (exact) return exact;
    const lower = name.toLowerCase();
    const folded = columns.filter((column) => column.name.toLowerCase() === lower);
    return folded.length === 1 ? folded[0] : undefined;
  }
  let index = indices.get(columns);
  if (!index) {
    const [exact, folded] = [new Map(), new Map()];
    for (const column of columns) {
      const lower = column.name.toLowerCase();
      if (!exact.has(column.name)) exact.set(column.name, column);
      folded.set(lower, folded.has(lower) ? undefined : column);
    }
    index = [exact, folded];
    indices.set(columns, index);
  }
  return index[0].get(name) ?? index[1].get(name.toLowerCase());
}
