/** What a report was measured on. */
import { execFileSync } from 'node:child_process';
import { arch, cpus, platform, release, totalmem } from 'node:os';

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
    system: `${platform()} ${release()} ${arch()}`,
    commit: git(['rev-parse', '--short=12', 'HEAD']) ?? 'unknown',
    isChanged: Boolean(changed),
    date: new Date().toISOString(),
  };
}

/** @param {ReturnType<typeof describeMachine>} machine */
export const showMachine = ({ node, v8, cpu, cores, system, date, commit, isChanged }) =>
  `Node ${node.slice(1)} (V8 ${v8}), ${cpu}, ${cores} cores, ${system}, ${date.slice(0, 10)}, commit ${commit}${isChanged ? ' with changes' : ''}`;
