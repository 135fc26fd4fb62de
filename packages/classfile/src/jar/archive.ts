/** An archive: its classes, and those of the archives in it. */
import type { Entry, ZipFile } from 'yauzl';
import { type Archive, findArchive, lengthOf, nameOf, openDirectory } from './directory.js';
import { openEntry, readEntry } from './entry.js';
import type { Region } from './region.js';
import type { Run } from './run.js';

/** A class, and where it was. */
export interface JarClass {
  /** As in the archive; `a.jar!/x/Y.class` where it is in an archive within. Only a label, be it `../x`. */
  readonly path: string;
  /** The class file, in memory of its own. */
  readonly bytes: Uint8Array;
  /** How much of the file has been read, from 0 to 1. */
  readonly progress: number;
}

/** Where an archive lies. */
interface Place {
  /** Its path in the file, and `!/`; nothing for the file itself. */
  readonly prefix: string;
  /** How many archives lie around it. */
  readonly depth: number;
  /** What share of the file lies before it, from 0 to 1. */
  readonly from: number;
  /** The same up to its end. */
  readonly to: number;
}

const WHOLE: Place = { prefix: '', depth: 0, from: 0, to: 1 };

const CLASS = /\.class$/;

/** Told by the name: to look into every resource for an archive would take too long. */
const ARCHIVE = /\.(?:jar|war|ear|aar|jmod|zip)$/i;

/**
 * Yields the classes of an archive.
 *
 * @throws {@link JarError} where it is none, or cannot be read on.
 */
export async function* readArchive(
  region: Region,
  run: Run,
  place: Place = WHOLE,
): AsyncGenerator<JarClass, void, undefined> {
  const path = place.prefix.replace(/!\/$/, '');
  const archive = await findArchive(region);
  if (!archive) {
    const what = 'is no zip archive, or one cut short: its directory, at the end, is missing';
    throw run.fail('not-an-archive', path, `${what}; get a whole copy of it`);
  }
  const { size } = archive.region;
  let passed = 0;
  let taken = 0;
  const share = (): number =>
    place.from + Math.min(1, passed / Math.max(size, 1)) * (place.to - place.from);

  for await (const [entry, zip] of entriesOf(archive, path, run)) {
    const from = share();
    passed += entry.compressedSize;
    const inner = place.prefix + nameOf(entry);
    const isClass = CLASS.test(inner);
    if (!isClass && !ARCHIVE.test(inner)) continue;
    taken += entry.compressedSize;
    if (taken > size) {
      const what = `its entries up to ${inner} claim ${taken} of its ${size} bytes`;
      throw run.fail('overlap', path, `${what}: they overlap, as in a zip bomb; do not trust it`);
    }
    if (isClass) {
      const bytes = await run.attempt(() => readEntry(zip, archive.region, entry, inner, run));
      if (bytes) yield { path: inner, bytes, progress: share() };
      continue;
    }
    if (place.depth >= run.limits.maxDepth) {
      const what = `is nested more than ${run.limits.maxDepth} levels deep, the limit of maxDepth`;
      await run.report(run.fail('depth', inner, `${what}; take it out, or raise the limit`));
      continue;
    }
    try {
      const region = await openEntry(zip, archive.region, entry, inner, run);
      const prefix = `${inner}!/`;
      yield* readArchive(region, run, { prefix, depth: place.depth + 1, from, to: share() });
    } catch (error) {
      await run.report(error);
    }
  }
}

/** The entries of an archive, in the order of its directory. */
async function* entriesOf(
  { region, directorySize }: Archive,
  path: string,
  run: Run,
): AsyncGenerator<[Entry, ZipFile], void, undefined> {
  let count = 0;
  let size = 0;
  try {
    const zip = await openDirectory(region);
    for await (const entry of zip.eachEntry()) {
      yield [entry, zip];
      count++;
      size += lengthOf(entry);
    }
  } catch (error) {
    throw run.wrap(error, 'directory', path, `its directory cannot be read after entry ${count}`);
  }
  // One of 70,000 entries counts 4,464 where it is not ended as a large archive.
  if (directorySize !== undefined && size !== directorySize) {
    const what = `its directory has ${directorySize} bytes, and its ${count} entries take ${size}`;
    throw run.fail('directory', path, `${what}; make it again`);
  }
}
