/** A database in memory: transactions, keys, foreign keys, triggers, other writers, and failures at any point. */
import type {
  Change,
  ChangeOptions,
  Outcome,
  Page,
  PageOptions,
  Progress,
  Server,
  Transaction,
} from '../src/server/server.js';
import type { Key, KeyValue, Table, TextColumn, TextReference } from '../src/server/table.js';

export type Cell = Uint8Array | number | null;
export type Cells = Record<string, Cell>;

/** A table without what can be told from the rest. */
export interface ToyTable {
  readonly name: string;
  readonly key?: readonly string[] | undefined;
  readonly columns: readonly (Partial<TextColumn> & { readonly name: string })[];
  readonly otherColumns?: readonly string[];
  readonly unique?: readonly (readonly string[])[];
  readonly references?: readonly TextReference[];
  readonly effects?: Table['effects'];
  /** Called with a row that changes, which it may change further. */
  readonly onUpdate?: (row: Cells) => void;
  readonly isStable?: boolean;
  readonly rows: readonly Cells[];
}

/** Thrown instead of a process that is killed. */
export class Kill extends Error {}

interface State {
  tables: Record<string, Cells[]>;
  progress: Progress | undefined;
}

/** The columns of a rowid that changes with each update. */
export const CTID = 'ctid';

const toBytes = (cell: Cell | undefined): Buffer =>
  cell instanceof Uint8Array ? Buffer.from(cell) : Buffer.from(String(cell));

const isEqual = (a: Cell | undefined, b: Cell | undefined): boolean =>
  a instanceof Uint8Array && b instanceof Uint8Array ? Buffer.compare(a, b) === 0 : a === b;

const toKeyValue = (cell: Cell | undefined): KeyValue =>
  cell instanceof Uint8Array
    ? { hex: Buffer.from(cell).toString('hex'), is: 'text' }
    : Number(cell);

const compareCells = (a: KeyValue, b: KeyValue): number =>
  typeof a === 'object' && typeof b === 'object'
    ? Buffer.compare(Buffer.from(a.hex, 'hex'), Buffer.from(b.hex, 'hex'))
    : Number(a) - Number(b);

const compareKeys = (a: Key, b: Key): number =>
  a.map((value, i) => compareCells(value, b[i] as KeyValue)).find((sign) => sign !== 0) ?? 0;

export class ToyServer implements Server {
  readonly product = 'Toy 1';
  state: State;
  /** Called before and after everything; may throw, or write as another user. */
  hook: (point: string) => void = () => {};
  problems: readonly string[] = [];
  statements: string[] = [];
  isClosed = false;
  /** True if it reads through a connection of its own, which does not see uncommitted changes. */
  readsCommitted = false;
  /** The rows that were read last at once, at most. */
  most = 0;
  #isDead = false;
  #saved: State | undefined;
  #isDeferred = false;
  #nextCtid = 1000;
  tables: readonly ToyTable[];

  constructor(tables: readonly ToyTable[]) {
    this.tables = tables;
    const rows = tables.map(({ name, rows }) => [name, structuredClone(rows)]);
    this.state = { tables: Object.fromEntries(rows), progress: undefined };
  }

