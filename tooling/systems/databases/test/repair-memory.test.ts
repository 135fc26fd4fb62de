/** Repairs of files that are larger than the memory that they are allowed. */
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { start, startSqlite } from '../src/repair/bench.js';

const MIB = 1 << 20;

const bench = await startSqlite();
afterAll(() => bench.stop());

describe('SQLite', () => {
  it('is looked at, repaired and undone in constant memory', async () => {
    const rows = 200_000;
    const database = bench.create(
      `CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT UNIQUE, note TEXT);
       WITH n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})
       INSERT INTO t SELECT i, CAST('name ' || i || ' ' || CAST(X'C3BC' AS TEXT) || CASE i % 50 WHEN 0 THEN CAST(X'EDA0BDEDB880' AS TEXT) ELSE '' END AS TEXT),
         hex(zeroblob(300 + i % 100)) FROM n;`,
    );
    const size = Number(
      bench.ask(database, 'SELECT page_count * page_size FROM pragma_page_count, pragma_page_size'),
    );
    expect(size).toBeGreaterThan(150 * MIB);
    const undoLog = join(bench.folder, 'undo-log');
    const repaired = await start(bench, database, 'repair', { undo: undoLog });
    expect(repaired.report?.repaired?.rows).toBe(rows / 50);
    expect(repaired.report?.left?.candidates).toBe(0);
    expect(repaired.memory).toBeLessThan(150 * MIB);
    const undone = await start(bench, database, 'undo', { undo: undoLog });
    expect(undone.report?.restored).toBe(rows / 50);
    expect(undone.memory).toBeLessThan(150 * MIB);
  });
});
