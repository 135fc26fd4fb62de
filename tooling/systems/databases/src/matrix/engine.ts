/** Interface of both servers for the matrix. */
import { MariaDb } from '../mariadb.js';
import { Postgres } from '../postgres.js';
import { demand, demandProgram, type Outcome, run } from '../program.js';

export type Engine = 'postgres' | 'mariadb';

/** A server and its programs. */
export interface Server {
  readonly engine: Engine;
  /** Runs a query, and returns the cells of its rows. */
  ask(sql: string, database: string): string[][];
  /** Replaces the database of this name by an empty one. */
  create(database: string, encoding: 'old' | 'new'): void;
  drop(database: string): void;
  /** Runs a script of statements up to the first error. */
  run(
    script: Uint8Array | string,
    database: string | undefined,
    ...args: readonly string[]
  ): Outcome;
  /** Runs a program that writes a dump. */
  dump(program: string, args: readonly string[], input?: Uint8Array): Outcome;
  /** The command line of the client, for programs that ask by themselves. */
  client(database: string): string[];
  stop(): Promise<void>;
}

/** Starts a server. */
export async function startServer(engine: Engine): Promise<Server> {
  return engine === 'postgres'
    ? new PostgresServer(await Postgres.start())
    : new MariaDbServer(await MariaDb.start());
}

const cellsOf = (output: Buffer): string[][] =>
  output
    .toString('latin1')
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split('\t'));

class PostgresServer implements Server {
  readonly engine = 'postgres';
  readonly #server: Postgres;

  constructor(server: Postgres) {
    this.#server = server;
  }

  ask(sql: string, database: string): string[][] {
    return cellsOf(this.#server.demand(sql, '-F', '\t', '-d', database));
  }

  create(database: string, encoding: 'old' | 'new'): void {
    this.drop(database);
    // Only a database in SQL_ASCII accepts bytes that are no UTF-8.
    const name = encoding === 'old' ? 'SQL_ASCII' : 'UTF8';
    this.#server.demand(`CREATE DATABASE "${database}" ENCODING '${name}' TEMPLATE template0`);
  }

  drop(database: string): void {
    this.#server.demand(`DROP DATABASE IF EXISTS "${database}"`);
  }

  run(script: Uint8Array | string, database = 'postgres', ...args: readonly string[]): Outcome {
    return this.#server.run(script, '-o', '/dev/null', '-d', database, ...args);
  }

  dump(program: string, args: readonly string[], input: Uint8Array = new Uint8Array()): Outcome {
    return run(demandProgram(program), args, input, { env: this.#server.env });
  }

  client(database: string): string[] {
    return this.#server.client(database);
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }
}

class MariaDbServer implements Server {
  readonly engine = 'mariadb';
  readonly #server: MariaDb;

  constructor(server: MariaDb) {
    this.#server = server;
  }

  ask(sql: string, database: string): string[][] {
    return cellsOf(this.#server.demand(sql, database));
  }

  create(database: string): void {
    this.drop(database);
    this.#server.demand(`CREATE DATABASE \`${database}\` CHARACTER SET utf8mb4`);
  }

  drop(database: string): void {
    // Its tables refer to each other.
    const setting = 'SET foreign_key_checks = 0;';
    this.#server.demand(`${setting} DROP DATABASE IF EXISTS \`${database}\``);
  }

  run(script: Uint8Array | string, database?: string, ...args: readonly string[]): Outcome {
    return this.#server.run(script, ...args, ...(database === undefined ? [] : [database]));
  }

  dump(_program: string, args: readonly string[]): Outcome {
    return this.#server.runDump(...args);
  }

  client(database: string): string[] {
    return this.#server.client(database);
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }
}

/** Runs the checker, which shares no code with the command. */
export function readCells(server: Server, database: string, checker: string): Buffer {
  const words = ['read', '--server', server.engine, '--database', database, '--'];
  return demand('python3', [checker, ...words, ...server.client(database)]);
}