  /** Returns the database as it is after its server or its client was killed. */
  restart(): ToyServer {
    const server = new ToyServer(this.tables);
    server.state = structuredClone(this.#saved ?? this.state);
    server.#nextCtid = this.#nextCtid;
    server.readsCommitted = this.readsCommitted;
    return server;
  }

  /** Another writer changes rows, and commits at once. */
  write(change: (tables: Record<string, Cells[]>) => void): void {
    change(this.state.tables);
    if (this.#saved) change(this.#saved.tables);
  }

  async listTables(): Promise<Table[]> {
    return this.tables.map((table) => describeTable(table, this.tables));
  }

  async readPage(
    table: Table,
    columns: readonly TextColumn[],
    after: Key | undefined,
    limit: number,
    { isClean = () => false }: PageOptions = {},
  ): Promise<Page> {
    this.#call('read');
    const sorted = this.#rows(table)
      .map((cells, i) => ({ cells, key: table.key ? this.#keyOf(table, cells) : [i] }))
      .sort((a, b) => compareKeys(a.key, b.key))
      .filter(({ key }) => !after || compareKeys(key, after) > 0);
    const read = sorted.slice(0, limit);
    this.most = Math.max(this.most, read.length);
    const rows = read.map(({ cells, key }) => ({
      key,
      values: columns.map(({ name }) => {
        const cell = cells[name];
        return cell instanceof Uint8Array ? cell.slice() : null;
      }),
    }));
    const isLast = sorted.length <= limit;
    const isSuspect = ({ values }: (typeof rows)[number]) =>
      values.some((each) => each && !isClean(each));
    return { rows: rows.filter(isSuspect), last: read.at(-1)?.key, isLast, count: read.length };
  }

  async findCollision(
    table: Table,
    key: Key,
    changes: readonly Change[],
  ): Promise<string | undefined> {
    const rows = this.#read(table);
    const row = this.#find(table, key, rows);
    return row && this.#collide(table, row, apply(row, changes), rows);
  }

  async findRows(
    table: Table,
    columns: readonly string[],
    values: readonly Uint8Array[],
    limit: number = Number.POSITIVE_INFINITY,
  ): Promise<Key[]> {
    const isFound = (cells: Cells) => columns.every((name, i) => isEqual(cells[name], values[i]));
    const found = this.#read(table).filter(isFound);
    return found.slice(0, limit).map((cells) => this.#keyOf(table, cells));
  }

  async transact<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    this.#call('begin');
    this.#saved = structuredClone(this.state);
    this.#isDeferred = false;
    try {
      const result = await work({
        change: (...args) => this.#change(...args),
        deferReferences: async () => {
          this.#isDeferred = true;
        },
        saveProgress: async (progress) => {
          this.#call('before progress');
          this.state.progress = JSON.parse(JSON.stringify(progress));
          this.#call('after progress');
        },
      });
      this.#checkReferences();
      this.#call('before commit');
      this.#saved = undefined;
      this.#call('after commit');
      return result;
    } catch (error) {
      if (this.#saved) this.state = this.#saved;
      this.#saved = undefined;
      throw error;
    }
  }

  async readProgress(): Promise<Progress | undefined> {
    this.#check();
    return structuredClone(
      (this.readsCommitted ? (this.#saved ?? this.state) : this.state).progress,
    );
  }

  async clearProgress(): Promise<void> {
    this.#call('before clear');
    this.state.progress = undefined;
    this.#call('after clear');
  }

  async checkIntegrity(): Promise<readonly string[]> {
    this.#call('integrity');
    return this.problems;
  }

  async changeSchema(sql: string): Promise<void> {
    this.#call('before statement');
    this.statements.push(sql);
    this.tables = this.tables.map((table) => ({
      ...table,
      columns: table.columns.map((column) =>
        column.narrowness?.statement === sql ? { ...column, narrowness: undefined } : column,
      ),
    }));
  }

  formatUpdate(table: Table, key: Key, changes: readonly Change[]): string {
    const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
    const words = changes.map((each) => `${each.column.name}:${hex(each.old)}>${hex(each.new)}`);
    return `UPDATE ${table.name} ${JSON.stringify(key)} ${words.join(' ')}`;
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }

  async #change(
    table: Table,
    key: Key,
    changes: readonly Change[],
    { allowsEffects = false }: ChangeOptions = {},
  ): Promise<Outcome> {
    this.#call('before change');
    const row = this.#find(table, key);
    const isOld = changes.every(({ column, old }) => isEqual(row?.[column.name], old));
    if (!row || !isOld) return { is: 'overtaken' };
    const next = apply(row, changes);
    const refuse = (
      reason: 'unique' | 'length' | 'reference' | 'effect',
      message: string,
    ): Outcome => ({
      is: 'refused',
      reason,
      message,
    });
    const unique = this.#collide(table, row, next);
    if (unique) return refuse('unique', `duplicate ${unique}`);
    for (const { column, new: bytes } of changes) {
      if (column.bytes !== undefined && bytes.length > column.bytes) {
        return refuse('length', `too long for ${column.name}`);
      }
    }
    const broken = this.#moveChildren(table, changes);
    if (broken) return refuse('reference', broken);
    const toy = this.tables.find(({ name }) => name === table.name);
    const expected = { ...next };
    toy?.onUpdate?.(next);
    const isAffected = Object.keys(next).some((name) => !isEqual(next[name], expected[name]));
    if (isAffected && !allowsEffects) return refuse('effect', 'a trigger changed another column');
    if (!table.key?.isStable) next[CTID] = this.#nextCtid++;
    Object.assign(row, next);
    this.#call('after change');
    return { is: 'changed', key: this.#keyOf(table, row) };
  }

  /** Cascades, or tells which foreign key would not hold. */
  #moveChildren(table: Table, changes: readonly Change[]): string | undefined {
    for (const { column, old, new: bytes } of changes) {
      for (const reference of table.references) {
        const { child, childColumns, parent, parentColumns } = reference;
        if (child === table.name && childColumns.includes(column.name) && !this.#isDeferred) {
          const [name = ''] = parentColumns;
          const parents = this.state.tables[parent] ?? [];
          if (!parents.some((cells) => isEqual(cells[name], bytes)))
            return `no parent in ${parent}`;
        }
        if (parent !== table.name || !parentColumns.includes(column.name)) continue;
        const [name = ''] = childColumns;
        const rows = (this.state.tables[child] ?? []).filter((cells) => isEqual(cells[name], old));
        if (reference.cascades) for (const cells of rows) cells[name] = Uint8Array.from(bytes);
        else if (rows.length > 0 && !this.#isDeferred) return `rows of ${child} refer to it`;
      }
    }
    return undefined;
  }

  #checkReferences(): void {
    for (const { references = [] } of this.tables) {
      for (const { child, childColumns, parent, parentColumns } of references) {
        if (childColumns.length > 1) continue;
        for (const cells of this.state.tables[child] ?? []) {
          const value = cells[childColumns[0] as string];
          const parents = this.state.tables[parent] ?? [];
          const isHeld =
            value === null ||
            parents.some((each) => isEqual(each[parentColumns[0] as string], value));
          if (!isHeld) throw new Error(`a foreign key of ${child} does not hold`);
        }
      }
    }
  }

  #collide(
    table: Table,
    row: Cells,
    next: Cells,
    rows: readonly Cells[] = this.#rows(table),
  ): string | undefined {
    const compared = (cells: Cells, name: string): string => {
      const { collation } = table.columns.find((column) => column.name === name) ?? {};
      const text = toBytes(cells[name]).toString('latin1');
      return collation === 'NOCASE' ? text.toLowerCase() : text;
    };
    return table.uniqueKeys.find(({ columns }) =>
      rows.some(
        (other) =>
          other !== row && columns.every((name) => compared(other, name) === compared(next, name)),
      ),
    )?.name;
  }

  #rows({ name }: Table): Cells[] {
    return this.state.tables[name] ?? [];
  }

  /** Returns the rows as a reader outside the transaction sees them. */
  #read({ name }: Table): Cells[] {
    const state = this.readsCommitted ? (this.#saved ?? this.state) : this.state;
    return state.tables[name] ?? [];
  }

  #find(table: Table, key: Key, rows: readonly Cells[] = this.#rows(table)): Cells | undefined {
    return rows.find((cells) => compareKeys(this.#keyOf(table, cells), key) === 0);
  }

  #keyOf({ key }: Table, cells: Cells): Key {
    return (key?.names ?? []).map((name) => toKeyValue(cells[name]));
  }

  #call(point: string): void {
    this.#check();
    try {
      this.hook(point);
    } catch (error) {
      if (error instanceof Kill) this.#isDead = true;
      throw error;
    }
  }

  #check(): void {
    if (this.#isDead) throw new Kill();
  }
}

const apply = (row: Cells, changes: readonly Change[]): Cells => {
  const next = { ...row };
  for (const { column, new: bytes } of changes) next[column.name] = Uint8Array.from(bytes);
  return next;
};

function describeTable(toy: ToyTable, all: readonly ToyTable[]): Table {
  const { name, key = ['id'], unique = [], isStable = true } = toy;
  return {
    name,
    sql: `"${name}"`,
    columns: toy.columns.map((column) => ({
      sql: `"${column.name}"`,
      type: 'text',
      structure: undefined,
      charset: undefined,
      collation: undefined,
      characters: undefined,
      bytes: undefined,
      isGenerated: false,
      narrowness: undefined,
      ...column,
    })),
    otherColumns: toy.otherColumns ?? [],
    key: key.length > 0 ? { names: key, isStable } : undefined,
    uniqueKeys: unique.map((columns) => ({ name: `${name}_${columns.join('_')}`, columns })),
    references: all
      .flatMap(({ references = [] }) => references)
      .filter(({ child, parent }) => child === name || parent === name),
    effects: toy.effects ?? [],
    rows: toy.rows.length,
  };
}
