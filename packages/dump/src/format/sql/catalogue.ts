/** Looks tables up as a database does: by the current database or schema, and by case. */

import { isNarrow } from './charset.js';
import {
  type CatalogueState,
  type ColumnType,
  EMPTY_CATALOGUE,
  type NamedType,
  type TableType,
} from './table-type.js';

/** Separates the parts of a key; no name contains it. */
const SEPARATOR = '\0';

/** How names are completed. */
export interface NameRules {
  /** Whether a qualified name is `schema.table` in the current database, rather than `database.table`. */
  readonly hasSchemas: boolean;
}

/** What became of a catalogue that is as before again. */
export interface CatalogueAttempt {
  readonly tables: ReadonlyMap<string, TableType | undefined>;
  /** Its tables may be out of date. */
  readonly rest: CatalogueState;
}

export class Catalogue {
  readonly #rules: NameRules;
  readonly #tables: Map<string, TableType>;
  #state: CatalogueState;
  /** Whether tables have changed since the state was made: it is made once for many statements. */
  #isStale = false;
  /** Tables before they were changed, while that is noted. */
  #before: Map<string, TableType | undefined> | undefined;
  /** Keys by their lower case; made when a name is not found as it is. */
  #folded: Map<string, string[]> | undefined;

  constructor(rules: NameRules, state: CatalogueState = EMPTY_CATALOGUE) {
    this.#rules = rules;
    this.#state = state;
    this.#tables = new Map(Object.entries(state.tables));
  }

  /** All that is known, as plain data that later statements leave alone. */
  get state(): CatalogueState {
    if (this.#isStale) {
      this.#state = { ...this.#state, tables: Object.fromEntries(this.#tables) };
      this.#isStale = false;
    }
    return this.#state;
  }

  learn(change: Omit<Partial<CatalogueState>, 'tables'>): void {
    this.#state = { ...this.#state, ...change };
  }

  /**
   * Undoes what a function changes.
   *
   * @returns The tables that it changed, as it left them, and everything else that it left.
   */
  attempt(act: () => void): CatalogueAttempt {
    const before = new Map<string, TableType | undefined>();
    const { ...rest } = this.#state;
    this.#before = before;
    try {
      act();
      const tables = new Map([...before.keys()].map((key) => [key, this.#tables.get(key)]));
      return { tables, rest: this.#state };
    } finally {
      this.#before = undefined;
      for (const [key, table] of before) this.putTable(key, table);
      this.#state = rest;
      this.#isStale = before.size > 0 || this.#isStale;
    }
  }

  /** Sets a table, or removes it if it is undefined. */
  putTable(key: string, table: TableType | undefined): void {
    if (table) this.setTable(key, table);
    else this.dropTable(key);
  }

  setTable(key: string, table: TableType): void {
    this.#note(key);
    const hasNarrow =
      !this.#state.isNarrow && table.columns?.some((each) => isNarrow(each.charset));
    if (hasNarrow) this.learn({ isNarrow: true });
    this.#tables.set(key, table);
    this.#isStale = true;
    this.#folded = undefined;
  }

  #note(key: string): void {
    if (this.#before && !this.#before.has(key)) this.#before.set(key, this.#tables.get(key));
  }

  dropTable(key: string): void {
    this.#note(key);
    this.#tables.delete(key);
    this.#isStale = true;
    this.#folded = undefined;
  }

  /** Forgets the tables of a database. */
  dropDatabase(database: string): void {
    for (const key of this.#tables.keys()) {
      if (key.startsWith(`${database}${this.#rules.hasSchemas ? '.' : SEPARATOR}`)) {
        this.dropTable(key);
      }
    }
  }

  /** Returns the key of a name that is created. */
  keyOf(parts: readonly string[]): string {
    const [database, name] = this.#qualify(parts);
    return `${database}${SEPARATOR}${name}`;
  }

  #qualify(parts: readonly string[]): [scope: string, name: string] {
    const { database, schema } = this.#state;
    const name = parts.at(-1) as string;
    const qualifier = parts.at(-2);
    if (!this.#rules.hasSchemas) return [qualifier ?? database, name];
    const outer = parts.at(-3) ?? database;
    return [`${outer}.${qualifier ?? schema}`, name];
  }

  /**
   * Finds the key of a table that a statement names.
   *
   * A dump may leave the database out in one place and name it in another. A table without one is then
   * the same, unless several could be meant.
   */
  find(parts: readonly string[]): string | undefined {
    const tables = this.#tables;
    const key = this.keyOf(parts);
    if (tables.has(key)) return key;
    this.#folded ??= this.#fold();
    const [scope, name] = this.#qualify(parts);
    const sameCase = this.#folded.get(key.toLowerCase()) ?? [];
    if (sameCase.length > 0) return sameCase.length === 1 ? sameCase[0] : undefined;
    const candidates = [...tables.keys()].filter((each) => {
      const [otherScope = '', other = ''] = each.split(SEPARATOR);
      if (other.toLowerCase() !== name.toLowerCase()) return false;
      return this.#mayBeSame(scope, otherScope);
    });
    return candidates.length === 1 ? candidates[0] : undefined;
  }

  /** Tells whether two scopes differ only in what one of them leaves out. */
  #mayBeSame(one: string, other: string): boolean {
    if (!this.#rules.hasSchemas) return one === '' || other === '';
    const [ones, others] = [one.split('.'), other.split('.')];
    return ones.every((part, i) => part === '' || others[i] === '' || part === others[i]);
  }

  #fold(): Map<string, string[]> {
    const folded = new Map<string, string[]>();
    for (const key of this.#tables.keys()) {
      const lower = key.toLowerCase();
      folded.set(lower, [...(folded.get(lower) ?? []), key]);
    }
    return folded;
  }

  table(key: string | undefined): TableType | undefined {
    return key === undefined ? undefined : this.#tables.get(key);
  }

  /** Finds a user-defined type by its name, with or without a schema. */
  type(name: string): NamedType | undefined {
    const { types } = this.#state;
    if (Object.hasOwn(types, name)) return types[name];
    return types[name.slice(name.lastIndexOf('.') + 1)];
  }
}

/** Finds a column by name; case does not matter to MySQL, and PostgreSQL has folded it already. */
export function findColumn(
  columns: readonly ColumnType[],
  name: string | undefined,
): ColumnType | undefined {
  if (name === undefined) return undefined;
  const exact = columns.find((column) => column.name === name);
  if (exact) return exact;
  const lower = name.toLowerCase();
  const folded = columns.filter((column) => column.name.toLowerCase() === lower);
  return folded.length === 1 ? folded[0] : undefined;
}
