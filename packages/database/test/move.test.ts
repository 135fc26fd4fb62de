/** Most rows that may move with one parent, and the new values of keys. */
import { expect, it } from 'vitest';
import { findCurrent, MoveError, Mover, replaceInKey } from '../src/repair/move.js';
import type { Table } from '../src/server/table.js';
import { reference, row, text } from './toy-run.js';
import { ToyServer } from './toy-server.js';

it.each([
  [2, true],
  [3, false],
])('of three rows that refer to a value, %i may move', async (most, fails) => {
  const server = new ToyServer([
    { name: 'parents', columns: [{ name: 'code' }], rows: [row(1, { code: 'a' })] },
    {
      name: 'children',
      columns: [{ name: 'of' }],
      references: [reference('r', 'children', 'of', 'parents', 'code')],
      rows: [1, 2, 3].map((id) => row(id, { of: 'a' })),
    },
  ]);
  const tables = new Map((await server.listTables()).map((table) => [table.name, table]));
  const parents = tables.get('parents') as Table;
  const [column] = parents.columns;
  if (!column) throw new Error('no column');
  const changed: unknown[] = [];
  const moved = server.transact(async (transaction) => {
    await transaction.deferReferences();
    const onChange = ({ table, key }: { table: Table; key: unknown }) =>
      changed.push([table.name, key]);
    const mover = new Mover({ server, transaction, tables, moved: new Map(), most, onChange });
    return mover.change(parents, [1], [{ column, old: text('a'), new: text('b') }]);
  });
  if (fails) {
    await expect(moved).rejects.toThrow(MoveError);
    await expect(moved).rejects.toThrow('more than 2 rows refer to it');
    return;
  }
  expect(await moved).toEqual({ is: 'changed', key: [1] });
  expect(changed).toEqual([
    ['parents', [1]],
    ['children', [1]],
    ['children', [2]],
    ['children', [3]],
  ]);
});

it('a key changes with its columns, and is found by all that it was', async () => {
  const columns = [{ name: 'code' }, { name: 'note' }];
  const server = new ToyServer([{ name: 't', key: ['id', 'code'], columns, rows: [] }]);
  const [table] = (await server.listTables()) as [Table];
  const change = (name: string) => {
    const column = table.columns.find((each) => each.name === name);
    if (!column) throw new Error('no column');
    return { column, old: text('a'), new: text('b') };
  };
  const key = [1, { hex: '61', is: 'blob' }] as const;
  expect(replaceInKey(table, key, change('code'))).toEqual([1, { hex: '62', is: 'blob' }]);
  expect(replaceInKey(table, [1, 'a'], change('code'))).toEqual([1, { hex: '62', is: 'text' }]);
  expect(replaceInKey(table, key, change('note'))).toEqual(key);
  const moved = new Map([1, 2, 3, 4].map((id) => [JSON.stringify(['t', [id]]), [id + 1]]));
  expect(findCurrent(moved, table, [4])).toEqual([5]);
  expect(findCurrent(moved, table, [2])).toEqual([5]);
  expect(findCurrent(moved, table, [9])).toEqual([9]);
});
