/**
 * DuckDB, Polars and Arrow, as `apps/site/pages/engines.md` has them, and the script there for Parquet.
 *
 * @module-tag night
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { findDifference } from '@utf8/systems/databases/difference';
import type { Outcome } from '@utf8/systems/databases/program';
import { describe, expect, it } from 'vitest';
import { describeEngine, findScript, Place, plantAll, toLines } from '../src/columnar.js';
import { demandPeer, demandPython, runScript } from '../src/python.js';

describeEngine({
  name: 'DuckDB',
  modules: ['duckdb'],
  script: 'import duckdb',
  readJson: `
import duckdb
duckdb.sql("COPY (FROM read_json('orders.utf8.jsonl')) TO 'orders.parquet'")`,
});

it('DuckDB loses malformed bytes, and itself, where the page says so', () => {
  const program = `
import duckdb, pyarrow, tempfile
with tempfile.NamedTemporaryFile("wb", suffix=".csv") as file:
    # Beyond the rows that are sampled.
    file.write(b"id,name\\n" + b"1,first\\n" * 99_999 + b"2,a\\xff\\xed\\xa0\\xbd\\n")
    file.flush()
    print(duckdb.sql(f"SELECT count(*), sum(id) FROM read_csv('{file.name}')").fetchall())
    print(duckdb.sql(f"SELECT count(name) FROM read_csv('{file.name}', store_rejects = true)").fetchall())
    print(duckdb.sql("SELECT line, csv_line FROM reject_errors").fetchall())
names = pyarrow.array([b"\\xed\\xa0\\xbd\\xed\\xb8\\x80"], pyarrow.binary()).view(pyarrow.string())
table = pyarrow.table({"name": names})
for query in ["SELECT upper(name) FROM table", "SELECT 1"]:
    try:
        print(duckdb.sql(query.replace("table", "\\"table\\"")).fetchall())
    except duckdb.Error as error:
        print(type(error).__name__)`;
  expect(demandPython(program).toString().split('\n')).toEqual([
    '[(100000, 100001)]',
    '[(99999,)]',
    "[(100001, '2,a????')]",
    'InternalException',
    'FatalException',
    '',
  ]);
});

describeEngine({
  name: 'Polars',
  modules: ['polars'],
  script: 'import polars',
  readJson: `
import polars
polars.read_ndjson("orders.utf8.jsonl").write_parquet("orders.parquet")`,
});

it('Polars counts malformed records where nothing reads them', () => {
  const program = `
import polars, tempfile
with tempfile.NamedTemporaryFile("wb", suffix=".csv") as file:
    file.write(b"id,name\\n1,first\\n2,a\\xff\\n")
    file.flush()
    print(polars.scan_csv(file.name).select(polars.len()).collect().item())`;
  expect(demandPython(program).toString()).toBe('2\n');
});

describeEngine({
  name: 'Arrow',
  modules: ['pyarrow'],
  script: '"orders.utf8.csv", parse_options',
  readJson: `
import pyarrow
from pyarrow import json, parquet
options = json.ReadOptions(block_size=1 << 26)
parquet.write_table(json.read_json("orders.utf8.jsonl", read_options=options), "orders.parquet")`,
});

describe('Parquet', () => {
  const place = new Place();
  const planted = plantAll();
  const script = findScript('with parquet.ParquetWriter');

  const convert = (...words: readonly string[]): Outcome =>
    runScript(script, words, place.folder, place.env);

  const isGood = new Set(planted.expected.map(({ id }) => id));
  const good = planted.rows.filter(({ id }) => isGood.has(id));

  it.each(['string', 'binary'])('repairs columns of type %s, and keeps NULL', (kind) => {
    demandPeer('tables.py', ['write', place.path('good.parquet'), kind], toLines(good));
    const { status, stderr } = convert('good.parquet', 'new.parquet', 'name,note');
    expect([status, stderr]).toEqual([0, '']);
    const rows = demandPeer('tables.py', ['read', place.path('new.parquet')]);
    expect(findDifference(rows, toLines(planted.expected))).toBeUndefined();
  });

  it('writes nothing if a value is refused, and a replacement if one is chosen', () => {
    demandPeer('tables.py', ['write', place.path('bad.parquet'), 'string'], toLines(planted.rows));
    const { status, stderr } = convert('bad.parquet', 'refused.parquet', 'name,note');
    expect(status).toBe(1);
    expect(stderr).toMatch(/^-:\d+: column \d \(record \d+\): offset \d+: /m);
    expect(readdirSync(place.folder)).not.toContain('refused.parquet');
    const policies = ['--errors', 'escape', '--unpaired-surrogates', 'escape', '--nul', 'remove'];
    expect(convert('bad.parquet', 'replaced.parquet', 'name,note', ...policies).status).toBe(0);
    const replaced = demandPeer('tables.py', ['read', place.path('replaced.parquet')]).toString();
    const lines = replaced
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ id }) => id)).toEqual(planted.rows.map(({ id }) => id));
    const kept = lines.filter(({ id }) => isGood.has(id)).map((row) => `${JSON.stringify(row)}\n`);
    expect(findDifference(kept.join(''), toLines(planted.expected))).toBeUndefined();
  });

  it('refuses a column that the file does not have, and copies a file without rows', () => {
    writeFileSync(place.path('none'), '');
    demandPeer('tables.py', ['write', place.path('empty.parquet'), 'string'], '');
    expect(convert('empty.parquet', 'other.parquet', 'nam').status).not.toBe(0);
    expect(readdirSync(place.folder)).not.toContain('other.parquet');
    expect(convert('empty.parquet', 'none.parquet', 'name').status).toBe(0);
    expect(demandPeer('tables.py', ['read', place.path('none.parquet')]).toString()).toBe('');
  });
});
