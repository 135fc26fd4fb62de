/** Polars, as `apps/site/pages/engines.md` has it. */
import { expect, it } from 'vitest';
import { describeEngine } from '../src/columnar.js';
import { demandPython, findMissingModules } from '../src/python.js';

describeEngine({
  name: 'Polars',
  modules: ['polars'],
  script: 'import polars',
  readJson: `
import polars
polars.read_ndjson("orders.utf8.jsonl").write_parquet("orders.parquet")`,
});

it.skipIf(findMissingModules('polars'))('counts malformed records where nothing reads them', () => {
  const program = `
import polars, tempfile
with tempfile.NamedTemporaryFile("wb", suffix=".csv") as file:
    file.write(b"id,name\\n1,first\\n2,a\\xff\\n")
    file.flush()
    print(polars.scan_csv(file.name).select(polars.len()).collect().item())`;
  expect(demandPython(program).toString()).toBe('2\n');
});
