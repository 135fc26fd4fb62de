/** Polars, as `docs/engines.md` has it. */
import { describeEngine } from '../src/columnar.js';

describeEngine({
  name: 'Polars',
  modules: ['polars'],
  script: 'import polars',
  readJson: `
import polars
polars.read_ndjson("orders.utf8.jsonl").write_parquet("orders.parquet")`,
});
