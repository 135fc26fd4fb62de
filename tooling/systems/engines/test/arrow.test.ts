/** Arrow, as `apps/site/pages/engines.md` has it, and the script there for Parquet. */
import { readdirSync, writeFileSync } from 'node:fs';
import { findDifference } from '@utf8/systems/databases/difference';
import type { Outcome } from '@utf8/systems/databases/program';
import { describe, expect, it } from 'vitest';
import { describeEngine, findScript, Place, plantAll, toLines } from '../src/columnar.js';
import { demandPeer, findMissingModules, runScript } from '../src/python.js';

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

describe.skipIf(findMissingModules('pyarrow') !== undefined)('Parquet', () => {
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
    expect(stderr).toMatch(/^-:\d+: record \d+, column \d: offset \d+: /m);
    expect(readdirSync(place.folder)).not.toContain('refused.parquet');
    const policies = [
      '--errors',
      'backslashreplace',
      '--unpaired-surrogates',
      'escape',
      '--nul',
      'remove',
    ];
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
