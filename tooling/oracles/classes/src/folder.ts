/** Folders of class files. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const cache = fileURLToPath(new URL('../../../../node_modules/.cache/classes', import.meta.url));

/** Makes an empty folder for the time of a test. */
export function makeFolder(): string {
  mkdirSync(cache, { recursive: true });
  return mkdtempSync(path.join(cache, 'tmp-'));
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/**
 * A folder that is filled once and kept. Several processes may want it at the same time: each fills one
 * of its own then, and the first is kept.
 */
export function keepFolder(name: string, fill: (folder: string) => void): string {
  const kept = path.join(cache, name);
  if (existsSync(kept)) return kept;
  const folder = makeFolder();
  fill(folder);
  try {
    renameSync(folder, kept);
  } catch (error) {
    removeFolder(folder);
    if (!existsSync(kept)) throw error;
  }
  return kept;
}

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
