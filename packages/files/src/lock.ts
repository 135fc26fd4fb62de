/**
 * Keeps two processes from writing one file, by a lock next to it that names the process that has it. A lock
 * of a dead process is taken over by a line at its end, so that of several processes that try the first one has
 * it. Only the process that has a lock removes it.
 */
import * as fs from 'node:fs';
import { createToken, nameLock } from './derived-name.js';
import { whenInterrupted } from './interrupt.js';
import { toPath } from './name.js';
import { hasName, openOwn } from './own-file.js';
import { describeOwner, isAlive, isLocal, isOwner, nameHost, type Owner } from './owner.js';
import { stopAt } from './stop-point.js';
import { writeAll } from './write.js';

/** Thrown if another process has the lock. The message names the process, and contains advice. */
export class LockedError extends Error {
  readonly code = 'ERR_UTF8_BUSY';
  /** The process that has it, if it runs on this host; it may be about to end. */
  readonly pid: number | undefined;

  constructor(message: string, pid?: number) {
    super(message);
    this.pid = pid;
  }
}

/** A line of a lock. */
interface Claim extends Owner {
  /** Token that tells it from others of the same process. */
  readonly run: string;
  /** Token of the claim that it takes over; empty if there is none. */
  readonly after: string;
}

/**
 * Locks a file. The lock of a process that has ended is taken over.
 *
 * @param target - The path of the file, which need not exist.
 * @returns A function that unlocks it; it is also called if the process is interrupted.
 * @throws {@link LockedError} if another process has locked it.
 * @throws UntrustedError if the lock is not a file of this user.
 * @throws An error of the file system.
 */
export function lock(target: string): () => void {
  const path = nameLock(target);
  let run = claim(path);
  while (run === undefined) run = claim(path);
  const unlock = (): void => {
    settle();
    try {
      if (findHolder(fs.readFileSync(toPath(path), 'utf8'))?.run === run) fs.rmSync(toPath(path));
    } catch {
      // A file that remains is taken over when this process has ended.
    }
  };
  const settle = whenInterrupted(unlock);
  return unlock;
}

/** Adds a claim, and returns its token; undefined if the lock was removed meanwhile. */
function claim(path: string): string | undefined {
  const { O_RDWR, O_APPEND, O_CREAT } = fs.constants;
  const fd = openOwn(path, O_RDWR | O_APPEND | O_CREAT);
  try {
    stopAt('lock:opened');
    const text = readAll(fd);
    const holder = requireDead(text, path, fd);
    if (holder === 'removed') return undefined;
    stopAt('lock:read');
    const run = createToken();
    const line = JSON.stringify({ ...describeOwner(), run, after: holder?.run ?? '' });
    // A line that a full disk has cut off is not a claim.
    const gap = text === '' || text.endsWith('\n') ? '' : '\n';
    writeAll(fd, Buffer.from(`${gap}${line}\n`));
    stopAt('lock:written');
    const winner = findHolder(readAll(fd));
    if (winner?.run !== run) throw describe(winner, path);
    // Its process, or another one that had it since, may have removed it.
    return hasName(fd, path) ? run : undefined;
  } finally {
    fs.closeSync(fd);
  }
}

function readAll(fd: number): string {
  const bytes = Buffer.alloc(fs.fstatSync(fd).size);
  return bytes.toString('utf8', 0, fs.readSync(fd, bytes, 0, bytes.length, 0));
}

/** Returns the claim of a process that has ended, if there is one. */
function requireDead(text: string, path: string, fd: number): Claim | 'removed' | undefined {
  const holder = findHolder(text);
  if (holder === undefined || (holder && isLocal(holder) && !isAlive(holder))) return holder;
  if (!hasName(fd, path)) return 'removed';
  throw describe(holder, path);
}

/** Finds the claim that counts: each takes over the one before it. Null if the file is not a lock. */
function findHolder(text: string): Claim | null | undefined {
  let holder: Claim | undefined;
  for (const line of text.split('\n')) {
    const found = parseClaim(line);
    if (found === null) return null;
    if (found && found.after === (holder?.run ?? '')) holder = found;
  }
  return holder;
}

/** The start of each line. */
const START = '{"host":';

/** Parses a line; undefined if it is cut off, null if it is not a line of a lock. */
function parseClaim(line: string): Claim | null | undefined {
  try {
    const claim: unknown = JSON.parse(line);
    const { run, after } = Object(claim);
    return isOwner(claim) && typeof run === 'string' && typeof after === 'string'
      ? (claim as Claim)
      : null;
  } catch {
    return line.startsWith(START) || START.startsWith(line) ? undefined : null;
  }
}

function describe(holder: Claim | null | undefined, path: string): LockedError {
  if (!holder) {
    return new LockedError(`another process is writing this file; if none is, remove ${path}`);
  }
  const { pid } = holder;
  if (isLocal(holder)) {
    const what = `process ${pid} is writing this file; try again when it has ended`;
    return new LockedError(what, pid);
  }
  return new LockedError(
    `process ${pid} on ${nameHost(holder)} is writing this file, or was interrupted; resume it there, or remove ${path} if it has ended`,
  );
}
