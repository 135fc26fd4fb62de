/** Folders of class files. */
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
