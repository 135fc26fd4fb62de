import { type BigIntStats, fstatSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { isatty } from 'node:tty';
import { findTarget, isDerived, listReserved, toPath } from '@utf8/files';
import { UsageError } from '../error.js';
import { type NamedOption, opt, phrase } from '../phrase.js';

/**
 * The paths of a run. `-` is stdin or stdout.
 *
 * @internal
 */
export interface RunPaths {
  /** The paths of files that are read. */
  readonly inputs: readonly string[];
  /** The files that are written. */
  readonly outputs: readonly {
    /** The option that names the file, for errors. */
    readonly option?: string | undefined;
    /** A name of the file for errors if no option names it, such as `stdout`. */
    readonly label?: string | undefined;
    /** The path of the file. */
    readonly path: string;
  }[];
}

/** A file that a path denotes. */
interface Identified {
  /** Equal for two names of one file. */
  readonly identity: string;
  /** Of a file that can be replaced: the path to it without links, and what identifies its folder. */
  readonly target: string | undefined;
  readonly folder: string;
}

interface Named extends Identified {
  readonly label: string | NamedOption;
  readonly path: string;
}

const DASH = '-';

/**
 * Makes sure that no output of a run is an input, another output, or a file that the run makes on its
 * way, by any name. Nothing is opened.
 *
 * @param paths - The inputs, and the outputs with the options that name them.
 * @throws UsageError (`ERR_UTF8_USAGE`) at the first output that is.
 * @example
 * ```ts
 * import { refuseSharedPaths } from '@utf8/dump/internal';
 *
 * try {
 *   refuseSharedPaths({ inputs: ['in.csv'], outputs: [{ option: 'output', path: './in.csv' }] });
 * } catch (error) {
 *   error.message; // => '`output` and the input are the same file, ./in.csv; choose another file'
 * }
 * ```
 * @internal
 */
export function refuseSharedPaths({ inputs, outputs }: RunPaths): void {
  const read = inputs.flatMap((path) => resolvePath('the input', path, 0));
  const written = outputs.flatMap(({ option = '', label = opt(option), path }) =>
    resolvePath(label, path, 1),
  );
  const seen = new Map(read.map((input) => [input.identity, input]));
  for (const output of written) {
    const other = seen.get(output.identity);
    if (other && !(read.includes(other) && isTwoWay(other, output))) throw shared(output, other);
    seen.set(output.identity, output);
  }
  const streams = ([0, 1] as const).flatMap((fd) =>
    resolvePath(fd === 0 ? 'stdin' : 'stdout', DASH, fd).filter(() => fstatSync(fd).isFile()),
  );
  for (const output of written) {
    const stream = streams.find(({ identity }) => identity === output.identity);
    if (stream && output.path !== DASH) throw shared(output, stream);
  }
  const all = [...read, ...written, ...streams];
  for (const { label, path, target, folder } of written) {
    if (target === undefined) continue;
    const own = listReserved(target).flatMap((path) => identify(path)?.identity ?? []);
    const isTaken = (each: Named): boolean =>
      own.includes(each.identity) ||
      (each.folder === folder && isDerived(target, basename(each.target ?? '')));
    const other = all.find(isTaken);
    if (!other) continue;
    throw new UsageError(
      phrase`the name of ${other.label}, ${other.path}, is reserved for ${label}, ${path}; choose another file`,
    );
  }
}

/** Tells whether a file may be input and output at once: a terminal, another device, or a socket. */
function isTwoWay(input: Named, output: Named): boolean {
  const terminals = [0, 1].filter((fd) => isatty(fd)).map((fd) => identify(DASH, fd)?.identity);
  if (terminals.includes(input.identity)) return true;
  if (input.path !== DASH || output.path !== DASH) return false;
  const stats = fstatSync(0);
  return stats.isCharacterDevice() || stats.isSocket();
}

function shared({ label, path }: Named, other: Named): UsageError {
  return new UsageError(
    path === DASH && other.label === 'the input'
      ? phrase`input and output are the same file; ${label === 'stdout' ? 'write elsewhere' : phrase`use ${label}`}`
      : phrase`${label} and ${other.label} are the same file, ${path}; choose another file`,
  );
}

/** A path with its identity; nothing if it cannot be opened either. */
function resolvePath(label: Named['label'], path: string, fd: 0 | 1): Named[] {
  const found = identify(path, path === DASH ? fd : undefined);
  return found ? [{ label, path, ...found }] : [];
}

function identify(path: string, fd?: number): Identified | undefined {
  try {
    const stats = fd === undefined ? stat(path) : fstatSync(fd, { bigint: true });
    // Windows has no numbers for pipes.
    if (stats?.ino === 0n) return undefined;
    const isReplaceable = fd === undefined && (stats?.isFile() ?? true);
    const target = isReplaceable ? findTarget(path) : undefined;
    const folder = target === undefined ? '' : name(stat(dirname(target)) as BigIntStats);
    const identity = stats ? name(stats) : `${folder}/${foldCase(basename(target as string))}`;
    return { identity, target, folder };
  } catch {
    return undefined;
  }
}

const stat = (path: string): BigIntStats | undefined =>
  statSync(toPath(path), { bigint: true, throwIfNoEntry: false });

/** A device is the same one under all its names. */
const name = (stats: BigIntStats): string =>
  stats.isCharacterDevice() || stats.isBlockDevice()
    ? `${stats.isBlockDevice() ? 'block' : 'character'} ${stats.rdev}`
    : `${stats.dev} ${stats.ino}`;

/** Two names of a file that does not exist yet are one on most disks of these systems. */
const foldCase = (name: string): string =>
  ['darwin', 'win32'].includes(process.platform) ? name.normalize('NFC').toLowerCase() : name;
