/** JSON in columns of text, found and repaired so that `ALTER … TYPE jsonb` succeeds. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repairDatabase, revertDatabase, scanDatabase } from '@utf8/database';
import { afterAll, expect, it } from 'vitest';
import { MariaDb } from '../src/mariadb.js';
import { Postgres } from '../src/postgres.js';

const [mariadb, postgres] = [await MariaDb.start(), await Postgres.start()];
const folder = mkdtempSync(join(tmpdir(), 'utf8-json-'));
afterAll(async () => {
  await Promise.all([mariadb.stop(), postgres.stop()]);
  rmSync(folder, { recursive: true });
});

const script = String.raw`CREATE TABLE observations (id INT PRIMARY KEY, result TEXT);
  INSERT INTO observations VALUES (1, '{"Status":"607\u0000","n":1}'), (2, '{"half":"\ud83d"}'),
    (3, '{"a":"\ud83d\ude00"}'), (4, 'C:\u0000');`;

const servers = {
  'PostgreSQL in UTF8': () => {
    postgres.demand('CREATE DATABASE j');
    postgres.demand(script, '-d', 'j');
    return {
      url: postgres.url('j'),
      ask: (sql: string) => postgres.run(sql, '-d', 'j'),
      convert: `DELETE FROM observations WHERE id = 4;
        ALTER TABLE observations ALTER result TYPE jsonb USING result::jsonb`,
    };
  },
  'PostgreSQL in SQL_ASCII': () => {
    postgres.demand("CREATE DATABASE k ENCODING 'SQL_ASCII' TEMPLATE template0");
    postgres.demand(script, '-d', 'k');
    return {
      url: postgres.url('k'),
      ask: (sql: string) => postgres.run(sql, '-d', 'k'),
      convert: undefined,
    };
  },
  MariaDB: () => {
    mariadb.demand(`CREATE DATABASE j; USE j; SET sql_mode = 'NO_BACKSLASH_ESCAPES'; ${script}`);
    return {
      url: `mariadb://root@localhost/j?socketPath=${mariadb.socket}`,
      ask: (sql: string) => mariadb.run(sql, 'j'),
      convert: undefined,
    };
  },
};

it.each(Object.entries(servers))('%s', async (name, start) => {
  const { url, ask, convert } = start();
  const read = () => ask('SELECT result FROM observations ORDER BY id').stdout.toString();
  const before = read();
  if (convert)
    expect(ask(`BEGIN; ${convert}`).stderr).toMatch(
      /unsupported Unicode escape|invalid input syntax/,
    );
  const { found } = await scanDatabase({ url });
  expect(found).toMatchObject({ candidates: 0 });
  expect(found?.tables[0]?.suggestions).toMatchObject([{ column: 'result', values: 2 }]);
  const undoLog = join(folder, name);
  const jsonColumns = ['observations.result'];
  const policies = { nul: 'remove', unpairedSurrogates: 'replace' } as const;
  const report = await repairDatabase({ url, jsonColumns, ...policies, undo: undoLog });
  expect(report).toMatchObject({ repaired: { values: 2 }, left: { candidates: 0 } });
  await revertDatabase({ url, undo: undoLog });
  expect(read()).toBe(before);
  await repairDatabase({ url, jsonColumns, ...policies, undo: `${undoLog} again` });
  if (convert) expect(ask(convert).stderr).toBe('');
});
