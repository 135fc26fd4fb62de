/** The table of progress. */
import { UsageError } from '@utf8/dump';
import type { Progress } from '../server.js';
import type { Connection } from './postgres-connection.js';
import { describeError } from './postgres-error.js';

const NAME = 'utf8_repair';

/** What tells our table from another one of its name. */
const COMMENT = 'The progress of utf8 repair; safe to drop when no run is to be resumed.';

/** Reads and writes progress: one row of JSON in ASCII. */
export class Progresses {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Returns the oid of the table in the schema that we create tables in; 0 if there is none.
   *
   * @throws UsageError if a table of this name is not ours.
   */
  async find(): Promise<number> {
    const [row] = await this.#connection.query(
      `SELECT c.oid, pg_catalog.obj_description(c.oid, 'pg_class') = '${COMMENT}'
       FROM pg_catalog.pg_class c
       WHERE c.relname = '${NAME}' AND c.relnamespace::regnamespace::text = pg_catalog.quote_ident(pg_catalog.current_schema())`,
    );
    if (row && row[1] !== 't') {
      throw new UsageError(
        `${this.#connection.name}: the database has a table ${NAME} that another program created; rename it first`,
      );
    }
    return Number(row?.[0] ?? 0);
  }

  async read(): Promise<Progress | undefined> {
    if ((await this.find()) === 0) return undefined;
    const [row] = await this.#connection.query(`SELECT progress FROM ${NAME}`);
    return row?.[0] ? (JSON.parse(row[0]) as Progress) : undefined;
  }

  /** Saves progress in the transaction that is open. */
  async save(progress: Progress): Promise<void> {
    const spell = (unit: string): string =>
      `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
    const text = JSON.stringify(progress).replace(/[^ -~]/g, spell);
    try {
      if ((await this.find()) === 0) {
        await this.#connection.run(
          `CREATE TABLE ${NAME} (is_only boolean PRIMARY KEY CHECK (is_only), progress text NOT NULL);
           COMMENT ON TABLE ${NAME} IS '${COMMENT}'`,
        );
      }
      await this.#connection.ask(
        `INSERT INTO ${NAME} VALUES (true, $1) ON CONFLICT (is_only) DO UPDATE SET progress = excluded.progress`,
        [text],
      );
    } catch (error) {
      throw describeError(this.#connection.name, error, true);
    }
  }

  async clear(): Promise<void> {
    if ((await this.find()) === 0) return;
    try {
      await this.#connection.run(`DROP TABLE ${NAME}`);
    } catch (error) {
      throw describeError(this.#connection.name, error, true);
    }
  }
}
