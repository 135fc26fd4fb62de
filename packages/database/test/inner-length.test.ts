/** Lengths inside values, of which the library of repairs knows all. */
import { describe, expect, it } from 'vitest';
import { repair, row, undo, useFolder } from './toy-run.js';
import { ToyServer } from './toy-server.js';

const path = useFolder();

const create = (): ToyServer =>
  new ToyServer([
    {
      name: 'options',
      columns: [{ name: 'value' }, { name: 'doc', type: 'json', structure: { is: 'json' } }],
      rows: [
        row(1, { value: 'a:1:{i:0;s:11:"Shop ☠";}', doc: '{"a":"s:6:\\"☠\\";"}' }),
        row(2, { value: 'a:2:{i:0;s:6:"☠";', doc: '{}' }),
        row(3, { value: 's:4:"☠";', doc: null }),
      ],
    },
  ]);

const read = (server: ToyServer): (string | null)[] =>
  (server.state.tables.options ?? []).flatMap(({ value, doc }) =>
    [value, doc].map((cell) => (cell instanceof Uint8Array ? Buffer.from(cell).toString() : null)),
  );

describe('lengths in values', () => {
  it('are counted again, and restored by an undo', async () => {
    const server = create();
    const before = read(server);
    const undoLog = path('undo-log');
    const report = await repair(server, { undo: undoLog });
    expect(read(server)).toEqual([
      'a:1:{i:0;s:9:"Shop 😀";}',
      '{"a":"s:4:\\"😀\\";"}',
      ...before.slice(2, 4),
      's:4:"😀";',
      null,
    ]);
    const [{ columns = [], hazards = [] } = {}] = report.found?.tables ?? [];
    expect(columns.map(({ findings }) => findings)).toEqual([
      { pair: 3, 'inner-length': 2 },
      { pair: 1, 'inner-length': 1 },
    ]);
    expect(hazards).toMatchObject([{ hazard: 'refused', name: 'inner-length', rows: 1 }]);
    expect(report).toMatchObject({ repaired: { rows: 2, values: 3 }, left: { candidates: 1 } });
    await undo(server, undoLog);
    expect(read(server)).toEqual(before);
  });

  it('stay under the policy keep', async () => {
    const server = create();
    const innerLengths = 'keep';
    await repair(server, { undo: path('keep'), innerLengths });
    expect(read(server)).toContain('a:1:{i:0;s:11:"Shop 😀";}');
    expect(read(server)).toContain('a:2:{i:0;s:6:"😀";');
  });
});
