/**
 * `utf8_spark.py` on a cluster of processes: executors that die, or are slow, and have the command from an archive.
 *
 * @module-tag night
 */
import { join } from 'node:path';
import { toCopy } from '@utf8/systems/databases/notation';
import { run } from '@utf8/systems/databases/program';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type Comparison,
  compare,
  expectEqual,
  type More,
  plantTable,
  root,
} from '../src/comparison.js';
import { countStarts, type FaultName, packBundle, writeLauncher } from '../src/launcher.js';
import { LIMIT } from '../src/pyspark.js';
import { type Cluster, type Result, runCases } from '../src/spark.js';

const dump = Buffer.concat(plantTable().rows.map(toCopy));

/** Bytes of a split: many enough for two executors. */
const SPLIT = 100_000;

/** Itself, and no script that starts it. */
const python = run('python3', ['-c', 'import sys; print(sys.executable)']).stdout.toString().trim();

const cluster: Cluster = {
  // Processes as `local-cluster[2,1,1024]` has them, but on two addresses, since Spark runs no second attempt
  // of a task on the same host.
  hosts: ['127.0.0.1', '127.0.0.2'],
  settings: {
    // Executors have the command from the archive alone.
    'spark.executorEnv.PATH': '/usr/bin:/bin',
    'spark.pyspark.python': python,
    'spark.archives': `${packBundle(root)}#utf8`,
    'spark.executor.memory': '512m',
    // Another attempt of a task that takes longer than most.
    'spark.speculation': 'true',
    'spark.speculation.interval': '100ms',
    'spark.speculation.multiplier': '1.5',
    'spark.speculation.quantile': '0.5',
    'spark.speculation.minTaskRuntime': '1s',
  },
};

const breaking = (name: string, fault: FaultName): Comparison =>
  compare(name, dump, {
    utf8: writeLauncher(join(root, name), fault, 1, Math.ceil(dump.length / SPLIT)),
    split: SPLIT,
  });

/** With the command from the archive. */
const ship = (name: string, more: More = {}): Comparison => {
  const { utf8: _, ...shipped } = compare(name, dump, { split: SPLIT, ...more });
  return shipped;
};

const onCluster: readonly Comparison[] = [
  ship('the archive'),
  breaking('kill -9 of an executor', 'kill -9 of the executor'),
  breaking('speculation', 'a slow machine'),
  ship('an attempt that comes late', { late: true }),
];

describe('Spark on a cluster', () => {
  let results: ReadonlyMap<string, Result>;
  beforeAll(() => {
    results = runCases(root, cluster, onCluster);
  }, LIMIT);

  it.each(onCluster.map((each) => [each.name, each] as const))(
    '%s: bytes, rejects and counts are those of one run',
    (name, each) => {
      const { splits } = expectEqual(each, results.get(name));
      expect(splits).toBeGreaterThan(2);
      if (each.utf8) expect(countStarts(each.utf8)).toBeGreaterThan(splits);
    },
  );

  it('an executor that dies costs its tasks an attempt', () => {
    expect(results.get('kill -9 of an executor')?.failures).toBeGreaterThan(0);
  });
});
