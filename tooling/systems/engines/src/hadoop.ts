/** Hadoop Streaming with the classes of Hadoop itself, in one process that runs jobs (LocalJobRunner). */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { demand, demandProgram, type Outcome, run } from '@utf8/systems/databases/program';

const jars = fileURLToPath(new URL('../../../../node_modules/.cache/java/hadoop', import.meta.url));

/** Quick to start rather than quick to run, and with a log of what jobs print for users. */
const options = [
  ...['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Xshare:auto', '-Xmx400m'],
  '-Dorg.slf4j.simpleLogger.log.org.apache.hadoop=error',
  '-Dorg.slf4j.simpleLogger.log.org.apache.hadoop.mapreduce.Job=info',
  '-Dorg.slf4j.simpleLogger.log.org.apache.hadoop.streaming=info',
];

/** What became of a job. */
export interface Job extends Outcome {
  /** By group and name, such as `utf8,records.in`. */
  readonly counters: ReadonlyMap<string, number>;
}

/** A folder with Hadoop's programs, for scripts as users write them. */
export class Hadoop {
  readonly folder: string;
  readonly #env: NodeJS.ProcessEnv;

  /**
   * @param folder - Where jobs run.
   * @param block - How many bytes a split has, about.
   */
  constructor(folder: string, env: NodeJS.ProcessEnv, block: number) {
    demandProgram('java');
    if (!existsSync(jars)) throw new Error('missing: Hadoop');
    this.folder = folder;
    const home = join(folder, '.hadoop');
    const bin = join(home, 'bin');
    mkdirSync(bin, { recursive: true });
    const properties = {
      'hadoop.tmp.dir': join(home, 'tmp'),
      'fs.local.block.size': block,
      'mapreduce.jobtracker.staging.root.dir': join(home, 'staging'),
    };
    const lines = Object.entries(properties).map(
      ([name, value]) => `<property><name>${name}</name><value>${value}</value></property>`,
    );
    writeFileSync(join(home, 'core-site.xml'), `<configuration>${lines.join('')}</configuration>`);
    const path = [home, ...readdirSync(jars).map((name) => join(jars, name))].join(delimiter);
    const java = `exec java ${options.join(' ')} -cp '${path}'`;
    const programs = {
      mapred: `shift\n${java} org.apache.hadoop.streaming.HadoopStreaming "$@"`,
      hadoop: `shift\n${java} org.apache.hadoop.fs.FsShell "$@"`,
    };
    for (const [name, script] of Object.entries(programs)) {
      writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    }
    this.#env = { ...env, PATH: `${bin}${delimiter}${env.PATH}` };
  }

  /** Runs a script that starts one job. */
  run(script: string): Job {
    const outcome = run('sh', ['-c', script], '', { cwd: this.folder, env: this.#env });
    return { ...outcome, counters: readCounters(outcome.stderr) };
  }

  /** Archives a program that starts the built command, in place of the bundle. */
  archive(name: string, program: string): void {
    const home = join(this.folder, '.hadoop');
    demand('tar', ['-czf', join(this.folder, name), '-C', join(program, '..'), 'utf8'], '', {
      cwd: home,
    });
  }
}

/** The counters that a job shows at its end: lines of a group, and below each its counters, further in. */
function readCounters(log: string): Map<string, number> {
  const counters = new Map<string, number>();
  let group = '';
  for (const line of log.split('\n')) {
    const counter = /^\t\t(.+)=(-?\d+)$/.exec(line);
    if (counter) counters.set(`${group},${counter[1]}`, Number(counter[2]));
    else if (/^\t\S/.test(line)) group = line.trim();
  }
  return counters;
}
