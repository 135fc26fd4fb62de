/** Folders of class files, and of other files. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The paths of all class files below a folder, sorted. */
export function findClasses(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.class'))
    .sort();
}

/** All class files below a folder, by path. */
export function readClasses(folder: string): Map<string, Buffer> {
  return new Map(findClasses(folder).map((file) => [file, readFileSync(path.join(folder, file))]));
}

/** The paths of all files below a folder, sorted. */
export function findFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();
}

/** All files below a folder, by path, one after another. */
export function* readFiles(folder: string): Generator<[file: string, bytes: Buffer]> {
  for (const file of findFiles(folder)) yield [file, readFileSync(path.join(folder, file))];
}
