/** Folders, and the files in them that contain strings. */
import {
  closeSync,
  type Dirent,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  type Stats,
  statSync,
} from 'node:fs';
import { DATA_LENGTH } from '@utf8/classfile/data';
import { describeUnread, recognize } from '@utf8/classfile/jar';
import { InputError } from '@utf8/dump';
import { ioError } from '@utf8/dump/internal';
import { fromPath, toPath } from '@utf8/files';
import { findData } from './data.js';

/** Names of files that are read regardless of their first bytes, so that damage is reported. */
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

/** A file that may contain strings and is not read. */
export interface Unread {
  readonly name: string;
  /** Description of the file, and advice. */
  readonly what: string;
}

/** Ends an archive without a comment. APPNOTE.TXT 4.3.16. */
const END = 0x504b0506;
const END_LENGTH = 22;

/**
 * The files with strings in a folder and its subfolders, sorted by name: files with a usual name, files that begin
 * like one of these, and programs with an archive at their end. Links to files are followed; links to folders are not,
 * since they may form a loop.
 *
 * @returns Their paths, the errors of folders and files that cannot be read, and files of formats that
 *   are not read.
 */
export function* walk(folder: string): Generator<string | Error | Unread, void, undefined> {
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
      const found = NAMED.test(name) ? path : identify(path);
      if (found) yield found;
    }
  }
}

const isLink = (entry: Dirent<Buffer>, path: string): boolean =>
  entry.isSymbolicLink() && (findStats(path)?.isFile() ?? false);

const head = Buffer.alloc(DATA_LENGTH);

/** The path of a file with strings, or why it is not read; undefined for all others. */
function identify(path: string): string | Error | Unread | undefined {
  try {
    const file = openSync(toPath(path), 'r');
    try {
      const start = head.subarray(0, readSync(file, head, 0, DATA_LENGTH, 0));
      if (recognize(start, path) !== 'other' || findData(start)) return path;
      const what = describeUnread(path, start);
      if (what !== undefined) return { name: path, what: `is ${what}` };
      return endsAsArchive(file) ? path : undefined;
    } finally {
      closeSync(file);
    }
  } catch (error) {
    return ioError(path, error, InputError);
  }
}

function endsAsArchive(file: number): boolean {
  const { size } = fstatSync(file);
  if (size < END_LENGTH) return false;
  readSync(file, head, 0, END_LENGTH, size - END_LENGTH);
  return head.readUInt32BE(0) === END;
}
