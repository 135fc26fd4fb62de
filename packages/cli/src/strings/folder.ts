/** Folders, and the files in them that contain strings. */
import {
  closeSync,
  type Dirent,
  openSync,
  readdirSync,
  readSync,
  type Stats,
  statSync,
} from 'node:fs';
import { FORM_LENGTH, recognize } from '@utf8/classfile/jar';
import { fromPath, InputError, ioError, toPath } from '@utf8/dump';

/** Names of files that are read whatever they begin with: if they are damaged, that is said. */
const NAMED = /\.(?:class|jar|jmod|war|ear|aar|zip|apk|dex)$/i;

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
 * The files with strings in a folder and in those below it, sorted by name: those with a usual name, and
 * those that begin as one of these does. Links to files are followed; links to folders are not, since
 * they may form a loop.
 *
 * @returns Their paths, and the errors of folders and files that cannot be read.
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
    if (entry.isDirectory()) {
      yield* walk(path);
    } else if (entry.isFile() || isLink(entry, path)) {
      const found = NAMED.test(name) || beginsAsForm(path);
      if (found) yield found === true ? path : found;
    }
  }
}

const isLink = (entry: Dirent<Buffer>, path: string): boolean =>
  entry.isSymbolicLink() && (findStats(path)?.isFile() ?? false);

const head = Buffer.alloc(FORM_LENGTH);

/** Whether a file begins as one with strings, or why that cannot be said. */
function beginsAsForm(path: string): boolean | Error {
  try {
    const file = openSync(toPath(path), 'r');
    try {
      return recognize(head.subarray(0, readSync(file, head, 0, FORM_LENGTH, 0))) !== 'other';
    } finally {
      closeSync(file);
    }
  } catch (error) {
    return ioError(path, error, InputError);
  }
}
