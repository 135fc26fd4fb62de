/** DuckDB, as `docs/engines.md` has it. */
import { describeEngine } from '../src/columnar.js';

describeEngine({
  name: 'DuckDB',
  modules: ['duckdb'],
  script: 'import duckdb',
  readJson: `
import duckdb
duckdb.sql("COPY (FROM read_json('orders.utf8.jsonl')) TO 'orders.parquet'")`,
});
