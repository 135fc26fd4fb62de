/** Where processes see each other, so that one can tell whether another is still running. */
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { checksum, toHex } from '../checksum.js';

/** The first PID namespace of a Linux system: PROC_PID_INIT_INO of its `proc_ns.h`. */
const FIRST = 'pid:[4026531836]';

/** Names of programs that start a whole system. A container mostly starts its one program instead. */
const INITS = ['systemd', 'init'];

/** Reads a small file, or a link, of the system; null if there is none. */
export function readSystem(path: string, read: (path: string) => string = readText): string | null {
  try {
    return read(path);
  } catch {
    return null;
  }
}

const readText = (path: string): string => readFileSync(path, 'latin1').trim();

/** Changes when the system starts; null if unknown. */
export const readBoot = (): string | null => readSystem('/proc/sys/kernel/random/boot_id');

/** The PID namespace, in which process numbers have a meaning; null if unknown. */
export const readPids = (): string | null => readSystem('/proc/self/ns/pid', readlinkSync);

/**
 * Describes where this process runs: a host, whatever it was started for, or a single container.
 *
 * The name of a host is not enough. Two attempts of a Kubernetes Indexed Job have the same one, on one
 * node or on two; the boot and the namespace tell them apart. A host is the same after it has been
 * started again, so that a run that a power failure interrupted can be resumed.
 */
export function describePlace(): string {
  const [pids, machine] = [readPids(), readSystem('/etc/machine-id')];
  const isHost =
    pids === null ||
    pids === FIRST ||
    (Boolean(machine) && INITS.includes(readSystem('/proc/1/comm') ?? ''));
  const rest = isHost ? [machine] : [readBoot(), pids];
  return JSON.stringify([hostname(), ...rest]);
}

/**
 * Identifies the journals that a run may read, resume and remove: those of this place and this user. What
 * others leave is neither trusted nor in the way.
 */
export const identifyPlace = (): string =>
  toHex(checksum(`${process.geteuid?.() ?? ''} ${describePlace()}`));
