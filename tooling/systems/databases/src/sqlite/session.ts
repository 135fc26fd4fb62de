/** Shared code of the SQLite tests: real files, opened by the driver that `UTF8_SQLITE_DRIVER` names. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import type { Server } from '../../../../../packages/database/src/server/server.js';
import { open } from '../../../../../packages/database/src/server/sqlite/sqlite.js';
import {
  type Connection,
  type Driver,
  loadBetterSqlite3,
  loadNodeSqlite,
} from '../../../../../packages/database/src/server/sqlite/sqlite-driver.js';
import type { Table } from '../../../../../packages/database/src/server/table.js';
import { repairAll, shell } from './walk.js';

export const folder: string = mkdtempSync(join(tmpdir(), 'utf8-sqlite-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

export const PAIR = 'EDA0BDEDB880';

/** A text by its bytes in hex, as SQL. */
export const text = (hex: string): string => `CAST(X'${hex}' AS TEXT)`;

export const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');

let files = 0;

/** A new file, written by SQLite's shell. */
export function make(sql: string): string {
  const file = join(folder, `${files++}.db`);
  shell(file, sql);
  return file;
}

export function load(): Driver {
  if (process.env.UTF8_SQLITE_DRIVER !== 'node:sqlite') return loadBetterSqlite3();
  const driver = loadNodeSqlite();
  if (!driver) throw new Error('this runtime has no node:sqlite');
  return driver;
}

/** Opens a file, does something with it, and closes it. */
export async function use<Result>(
  file: string,
  work: (server: Server, tables: Map<string, Table>) => Promise<Result>,
  options: { lockTimeout?: number; configure?: (connection: Connection) => void } = {},
): Promise<Result> {
  const driver = load();
  const server = await open(file, { lockTimeout: options.lockTimeout ?? 100 }, (path) => {
    const connection = driver(path);
    options.configure?.(connection);
    return connection;
  });
  try {
    const tables = await server.listTables();
    return await work(server, new Map(tables.map((table) => [table.name, table])));
  } finally {
    await server.close();
  }
}

/** Returns the results of a table's damaged rows, in order: `changed`, or the reason why not. */
export const outcomes = (file: string, allowsEffects = false): Promise<string[]> =>
  use(file, async (server) =>
    (await repairAll(server, { allowsEffects })).map(({ table, outcome }) =>
      outcome.is === 'refused'
        ? `${table.name}: ${outcome.reason}: ${outcome.message}`
        : `${table.name}: ${outcome.is}`,
    ),
  );

/** The sentence of an error. */
export const failure = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Error);
  return `${(error as Error).name}: ${(error as Error).message.replaceAll(folder, '')}`;
};
