/** Rows that a page leaves out. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Table } from '../../../../../packages/database/src/server/table.js';
import { folder, make, PAIR, text, use } from './session.js';
import { readRows } from './walk.js';

export function defineLeftOut(): void {
  describe(`rows that are left out`, () => {
    it('have nothing but ASCII without U+0000', async () => {
      const file = make(`CREATE TABLE t (a TEXT, b);
      WITH n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < 65535)
      INSERT INTO t SELECT CAST(unhex2 AS TEXT), CASE i % 2 WHEN 1 THEN CAST(unhex2 AS BLOB) ELSE i END FROM (
        SELECT i, substr(blob, 1 + 2 * i, 2) AS unhex2 FROM n,
          (SELECT readfile('${writePairs()}') AS blob));`);
      await use(file, async (server, tables) => {
        const table = tables.get('t') as Table;
        const { rows, count } = await readRows(server, table, 1000);
        expect(count).toBe(65_536);
        const suspicious = (byte: number): boolean => byte === 0 || byte >= 0x80;
        const seen = new Set(rows.map(({ values }) => Buffer.from(values[0]!).readUInt16BE()));
        for (let i = 0; i < 65_536; i++)
          if (suspicious(i >> 8) || suspicious(i & 0xff)) expect(seen.has(i)).toBe(true);
        expect(rows.every(({ values }) => values[1] === null)).toBe(true);
      });
    });

    it('are tested with all their texts, which do not flow together', async () => {
      const file = make(
        `CREATE TABLE t (a TEXT, b TEXT); INSERT INTO t VALUES (${text('61E282')}, ${text('AC')}), ('a', 'b'), (NULL, 3);`,
      );
      const isUtf8 = (value: Uint8Array): boolean => {
        try {
          new TextDecoder('utf-8', { fatal: true }).decode(value);
          return true;
        } catch {
          return false;
        }
      };
      await use(file, async (server, tables) => {
        const { rows } = await readRows(server, tables.get('t') as Table, 10, isUtf8);
        expect(rows.map(({ key }) => key)).toEqual([[1]]);
      });
    });

    it('are not those with an escape in JSON', async () => {
      const file = make(
        `CREATE TABLE t (a JSON, b TEXT CHECK (json_valid(b)));
       INSERT INTO t VALUES ('"\\ud83d"', '1'), ('"a"', '"\\u0000"'), ('1', '2');`,
      );
      await use(file, async (server, tables) => {
        const table = tables.get('t') as Table;
        expect(table.columns.map(({ structure }) => structure?.is)).toEqual(['json', 'json']);
        const { rows } = await readRows(server, table, 10);
        expect(rows.map(({ key }) => key)).toEqual([[1], [2]]);
      });
    });

    it('do not hide that a page of large rows is cut', async () => {
      const file = make(
        `CREATE TABLE t (a TEXT); WITH n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 12)
       INSERT INTO t SELECT CAST(X'${PAIR}' || zeroblob(1500000) AS TEXT) FROM n;`,
      );
      await use(file, async (server, tables) => {
        const table = tables.get('t') as Table;
        for (let time = 0; time < 2; time++) {
          const { rows, isLast } = await server.readPage(table, table.columns, undefined, 1000);
          expect([rows.length, isLast]).toEqual([3, false]);
        }
        expect((await readRows(server, table, 1000)).rows.length).toBe(12);
      });
    });
  });
}

/** A file of all pairs of bytes. */
function writePairs(): string {
  const file = join(folder, 'pairs');
  const all = Buffer.alloc(2 << 16);
  for (let i = 0; i < 1 << 16; i++) all.writeUInt16BE(i, 2 * i);
  writeFileSync(file, all);
  return file;
}
