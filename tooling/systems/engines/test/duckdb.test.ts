/** DuckDB, as `apps/site/pages/engines.md` has it. */
import { expect, it } from 'vitest';
import { describeEngine } from '../src/columnar.js';
import { demandPython, findMissingModules } from '../src/python.js';

describeEngine({
  name: 'DuckDB',
  modules: ['duckdb'],
  script: 'import duckdb',
  readJson: `
import duckdb
duckdb.sql("COPY (FROM read_json('orders.utf8.jsonl')) TO 'orders.parquet'")`,
});

it.skipIf(findMissingModules('duckdb', 'pyarrow'))(
  'loses malformed bytes, and itself, where the page says so',
  () => {
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
  },
);
