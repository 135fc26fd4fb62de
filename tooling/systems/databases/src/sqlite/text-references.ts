/** Foreign keys of text, with every action. */
import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../../../../packages/database/src/server/server.js';
import type { Table } from '../../../../../packages/database/src/server/table.js';
import { bytes, failure, make, outcomes, PAIR, text, use } from './session.js';
import { changesOf, readRows, shell } from './walk.js';

export function defineTextReferences(): void {
  describe(`foreign keys of text`, () => {
    const schema = (action: string): string => `PRAGMA foreign_keys = ON;
    CREATE TABLE p (name TEXT COLLATE NOCASE PRIMARY KEY, id INTEGER UNIQUE); INSERT INTO p VALUES (${text(`41${PAIR}`)}, 7);
    CREATE TABLE c (id INTEGER PRIMARY KEY, p TEXT REFERENCES P ${action}, q INTEGER REFERENCES p(id));
    INSERT INTO c VALUES (1, ${text(`41${PAIR}`)}, 7), (2, ${text(`61${PAIR}`)}, 7), (3, NULL, NULL);`;

    it('are listed on both sides, with their children under the collation of the parent', async () => {
      await use(make(schema('ON UPDATE CASCADE')), async (server, tables) => {
        const expected = {
          name: 'c(p) REFERENCES p(name)',
          child: 'c',
          childColumns: ['p'],
          parent: 'p',
          parentColumns: ['name'],
          cascades: true,
        };
        expect(tables.get('c')?.references[0]).toEqual(expected);
        expect(tables.get('p')?.references[0]).toEqual(expected);
        const c = tables.get('c') as Table;
        expect(await server.findRows(c, ['p'], [bytes(`41${PAIR}`)], 9)).toEqual([[1], [2]]);
        expect(await server.findRows(c, ['p'], [bytes(`41${PAIR}`)], 1)).toEqual([[1]]);
        expect(await server.findRows(c, ['p'], [bytes(`42${PAIR}`)], 9)).toEqual([]);
      });
    });

    it.each([
      ['', 'reference: FOREIGN KEY constraint failed'],
      ['ON UPDATE RESTRICT', 'reference: FOREIGN KEY constraint failed'],
      ['ON UPDATE CASCADE', 'reference: ON UPDATE CASCADE would change rows of c'],
      ['ON UPDATE SET NULL', 'reference: ON UPDATE SET NULL would change rows of c'],
      ['ON UPDATE SET DEFAULT', 'reference: ON UPDATE SET DEFAULT would change rows of c'],
      ['DEFERRABLE INITIALLY IMMEDIATE', 'reference: FOREIGN KEY constraint failed'],
    ])('neither side changes alone: %s', async (action, refusal) => {
      const file = make(schema(action));
      const before = shell(file, 'SELECT id, hex(p) FROM c; SELECT hex(name), id FROM p;');
      expect(await outcomes(file)).toEqual([
        'c: reference: FOREIGN KEY constraint failed',
        'c: reference: FOREIGN KEY constraint failed',
        `p: ${refusal}`,
      ]);
      expect(shell(file, 'SELECT id, hex(p) FROM c; SELECT hex(name), id FROM p;')).toBe(before);
    });

    it.each([
      '',
      'ON UPDATE RESTRICT',
      'ON UPDATE CASCADE',
      'ON UPDATE SET NULL',
      'ON UPDATE SET DEFAULT',
    ])('move together, children first: %s', async (action) => {
      const file = make(schema(action));
      await use(file, async (server, tables) => {
        const [p, c] = [tables.get('p'), tables.get('c')] as [Table, Table];
        await server.transact(async (transaction) => {
          await transaction.deferReferences();
          for (const t of [c, p])
            for (const row of (await readRows(server, t, 10)).rows) {
              const changes = changesOf(t, row);
              if (changes.length > 0)
                expect((await transaction.change(t, row.key, changes)).is).toBe('changed');
            }
        });
      });
      expect(
        shell(file, 'SELECT hex(p) FROM c; SELECT hex(name) FROM p; PRAGMA foreign_key_check;'),
      ).toBe('41F09F9880\n61F09F9880\n\n41F09F9880\n');
    });

    it('do not respell children by a cascade', async () => {
      const file = make(schema('ON UPDATE CASCADE'));
      await use(file, async (server, tables) => {
        const p = tables.get('p') as Table;
        const [row] = (await readRows(server, p, 10)).rows;
        const move = (): Promise<Outcome> =>
          server.transact(async (transaction) => {
            await transaction.deferReferences();
            return transaction.change(p, row!.key, changesOf(p, row!));
          });
        expect(await move()).toEqual({
          is: 'refused',
          reason: 'reference',
          message: 'ON UPDATE CASCADE would change rows of c',
        });
        shell(file, 'DELETE FROM c WHERE id = 2;');
        expect((await move()).is).toBe('changed');
      });
      expect(shell(file, 'SELECT hex(p) FROM c WHERE id = 1;')).toBe('41F09F9880\n');
    });

    it('hold at the end of the transaction, or nothing of it stays', async () => {
      const file = make(schema(''));
      expect(
        await failure(
          use(file, async (server, tables) => {
            const c = tables.get('c') as Table;
            const [row] = (await readRows(server, c, 10)).rows;
            await server.transact(async (transaction) => {
              await transaction.deferReferences();
              expect((await transaction.change(c, row!.key, changesOf(c, row!))).is).toBe(
                'changed',
              );
            });
          }),
        ),
      ).toBe(`InputError: /${file.split('/').at(-1)}: FOREIGN KEY constraint failed`);
      expect(shell(file, `SELECT count(*) FROM c WHERE hex(p) LIKE '%${PAIR}';`)).toBe('2\n');
    });
  });
}
