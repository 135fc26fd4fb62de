/** Description of the machine of a report. */
import { execFileSync } from 'node:child_process';
import { arch, cpus, loadavg, platform, release, totalmem } from 'node:os';

/** @param {readonly string[]} args */
function git(args) {
  try {
    return execFileSync('git', args, {
      cwd: import.meta.dirname,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return undefined; // a copy without its history
  }
}

export function describeMachine() {
  const changed = git(['status', '--porcelain', '--untracked-files=no']);
  return {
    node: process.version,
    v8: process.versions.v8,
    flags: process.execArgv,
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memory: totalmem(),
    /** Programs that wanted a core in the minute before. */
    load: loadavg()[0] ?? 0,
    system: `${platform()} ${release()} ${arch()}`,
    commit: git(['rev-parse', '--short=12', 'HEAD']) ?? 'unknown',
    isChanged: Boolean(changed),
    date: new Date().toISOString(),
  };
}

/** @param {Pick<import('./report.mjs').Report, 'machine' | 'runtimes'>} report */
export const showMachine = ({ machine, runtimes }) => {
  const { node, v8, cpu, cores, system, date, commit, isChanged } = machine;
  const isPlain = runtimes.length === 1 && runtimes[0]?.about === `Node ${node.slice(1)}`;
  const where = isPlain
    ? `Node ${node.slice(1)} (V8 ${v8})`
    : runtimes.map(({ about }) => about).join(', ');
  return `${where}, ${cpu}, ${cores} cores, ${system}, ${date.slice(0, 10)}, commit ${commit}${isChanged ? ' with changes' : ''}`;
};
