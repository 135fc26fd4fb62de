/** The table of a run. */
import { describe, expect, it } from 'vitest';
import type { Transaction } from '../../../../../packages/database/src/server/server.js';
import type { Table } from '../../../../../packages/database/src/server/table.js';
import { bytes, failure, make, PAIR, text, use } from './session.js';
import { shell } from './walk.js';

export function defineProgressTable(): void {
  describe(`progress`, () => {
    const progress = {
      identity: 'x',
      table: 't',
      after: [1, { hex: 'ff', is: 'text' as const }],
      journal: 12,
      counts: { changed: 3 },
    };
    it('is committed with the rows, or not at all', async () => {
      const file = make(`CREATE TABLE t (a TEXT); INSERT INTO t VALUES (${text(PAIR)});`);
      await use(file, async (server, tables) => {
        const t = tables.get('t') as Table;
        const change = (transaction: Transaction) =>
          transaction.change(
            t,
            [1],
            [{ column: t.columns[0]!, old: bytes(PAIR), new: Buffer.from('😀') }],
          );
        expect(await server.readProgress()).toBeUndefined();
        const stop = server.transact(async (transaction) => {
          expect((await change(transaction)).is).toBe('changed');
          await transaction.saveProgress(progress);
          throw new RangeError('stop');
        });
        await expect(stop).rejects.toThrow(new RangeError('stop'));
        expect(await server.readProgress()).toBeUndefined();
        await server.transact(async (transaction) => {
          expect((await change(transaction)).is).toBe('changed');
          await transaction.saveProgress({ ...progress, journal: 1 });
          await transaction.saveProgress(progress);
        });
      });
      await use(file, async (server, tables) => {
        expect([...tables.keys()]).toEqual(['t']);
        expect(await server.readProgress()).toEqual(progress);
        await server.clearProgress();
        await server.clearProgress();
        expect(await server.readProgress()).toBeUndefined();
      });
      expect(shell(file, 'SELECT name FROM sqlite_schema; SELECT hex(a) FROM t;')).toBe(
        't\nF09F9880\n',
      );
    });

    it('does not take a table of that name for its own', async () => {
      const file = make('CREATE TABLE utf8_repair (a TEXT);');
      await use(file, async (server) => {
        const sentence =
          'UsageError: the database has a table utf8_repair that another program created; rename it first';
        expect(await failure(server.readProgress())).toBe(sentence);
        expect(await failure(server.clearProgress())).toBe(sentence);
      });
      expect(shell(file, 'SELECT count(*) FROM utf8_repair;')).toBe('0\n');
    });
  });
}
