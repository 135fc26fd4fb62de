/** PHP's serialized values in real servers: a repair makes of them what PHP writes, and an undo restores them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readAll, startBenches, succeed } from '../src/repair/bench.js';

const benches = await startBenches(3);

const recorded = readFileSync(
  new URL('../../../../packages/repair/test/recorded/php.txt', import.meta.url),
  'utf8',
);

/** The values before and after, in hex: those that each server can hold. */
const values = recorded
  .split('\n')
  .filter((line) => line.startsWith('> '))
  .map((line) => line.slice(2).split(' '))
  .map((pair) => pair.map((value) => Buffer.from(value, 'base64').toString('hex').toUpperCase()))
  .filter(([before = '']) => !/^(?:..)*?00/.test(before));

describe.each(benches)('$name', ({ bench }) => {
  it('repairs the lengths in serialized values', async () => {
    const type = bench.name === 'MariaDB' || bench.name === 'MySQL' ? 'longtext' : 'text';
    const rows = values.map(([before = ''], i) => `(${i}, ${bench.text(before)})`);
    const database = bench.create(
      `CREATE TABLE options (id int PRIMARY KEY, value ${type}); INSERT INTO options VALUES ${rows};`,
    );
    const before = readAll(bench, database);
    const undoLog = join(bench.folder, `${database}.undo log`);
    const report = await succeed(bench, database, 'repair', { undo: undoLog });
    expect(report).toMatchObject({
      repaired: { values: values.length },
      left: { candidates: 0 },
      problems: [],
    });
    const cells = readAll(bench, database).options?.map((row) => row.split('|')[1]);
    expect(cells?.sort()).toEqual(values.map(([, after]) => `t${after}`).sort());
    const undone = await succeed(bench, database, 'undo', { undo: undoLog });
    expect(undone).toMatchObject({ restored: values.length, kept: 0, refused: 0 });
    expect(readAll(bench, database)).toEqual(before);
  });
});
