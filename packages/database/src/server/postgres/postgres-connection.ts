/**
 * A connection through `pg`, which decodes every result as UTF-8. Queries therefore return ASCII alone:
 * numbers, and bytes in hex.
 */
import { BusyError, UsageError } from '@utf8/dump';
import { findPackage, missingPackage } from '../find-package.js';
import { type Fields, type NamedRow, type RecordOf, readRecords } from '../record.js';
import { type Cell, flag, text } from './postgres-cell.js';
import { describeError } from './postgres-error.js';

/** A row of a result, in the order of its columns. */
export type Cells = readonly Cell[];

/** The part of a client of `pg` that is used here. */
interface Client {
  readonly database?: string;
  connect(): Promise<unknown>;
  query(query: object | string): Promise<Result | Result[]>;
  on(event: 'error' | 'notice', listener: () => void): void;
  end(): Promise<void>;
}

interface Result {
  readonly command: string | null;
  readonly rows: unknown[];
}

interface Driver {
  readonly Client: new (config: object) => Client;
}

const asIs = {
  getTypeParser:
    () =>
    (value: string): string =>
      value,
};

/**
 * Only the server's own schema, so that no user's operator or function is found by the name of a built-in
 * one. Temporary tables would otherwise come first.
 */
const PATH = 'search_path = pg_catalog, pg_temp';

/** Refuses a view that has replaced a table since the catalogue was read; in PostgreSQL since August 2024. */
const KINDS = 'restrict_nonsystem_relation_kind';
const REFUSED = 'view, foreign-table';

/** Settings that affect the results. Row-level security must be an error instead of hiding rows. */
const SETTINGS: Readonly<Record<string, string>> = {
  bytea_output: 'hex',
  standard_conforming_strings: 'on',
  datestyle: 'ISO',
  extra_float_digits: '1',
  xmloption: 'content',
  row_security: 'off',
  [KINDS]: REFUSED,
  intervalstyle: 'postgres',
  array_nulls: 'on',
  transform_null_equals: 'off',
  // A pause between batches must not end the connection, nor a long check the statement.
  statement_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  idle_session_timeout: '0',
  transaction_timeout: '0',
};

/** `utf8` in ASCII: the advisory lock of a run that writes. */
const LOCK = 0x75746638;

/** Number of attempts to lock, 100 ms apart: a server notices late that a client was killed. */
const ATTEMPTS = 50;

/** A connection to one database. */
export class Connection {
  readonly #client: Client;
  #isLocked = false;
  #schema = '0';
  #hasKinds = false;

  private constructor(client: Client) {
    this.#client = client;
  }

  /** Connects, and sets the parameters that results depend on. */
  static async open(target: URL | string, lockTimeout: number | undefined): Promise<Connection> {
    const { Client } = loadDriver();
    const connectionString = String(target);
    let client: Client;
    try {
      client = new Client({ connectionString, fallback_application_name: 'utf8 repair' });
    } catch {
      // The error would contain the URL, and the password in it.
      throw new UsageError('the URL of the database is malformed');
    }
    // Without a listener, a connection that breaks while nothing is asked ends the process.
    client.on('error', () => {});
    const connection = new Connection(client);
    try {
      await client.connect();
    } catch (error) {
      throw describeError(connection.name, error, false);
    }
    const settings = Object.entries({
      ...SETTINGS,
      ...(lockTimeout !== undefined && { lock_timeout: `${lockTimeout}ms` }),
    });
    // Until the path is pinned, operators and types are named with their schema.
    const [schema] = await connection.records(
      `SELECT n.oid FROM pg_catalog.pg_namespace n
       WHERE n.nspname OPERATOR(pg_catalog.=) pg_catalog.current_schema()`,
      { oid: text },
    );
    connection.#schema = schema?.oid ?? '0';
    await connection.#pin();
    const values = settings.map(([name, value]) => `('${name}', '${value}')`).join(', ');
    // Texts are sent as they are only if the client's encoding is the database's.
    const set = await connection.records(
      `SELECT s.name, pg_catalog.set_config(s.name, v.value, false)
       FROM (VALUES ('client_encoding', pg_catalog.getdatabaseencoding()::text), ${values}) v (name, value)
       JOIN pg_catalog.pg_settings s ON pg_catalog.lower(s.name) = v.name`,
      { name: text },
    );
    connection.#hasKinds = set.some(({ name }) => name === KINDS);
    return connection;
  }

