/** Which process writes a journal. A process number alone may be another program's later. */
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { describePlace, readBoot, readPids } from '../path/place.js';

/**
 * A process, as exactly as the system identifies it.
 *
 * @internal
 */
export interface Owner {
  /** The name of the host. */
  readonly host: string;
  /** The host or the container in which the process runs, as text that differs for any two. */
  readonly place: string;
  /** Changes when the host starts; null if unknown. */
  readonly boot: string | null;
  /** The namespace of the process number; null if unknown. */
  readonly pids: string | null;
  /** The process number. */
  readonly pid: number;
  /** When the process started, as the system says it; null if unknown. */
  readonly started: string | null;
}

/**
 * Describes this process.
 *
 * @returns The process, as plain data for {@link isAlive}.
 * @example
 * ```ts
 * import { describeOwner } from '@utf8/dump';
 *
 * describeOwner().pid === process.pid; // => true
 * ```
 * @internal
 */
export const describeOwner = (): Owner => ({
  host: hostname(),
  place: describePlace(),
  boot: readBoot(),
  pids: readPids(),
  pid: process.pid,
  started: readProcess(process.pid)?.started ?? null,
});

/**
 * Checks whether a process of this host is still running.
 *
 * @param owner - The process, as {@link describeOwner} returned it there.
 * @returns False if the process has ended, or if the host has been started again since.
 * @example
 * ```ts
 * import { describeOwner, isAlive } from '@utf8/dump';
 *
 * isAlive(describeOwner()); // => true
 * ```
 * @internal
 */
export function isAlive({ boot, pid, started }: Owner): boolean {
  if (boot !== readBoot()) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const found = readProcess(pid);
  // A defunct process has ended, and waits for its parent to notice.
  return !found || (!/^[ZX]/.test(found.state) && (started ?? found.started) === found.started);
}

/** What the system tells of a process; undefined if nothing. */
function readProcess(pid: number): { started: string; state: string } | undefined {
  try {
    if (process.platform === 'darwin') {
      // Loaded late, since other systems do without it.
      const { execFileSync } = process.getBuiltinModule('node:child_process');
      const options = { encoding: 'latin1', env: { LC_ALL: 'C', TZ: 'UTC' } } as const;
      const line = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', `${pid}`], options);
      const [state = '', ...started] = line.trim().split(/\s+/);
      return { started: started.join(' '), state };
    }
    // Fields 3 and 22. The second field is a name in parentheses, which may contain anything.
    const [, fields = ''] = /^.*\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? [];
    const values = fields.split(' ');
    return { started: values[19] ?? '', state: values[0] ?? '' };
  } catch {
    return undefined;
  }
}
