/** The script of packages/dump/README.md that pipes a dump into PostgreSQL's COPY. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { Postgres } from '../src/postgres.js';

const postgres = await Postgres.start();

// Below this package, so that the script can import its dependencies.
const folder = fileURLToPath(new URL('../node_modules/.cache/stream', import.meta.url));
mkdirSync(folder, { recursive: true });
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await postgres.stop();
});

const readme = readFileSync(
  fileURLToPath(new URL('../../../../packages/dump/README.md', import.meta.url)),
  'utf8',
);
const [, script = ''] = /^```js\n(.*?)^```$/ms.exec(readme) ?? [];

describe('a dump piped into COPY', () => {
  writeFileSync(join(folder, 'load.mjs'), script);
  const load = (dump: Buffer) => {
    writeFileSync(join(folder, 'orders.copy'), dump);
    return spawnSync(process.execPath, ['load.mjs'], {
      cwd: folder,
      env: { ...process.env, ...postgres.env },
      encoding: 'utf8',
    });
  };
  const pair = Buffer.from('eda0bdedb880', 'hex');
  const rows = Buffer.concat(
    Array.from({ length: 50_000 }, (_, i) =>
      Buffer.concat([Buffer.from(`${i}\t`), pair, Buffer.from('\n')]),
    ),
  );

  it('arrives repaired', () => {
    postgres.demand('CREATE TABLE orders (id bigint PRIMARY KEY, name text)');
    const { status, stderr } = load(rows);
    expect([status, stderr]).toEqual([0, '']);
    const count = postgres.demand("SELECT count(*) FROM orders WHERE name = U&'\\+01F600'");
    expect(Number(count)).toBe(50_000);
  });

  it('is rolled back if a record is refused', () => {
    postgres.demand('TRUNCATE orders');
    const { status, stderr } = load(
      Buffer.concat([rows, Buffer.from('50000\t'), pair.subarray(0, 3)]),
    );
    expect(status).toBe(1);
    expect(stderr).toContain('line 50001, column 2: offset');
    expect(Number(postgres.demand('SELECT count(*) FROM orders'))).toBe(0);
  });
});
