/** Launchers of the command as executors start them: one that works, and ones that fail as machines do. */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { program } from '@utf8/systems/databases/utf8';
import { isNight } from '../../../tiers/tier.js';

/** Path of the bundle that `npm run release:bundle` creates. */
const bundle = fileURLToPath(new URL('../../../../dist/utf8-linux-x64.tgz', import.meta.url));

/** Replaces the shell by the command. It needs neither a PATH nor an environment. */
const COMMAND = `"${process.execPath}" "${program}" "$@"`;

export type FaultName =
  | 'none'
  | 'exit code 3'
  | 'kill -9'
  | 'kill -9 of the executor'
  | 'a slow machine'
  | 'exit code 0 too early';

/** Shell code of each failure. `$$` is the process that Spark's worker has started. */
const faults: Readonly<Record<FaultName, string>> = {
  none: '',
  'exit code 3': `${partly()}; exit 3`,
  'kill -9': `${partly()}; kill -9 $$`,
  'kill -9 of the executor': `${partly()}
    pid=$PPID
    while [ "$pid" -gt 1 ]; do
      while read -r key value; do [ "$key" = PPid: ] && parent=$value; done < "/proc/$pid/status"
      case $(tr '\\0' ' ' < "/proc/$pid/cmdline") in *CoarseGrainedExecutorBackend*) kill -9 "$pid";; esac
      pid=$parent
    done`,
  // Until there is another attempt.
  'a slow machine': 'read -r _ <&3',
  'exit code 0 too early': `${partly()}; exit 0`,
};

/** Converts the beginning of the input, so that an attempt has written something before it fails. */
function partly(): string {
  return `head -c 100000 | ${COMMAND}`;
}

/**
 * Writes a launcher whose first conversions go wrong, and returns its path.
 *
 * @param times - How many conversions go wrong.
 * @param splits - How many conversions there are if none goes wrong; for a slow machine.
 */
export function writeLauncher(
  folder: string,
  fault: FaultName = 'none',
  times = 0,
  splits = 0,
): string {
  mkdirSync(folder, { recursive: true });
  const gate = fault === 'a slow machine' ? join(folder, 'gate') : '/dev/null';
  if (gate !== '/dev/null') execFileSync('mkfifo', [gate]);
  const path = join(folder, 'utf8');
  const attempts = Array.from({ length: times }, (_, i) => `mkdir '${folder}/${i}' 2>/dev/null`);
  const fails = [
    // For the programs of the fault alone.
    'PATH=/usr/bin:/bin',
    'case "$*" in *--stats*)',
    `exec 3<>'${gate}'`,
    `echo >> '${folder}/starts'`,
    `[ "$(wc -l < '${folder}/starts')" -le ${splits} ] || echo >&3`,
    `if ${attempts.join(' || ')}; then ${faults[fault]}`,
    'fi;;',
    'esac',
  ];
  const lines = ['#!/bin/sh', ...(times > 0 ? fails : []), `exec ${COMMAND}`];
  writeFileSync(path, `${lines.join('\n')}\n`, { mode: 0o755 });
  return path;
}

/** Counts the conversions that a failing launcher has started. */
export const countStarts = (path: string): number =>
  readFileSync(join(dirname(path), 'starts'), 'utf8').length;

/**
 * Makes an archive for `--archives`, as `npm run release:bundle` does, with the Node of this run. At night, it is the
 * real one if that was made.
 */
export function packBundle(folder: string): string {
  const archive = join(folder, 'utf8-linux-x64.tgz');
  if (isNight && existsSync(bundle)) {
    copyFileSync(bundle, archive);
    return archive;
  }
  const content = mkdtempSync(join(folder, 'bundle-'));
  writeLauncher(content);
  execFileSync('tar', ['-czf', archive, '-C', content, 'utf8']);
  rmSync(content, { recursive: true });
  return archive;
}
