/**
 * Malformed text in MySQL, which refuses it, and has it all the same where older versions have written the files.
 *
 * @module-tag night
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  repairDatabase,
  revertDatabase,
  scanDatabase,
} from '../../../../packages/database/dist/index.js';
import { MySql } from '../src/mysql.js';

let mysql: MySql;
beforeAll(async () => {
  mysql = await MySql.start();
});
const folder = mkdtempSync(join(tmpdir(), 'utf8-mysql-'));
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await mysql.stop();
});

const PAIR = 'EDA0BDEDB880';
const SMILE = 'F09F9880';
const policies = { unpairedSurrogates: 'replace', nul: 'remove' } as const;

describe('MySQL', () => {
  const url = (): string => `mysql://root@localhost/shop?socketPath=${mysql.socket}`;
  let count = 0;
  let undoLog = '';

  /** Creates a table whose text has these bytes. */
  const plant = (charset: string, ...values: readonly string[]): void => {
    const width = { utf8mb3: 30, utf8mb4: 22 }[charset] ?? 0;
    const bytes = { utf8mb3: 90, utf8mb4: 88 }[charset];
    const rows = values.map((hex, i) => `(${i + 1}, X'${hex}')`);
    mysql.demand(
      `DROP DATABASE IF EXISTS shop; CREATE DATABASE shop; USE shop;
       CREATE TABLE raw (id INT PRIMARY KEY, v VARBINARY(${bytes})); INSERT INTO raw VALUES ${rows};
       CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(${width}) CHARACTER SET ${charset});`,
    );
    mysql.import('shop', 'raw', 't');
    mysql.demand('DROP TABLE raw', 'shop');
  };
  const read = (): string[] =>
    mysql.demand('SELECT HEX(v) FROM t ORDER BY id', 'shop').toString().trimEnd().split('\n');

  beforeEach(() => {
    undoLog = join(folder, `${++count}.jsonl`);
  });

  it('refuses malformed text, and keeps what it has', () => {
    plant('utf8mb4', `61${PAIR}62`, 'EDA0BD', 'C080', '78');
    expect(read()).toEqual([`61${PAIR}62`, 'EDA0BD', 'C080', '78']);
    expect(mysql.run(`INSERT INTO t VALUES (9, X'${PAIR}')`, 'shop').status).not.toBe(0);
  });

  it('is repaired in utf8mb4, and says that an undo cannot put malformed text back', async () => {
    plant('utf8mb4', `61${PAIR}62`, 'EDA0BD', 'C080', '78', '6100');
    const { found, repaired, left } = await repairDatabase({
      url: url(),
      undo: undoLog,
      ...policies,
    });
    expect(found?.notes).toEqual([
      't: the server refuses malformed text, so an undo cannot put it back into v; keep a copy of the files',
    ]);
    expect([repaired?.values, left?.candidates]).toEqual([4, 0]);
    expect(read()).toEqual([`61${SMILE}62`, 'EFBFBD', '', '78', '61']);
    const undone = await revertDatabase({ url: url(), undo: undoLog });
    expect(undone).toMatchObject({ restored: 1, refused: 3, problems: [] });
    expect(read()).toEqual([`61${SMILE}62`, 'EFBFBD', '', '78', '6100']);
  });

  it('is repaired in utf8mb3 where the result fits, and is not altered where text is malformed', async () => {
    plant('utf8mb3', `61${PAIR}62`, 'EDA0BD', '78');
    const { repaired, left } = await repairDatabase({ url: url(), undo: undoLog, ...policies });
    expect([repaired?.values, repaired?.skipped, left?.candidates]).toEqual([
      1,
      { 'narrow-column': 1 },
      1,
    ]);
    expect(read()).toEqual([`61${PAIR}62`, 'EFBFBD', '78']);
    const altered = repairDatabase({
      url: url(),
      undo: `${undoLog}.2`,
      allow: ['narrow-column'],
    });
    await expect(altered).rejects.toMatchObject({
      code: 'ERR_UTF8_OUTPUT',
      message: expect.stringMatching(
        /the server refuses ALTER TABLE `t` .*, since it does not convert malformed text; convert a dump of the table instead$/,
      ),
    });
    expect(read()).toEqual([`61${PAIR}62`, 'EFBFBD', '78']);
    // Nothing is left to resume.
    expect((await scanDatabase({ url: url() })).found?.candidates).toBe(1);
  });
});
