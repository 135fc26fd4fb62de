/** PySpark, with the pyarrow and pandas that it needs. */
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { demandProgram } from '@utf8/systems/databases/program';
import { demandModules, packages, withPackages } from './python.js';

/** Folder that users ship to their clusters. */
export const engines: string = fileURLToPath(
  new URL('../../../../packages/spark', import.meta.url),
);

/** The environment in which Python finds the packages, and shells find `spark-submit`. */
export const pythonEnvironment: NodeJS.ProcessEnv = {
  ...withPackages(process.env, engines),
  PATH: [join(packages, 'bin'), process.env.PATH].join(delimiter),
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

/** Milliseconds that jobs may take; a busy machine needs minutes. */
export const LIMIT = 1_000_000;

/** That a part of Spark is missing fails the test. */
export function demandSpark(): void {
  demandProgram('java');
  demandModules('pyspark', 'pyarrow', 'pandas');
}