  async #pin(): Promise<void> {
    try {
      await this.run(`SET ${PATH}`);
    } catch (error) {
      throw describeError(this.name, error, false);
    }
  }

  /** The statement that refuses views in a session of others, and the one that allows them; none in old servers. */
  get viewsRefused(): { readonly on: string; readonly off: string } | undefined {
    if (!this.#hasKinds) return undefined;
    return { on: `SET ${KINDS} = '${REFUSED}';`, off: `SET ${KINDS} TO DEFAULT;` };
  }

  /** The statements that make a transaction independent of settings and names of the database. */
  get pin(): string {
    return `SET LOCAL ${PATH}${this.#hasKinds ? `; SET LOCAL ${KINDS} = '${REFUSED}'` : ''}`;
  }

  /** The statements that give functions of the database, if they may run, the search path they expect. */
  get unpin(): string {
    const kinds = this.#hasKinds ? `; SET LOCAL ${KINDS} TO DEFAULT` : '';
    return `SET LOCAL search_path TO DEFAULT${kinds}`;
  }

  /** The oid of the schema in which the role creates tables; 0 if there is none. */
  get schema(): string {
    return this.#schema;
  }

  /** The name of the database, for messages. */
  get name(): string {
    return this.#client.database || 'PostgreSQL';
  }

  /** Runs a query, and throws what `pg` throws. */
  async ask(text: string, values: readonly unknown[] = [], name?: string): Promise<Cells[]> {
    const query = { text, values, name, rowMode: 'array', types: asIs };
    return ((await this.#client.query(query)) as Result).rows as Cells[];
  }

  /** Runs a query, and throws a sentence if it fails. */
  async query(text: string, values: readonly unknown[] = []): Promise<Cells[]> {
    try {
      return await this.ask(text, values);
    } catch (error) {
      throw describeError(this.name, error, false);
    }
  }

  /** Runs a query of the catalogue, and reads its rows by the names of their columns. */
  async records<Own extends Fields<Cell>>(
    query: string,
    fields: Own,
  ): Promise<RecordOf<Cell, Own>[]> {
    let result: Result;
    try {
      result = (await this.#client.query({ text: query, types: asIs })) as Result;
    } catch (error) {
      throw describeError(this.name, error, false);
    }
    return readRecords(result.rows as NamedRow<Cell>[], fields);
  }

  /** Runs statements without parameters; returns the command that the server says it has run last. */
  async run(statements: string): Promise<string> {
    const results = [await this.#client.query(statements)].flat();
    return results.at(-1)?.command ?? '';
  }

  /** Makes sure that no other run writes to this database, until the connection ends. */
  async lock(): Promise<void> {
    for (let attempt = 0; !this.#isLocked; attempt++) {
      const [lock] = await this.records(
        `SELECT pg_catalog.pg_try_advisory_lock(${LOCK}) AS "isOurs"`,
        { isOurs: flag },
      );
      this.#isLocked = lock?.isOurs ?? false;
      if (this.#isLocked) return;
      if (attempt === ATTEMPTS) {
        throw new BusyError(
          `${this.name}: another run is repairing this database; try again when it has ended`,
        );
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async close(): Promise<void> {
    await this.#client.end().catch(() => {});
  }
}

function loadDriver(): Driver {
  const require = findPackage('pg');
  if (!require) throw missingPackage('pg');
  return require('pg');
}
