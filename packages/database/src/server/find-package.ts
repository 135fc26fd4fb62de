/** Drivers are where the user installed them, and not always next to this package. */
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** This file, the program that runs, and the current directory, which may be gone. */
const usual: readonly (() => string | undefined)[] = [
  () => import.meta.url,
  () => process.argv[1],
  () => join(process.cwd(), 'index.js'),
];

/**
 * Finds a package by its name.
 *
 * @param from - The only file to look from; without it, it is looked for in the usual places.
 * @returns What requires it; undefined if it is not installed.
 */
export function findPackage(name: string, from?: string): NodeJS.Require | undefined {
  for (const place of from === undefined ? usual : [() => from]) {
    try {
      const file = createRequire(place() as string).resolve(name);
      // With pnpm, it is a symbolic link, and its dependencies are next to the real folder.
      return createRequire(realpathSync(file));
    } catch {
      // Not there.
    }
  }
  return undefined;
}
