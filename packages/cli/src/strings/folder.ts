/** Folders and the class files and archives in them. */
import { type Dirent, readdirSync, statSync } from 'node:fs';
import { InputFailure, ioFailure } from '../failure.js';

/** What is looked into in a folder: nobody named it, so its name has to say what it is. */
const CLASSES = /\.(?:class|jar|jmod|war|ear|aar|zip)$/i;

/** Whether a path is a folder. What cannot be looked at is none: who opens it says why. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/**
 * The class files and archives in a folder and in those below it, sorted by name. A link to a file is
 * followed, and none to a folder, which may lead round in a circle.
 *
 * @returns Their paths, and the failures of folders that cannot be read.
 */
export function* walk(folder: string): Generator<string | Error, void, undefined> {
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    yield ioFailure(folder, error, InputFailure);
    return;
  }
  // By code units, as everywhere: what is sorted by a language differs from machine to machine.
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = folder.endsWith('/') ? folder + entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* walk(path);
    else if (CLASSES.test(entry.name) && isFile(entry, path)) yield path;
  }
}

function isFile(entry: Dirent, path: string): boolean {
  if (!entry.isSymbolicLink()) return entry.isFile();
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
