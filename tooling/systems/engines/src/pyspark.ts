/** PySpark, pyarrow and pandas, which `.ci/run` installs into this clone, or as they are installed. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findMissing, run } from '@utf8/systems/databases/program';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** What users ship to their clusters. */
export const engines: string = join(root, 'packages/cli/engines');

/** Programs of ours that run Spark. */
export const peers: string = fileURLToPath(new URL('../peers', import.meta.url));

const installed = join(root, 'node_modules/.cache/python');

/** The environment in which Python finds the packages, and shells find `spark-submit`. */
export const pythonEnvironment: NodeJS.ProcessEnv = {
  ...process.env,
  PYTHONPATH: [installed, engines, process.env.PYTHONPATH].filter(Boolean).join(delimiter),
  PATH: [join(installed, 'bin'), process.env.PATH].join(delimiter),
  PYSPARK_PYTHON: 'python3',
  // The folder of the published files stays clean.
  PYTHONDONTWRITEBYTECODE: '1',
  // Else Spark asks the network for the name of this host.
  SPARK_LOCAL_IP: '127.0.0.1',
  // Jobs here are short: code that is compiled once takes a third of the time.
  JAVA_TOOL_OPTIONS: '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC',
  // Java spells names of files in the encoding of the locale.
  LC_ALL: 'C.UTF-8',
};

/** What is to be said where Spark is missing: that its tests are skipped; undefined where it is here. */
export function findMissingSpark(): string | undefined {
  const missing = findMissing('python3', 'java');
  if (missing) return missing;
  const modules = ['pyspark', 'pyarrow', 'pandas'].filter(
    (name) =>
      !existsSync(join(installed, name)) &&
      run('python3', ['-c', `import ${name}`], '', { env: pythonEnvironment }).status !== 0,
  );
  return modules.length === 0 ? undefined : `not installed: ${modules.join(', ')}`;
}
