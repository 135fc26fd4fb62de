/**
 * The scripts of `apps/site/pages/engines.md` for Spark, as users run them: in a folder, with the files that they ship.
 *
 * @module-tag night
 */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findDifference } from '@utf8/systems/databases/difference';
import { findScripts } from '@utf8/systems/databases/markdown';
import { toCopy } from '@utf8/systems/databases/notation';
import { type Outcome, run } from '@utf8/systems/databases/program';
import { beforeAll, describe, expect, it } from 'vitest';
import { COPY, convertSerially, plantTable, root } from '../src/comparison.js';
import { packBundle } from '../src/launcher.js';
import { demandSpark, engines, LIMIT, pythonEnvironment } from '../src/pyspark.js';
import { demandPeer } from '../src/python.js';

const [submit = '', join_ = '', migrate = '', columns = ''] = findScripts(
  'engines.md',
  'Spark',
  'sh',
);
const [program = ''] = findScripts('engines.md', 'Spark', 'python');

const rows = plantTable().rows;
const dump = Buffer.concat(rows.map(toCopy));

describe('the page', () => {
  const work = mkdtempSync(join(root, 'page-'));

  beforeAll(demandSpark);

  /** Modules are found next to the program or by --py-files, as on a cluster. */
  const sh = (script: string): Outcome => {
    const paths = (pythonEnvironment.PYTHONPATH ?? '').split(delimiter);
    const PYTHONPATH = paths.filter((path) => path !== engines).join(delimiter);
    // Settings that nothing here depends on, and that save time.
    writeFileSync(
      join(work, 'spark-defaults.conf'),
      'spark.ui.enabled false\nspark.log.level OFF\n',
    );
    const env = { ...pythonEnvironment, PYTHONPATH, SPARK_CONF_DIR: work };
    return run('sh', ['-ec', script], '', { cwd: work, env });
  };

  const expectConverted = (output: Buffer, rejects: Buffer): void => {
    const serial = convertSerially(dump, COPY);
    expect(findDifference(output, serial.output)).toBeUndefined();
    expect(findDifference(rejects, serial.rejects)).toBeUndefined();
  };

  it('a dump', { timeout: LIMIT }, () => {
    packBundle(work);
    for (const name of ['utf8_spark.py', 'utf8_columns.py']) {
      copyFileSync(join(engines, name), join(work, name));
    }
    writeFileSync(join(work, 'orders.copy'), dump);
    const { status, stdout, stderr } = sh(`${submit}\n${join_}`);
    expect([status, status === 0 ? '' : stderr]).toEqual([0, '']);
    const [output = Buffer.alloc(0), rejects = Buffer.alloc(0)] = [
      'orders.utf8.copy',
      'orders.rejects.copy',
    ].map((name) => readFileSync(join(work, name)));
    expectConverted(output, rejects);
    const { records } = JSON.parse(stdout.toString()) as { records: Record<string, number> };
    expect(records.in).toBe(rows.length);
  });

  it('a dump and a table, from Python', { timeout: LIMIT }, () => {
    writeFileSync(join(work, 'migrate.py'), program);
    mkdirSync(join(work, 'migrated'));
    demandPeer('users.py', ['write', join(work, 'users.parquet')]);
    const { status, stdout, stderr } = sh(`${migrate}\n${columns}`);
    expect([status, status === 0 ? '' : stderr]).toEqual([0, '']);
    const { rejected } = convertSerially(dump, COPY).stats.records as Record<string, number>;
    expect(stdout.toString()).toBe(`${rejected} records were rejected\n`);
    for (const name of ['migrated/users', 'users.utf8.parquet']) {
      const read = demandPeer('users.py', ['read', join(work, name)]);
      expect(JSON.parse(read.toString())).toEqual([
        [1, 'a😀', 'line\nfeed'],
        [2, '', null],
      ]);
    }
  });
});
