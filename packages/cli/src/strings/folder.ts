/** Folders, and the class files and archives in them. */
import { type Dirent, readdirSync, type Stats, statSync } from 'node:fs';
import { fromPath, InputError, ioError, toPath } from '@utf8/dump';

/** The files that are read in a folder, where only a name can tell what they are. */
const CLASSES = /\.(?:class|jar|jmod|war|ear|aar|zip)$/i;

/** If nothing is known of a path, opening it says why. */
function findStats(path: string): Stats | undefined {
  try {
    return statSync(toPath(path));
  } catch {
    return undefined;
  }
}

/** Tells whether a path is a folder. */
export const isFolder = (path: string): boolean => findStats(path)?.isDirectory() ?? false;

/**
 * The class files and archives in a folder and in those below it, sorted by name. Links to files are
 * followed; links to folders are not, since they may form a loop.
 *
 * @returns Their paths, and the errors of folders that cannot be read.
 */
export function* walk(folder: string): Generator<string | Error, void, undefined> {
  let entries: Dirent<Buffer>[];
  try {
    entries = readdirSync(toPath(folder), { withFileTypes: true, encoding: 'buffer' });
  } catch (error) {
    yield ioError(folder, error, InputError);
    return;
  }
  // By bytes: the order of a language differs from machine to machine.
  entries.sort((a, b) => Buffer.compare(a.name, b.name));
  for (const entry of entries) {
    const name = fromPath(entry.name);
    const path = folder.endsWith('/') ? folder + name : `${folder}/${name}`;
    if (entry.isDirectory()) yield* walk(path);
    else if (CLASSES.test(name) && (entry.isFile() || isLink(entry, path))) yield path;
  }
}

const isLink = (entry: Dirent<Buffer>, path: string): boolean =>
  entry.isSymbolicLink() && (findStats(path)?.isFile() ?? false);
