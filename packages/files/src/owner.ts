/** The process that writes an output. A process number alone may later be that of another program. */
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** A process, as exactly as the system identifies it. */
export interface Owner {
  /** The name of the host, with a suffix that distinguishes hosts of the same name: see {@link nameHost}. */
  readonly host: string;
  /** The process number. */
  readonly pid: number;
  /** Start time of the process, as text that no other process of the host has; null if unknown. */
  readonly started: string | null;
}

/**
 * Checks whether a value has the form of an {@link Owner}.
 *
 * @param value - Anything, such as parsed JSON.
 * @returns True if its host is text and its process number a number.
 */
export const isOwner = (value: unknown): value is Owner =>
  typeof Object(value).host === 'string' && typeof Object(value).pid === 'number';

/**
 * Describes this process.
 *
 * @returns The process, as plain data for {@link isAlive}.
 */
export const describeOwner = (): Owner => ({
  host: describeHost(),
  pid: process.pid,
  started: readProcess(process.pid)?.started ?? null,
});

/**
 * Checks whether a process runs on this host, where {@link isAlive} can tell whether it has ended.
 *
 * @param owner - The process, as {@link describeOwner} returned it.
 * @returns False on another host, and in another container.
 */
export const isLocal = ({ host }: Owner): boolean => host === describeHost();

/**
 * Checks whether a process of this host is still running.
 *
 * @param owner - The process, as {@link describeOwner} returned it there.
 * @returns False if the process has ended, or if the host has been started again since.
 */
export function isAlive({ pid, started }: Owner): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const found = readProcess(pid);
  // A defunct process has ended, and waits for its parent to notice.
  return !found || (!/^[ZX]/.test(found.state) && (started ?? found.started) === found.started);
}

/**
 * Names the host of a process for a message.
 *
 * @param owner - The process, as {@link describeOwner} returned it.
 * @returns The name, such as `host db1`.
 */
export function nameHost({ host }: Owner): string {
  const [name = ''] = host.split(' ');
  return name === hostname() ? `another container of ${name}` : `host ${name}`;
}

/** The first PID namespace of a Linux system: PROC_PID_INIT_INO of its `proc_ns.h`. */
const FIRST = 'pid:[4026531836]';

/** Names of programs that start a whole system. A container mostly starts its one program instead. */
const INITS = ['systemd', 'init'];

/** Reads a small file, or a link, of the system; an empty text if there is none. */
function readSystem(path: string, read: (path: string) => string = readText): string {
  try {
    return read(path);
  } catch {
    return '';
  }
}

const readText = (path: string): string => readFileSync(path, 'latin1').trim();

/** Changes when the system starts. */
const readBoot = (): string => readSystem('/proc/sys/kernel/random/boot_id');

/** The PID namespace, in which process numbers have a meaning. */
const readPids = (): string => readSystem('/proc/self/ns/pid', readlinkSync);

/**
 * Describes where this process runs: a host, or a single container.
 *
 * The name of a host is not enough: two containers may have the same one. A host is the same after it has been
 * started again, so that a run that a power failure interrupted can be resumed.
 */
function describeHost(): string {
  const [pids, machine] = [readPids(), readSystem('/etc/machine-id')];
  const isHost =
    ['', FIRST].includes(pids) || (machine !== '' && INITS.includes(readSystem('/proc/1/comm')));
  return [hostname(), ...(isHost ? [machine] : [readBoot(), pids])].join(' ');
}

/** Reads the start time and the state of a process; undefined if the system does not tell them. */
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
    // The time counts from the start of the system.
    return { started: [readBoot(), readPids(), values[19]].join(' '), state: values[0] ?? '' };
  } catch {
    return undefined;
  }
}
