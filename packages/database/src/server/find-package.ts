/**
 * Drivers are where the user installed them, and not always next to this package. The current directory is
 * not searched: anyone who can write to it, or to a folder above it, could otherwise run code here.
 */
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { UsageError } from '@utf8/dump';

/** The environment variable that names a folder with drivers. */
const FOLDER = 'UTF8_DRIVERS';

/** The folder that the user names, this file, and the program that runs. */
const usual: readonly (() => string | undefined)[] = [
  () => process.env[FOLDER] && join(resolve(process.env[FOLDER]), 'index.js'),
  () => import.meta.url,
  () => process.argv[1],
];

/**
 * Finds a package by its name.
 *
 * @param from - The only file to look from; without it, it is looked for in the usual places.
 * @returns A function that requires it; undefined if it is not installed.
 */
export function findPackage(name: string, from?: string): NodeJS.Require | undefined {
  for (const place of from === undefined ? usual : [() => from]) {
    const file = findFile(name, place);
    // With pnpm, it is a symbolic link, and its dependencies are next to the real folder.
    if (file !== undefined) return createRequire(realpathSync(file));
  }
  return undefined;
}

/** Finds the file that a place would load for a package. */
function findFile(name: string, place: () => string | undefined): string | undefined {
  try {
    return createRequire(place() as string).resolve(name);
  } catch {
    // Not there.
    return undefined;
  }
}

/**
 * Makes the error for a driver that was not found.
 *
 * @param advice - The advice to print if it is not installed anywhere.
 */
export function missingPackage(
  name: string,
  advice: string = `run npm install ${name}`,
): UsageError {
  const nearby = findFile(name, () => join(process.cwd(), 'index.js'));
  return new UsageError(
    nearby === undefined
      ? `${name} is not installed; ${advice}`
      : `${name} is not installed with this program; set ${FOLDER}=. to load ${nearby}, if you trust it`,
  );
}
