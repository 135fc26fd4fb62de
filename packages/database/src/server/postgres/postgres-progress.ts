/** The table of progress. */
import { UsageError } from '@utf8/dump';
import type { Progress } from '../server.js';
import { flag, integer, nameOf, text } from './postgres-cell.js';
import type { Connection } from './postgres-connection.js';
import { describeError } from './postgres-error.js';
import { quote } from './postgres-sql.js';

const NAME = 'utf8_repair';

/** Comment that tells our table from another one of its name. */
const COMMENT = 'The progress of utf8 repair; safe to drop when no run is to be resumed.';

/** Reads and writes progress: one row of JSON in ASCII. */
export class Progresses {
  readonly #connection: Connection;
  #name: string | undefined;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Returns the oid of the table in the schema that we create tables in; 0 if there is none.
   *
   * @throws UsageError if a table of this name is not ours.
   */
  async find(): Promise<number> {
    // A table of another role can have triggers, and a view any functions.
    const [table] = await this.#connection.records(
      `SELECT c.oid,
         pg_catalog.obj_description(c.oid, 'pg_class') = '${COMMENT}' AND c.relkind = 'r' AS "isOurs",
         (r.rolsuper OR r.rolname = current_user) AND NOT c.relhastriggers AND NOT c.relhasrules
           AS "isSafe"
       FROM pg_catalog.pg_class c LEFT JOIN pg_catalog.pg_roles r ON r.oid = c.relowner
       WHERE c.relname = '${NAME}' AND c.relnamespace = ${this.#connection.schema}`,
      { oid: integer, isOurs: flag, isSafe: flag },
    );
    if (table && !table.isOurs) {
      throw new UsageError(
        `${this.#connection.name}: the database has a table ${NAME} that another program created; rename it first`,
      );
    }
    if (table && !table.isSafe) {
      throw new UsageError(
        `${this.#connection.name}: the table ${NAME} belongs to another role, or has triggers or rules; connect as the role that began the run, or drop the table`,
      );
    }
    return table?.oid ?? 0;
  }

  /** The table with its schema, as it is written in SQL. */
  async #nameTable(): Promise<string> {
    if (this.#name === undefined) {
      const { schema } = this.#connection;
      const [found] = await this.#connection.records(
        `SELECT pg_catalog.textsend(n.nspname::text) AS name FROM pg_catalog.pg_namespace n
         WHERE n.oid = ${schema}`,
        { name: nameOf },
      );
      if (found?.name === undefined) {
        throw new UsageError(
          `${this.#connection.name}: there is no schema for the table ${NAME}; set search_path to a schema in which this role may create tables`,
        );
      }
      this.#name = `${quote(found.name)}.${NAME}`;
    }
    return this.#name;
  }

  async read(): Promise<Progress | undefined> {
    if ((await this.find()) === 0) return undefined;
    const [saved] = await this.#connection.records(
      `SELECT progress FROM ONLY ${await this.#nameTable()} LIMIT 1`,
      { progress: text },
    );
    return saved?.progress ? (JSON.parse(saved.progress) as Progress) : undefined;
  }

  /** Saves progress in the transaction that is open. */
  async save(progress: Progress): Promise<void> {
    const spell = (unit: string): string =>
      `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
    const text = JSON.stringify(progress).replace(/[^ -~]/g, spell);
    try {
      const name = await this.#nameTable();
      if ((await this.find()) === 0) {
        await this.#connection.run(
          `CREATE TABLE ${name} (is_only boolean PRIMARY KEY CHECK (is_only), progress pg_catalog.text NOT NULL);
           COMMENT ON TABLE ${name} IS '${COMMENT}'`,
        );
      }
      await this.#connection.ask(
        `INSERT INTO ${name} VALUES (true, $1) ON CONFLICT (is_only) DO UPDATE SET progress = excluded.progress`,
        [text],
      );
    } catch (error) {
      throw describeError(this.#connection.name, error, true);
    }
  }

  async clear(): Promise<void> {
    if ((await this.find()) === 0) return;
    try {
      await this.#connection.run(`DROP TABLE ${await this.#nameTable()}`);
    } catch (error) {
      throw describeError(this.#connection.name, error, true);
    }
  }
}
