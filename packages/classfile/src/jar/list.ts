/** The entries of an archive by its directory, or in lenient mode by the headers before them. */
import { type Archive, findArchive, JMOD_LENGTH, readDirectory } from './directory.js';
import { JarError } from './error.js';
import type { Entry } from './record.js';
import type { Region } from './region.js';
import type { Run } from './run.js';
import { readLocal, scanEntries } from './scan.js';

/**
 * Yields the entries of an archive, each with the region that its offset counts from.
 *
 * @throws {@link JarError} if it is not an archive, or reading of its directory cannot continue.
 */
export async function* listEntries(
  region: Region,
  path: string,
  run: Run,
): AsyncGenerator<[Entry, Region], void, undefined> {
  /** Positions of the entries that have been found. */
  const seen = new Set<number>();
  let error: unknown;
  let isTold = false;
  let count = 0;
  const archive = await findArchive(region);
  if (!archive) {
    const what = 'is not a zip archive, or is truncated: the directory at its end is missing';
    error = run.fail('not-an-archive', path, `${what}; get a complete copy of it`);
  } else if (run.isLenient && (await isOther(region, archive))) {
    const what = 'is truncated: the only directory in it belongs to a nested archive';
    error = run.fail('not-an-archive', path, `${what}; get a complete copy of it`);
  } else {
    try {
      for await (const entry of readDirectory(archive, path, run)) {
        if (run.isLenient) {
          const fault = await findLocalFault(archive.region, entry, path, run);
          error ??= fault;
          if (fault) continue;
          seen.add(archive.start + entry.offset);
          count++;
        }
        yield [entry, archive.region];
      }
      // A record whose length is wrong may hide the next one.
      isTold = error === undefined;
      if (isTold && (!run.isLenient || count >= archive.count)) return;
    } catch (failure) {
      error ??= failure;
    }
  }
  if (!run.isLenient || !(isTold || isDamage(error))) throw error;
  for await (const entry of scanEntries(region)) {
    if (!isTold) await run.tolerate(error as JarError);
    isTold = true;
    if (!seen.has(entry.offset)) yield [entry, region];
  }
  // Without entries it is not an archive, unless its end record says that it is empty.
  if (!isTold && !(archive && isEmpty(archive))) throw error;
}

const isEmpty = ({ count, directorySize, faults }: Archive): boolean =>
  count === 0 && directorySize === 0 && faults.length === 0;

const isDamage = (error: unknown): error is JarError =>
  error instanceof JarError && ['directory', 'header', 'not-an-archive'].includes(error.reason);

/**
 * Tells whether an end record belongs to a stored archive within a truncated one: entries precede it, or the
 * wrong number of bytes follows it.
 */
async function isOther(region: Region, { start, faults }: Archive): Promise<boolean> {
  if (start === 0) return false;
  const first = await readLocal(region, 0, false);
  return first !== undefined || (faults.length > 0 && start !== JMOD_LENGTH);
}

/** Returns an error if an entry of the directory is missing or is another. */
async function findLocalFault(
  region: Region,
  entry: Entry,
  path: string,
  run: Run,
): Promise<JarError | undefined> {
  const local = await readLocal(region, entry.offset, true);
  // Extra fields of the two may differ, and so may the names that they give.
  if (local?.entry.rawName === entry.rawName) return undefined;
  const what = local ? `where ${local.entry.name} is` : 'where there is no entry';
  return run.fail(
    'header',
    path ? `${path}!/${entry.name}` : entry.name,
    `is not at the offset in the directory, ${what}; get a complete copy of the archive`,
  );
}
