/** Drivers are where the user installed them, and not always next to this package. */
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/**
 * Finds a package by its name: from this file, from the program that runs, and from the current directory.
 *
 * @param from - The file to begin with.
 * @returns What requires it; undefined if it is not installed.
 */
export function findPackage(
  name: string,
  from: string = import.meta.url,
): NodeJS.Require | undefined {
  for (const place of [() => from, () => process.argv[1], () => join(process.cwd(), 'index.js')]) {
    try {
      const file = createRequire(place() as string).resolve(name);
      // Behind a link, as pnpm makes them, it has its own dependencies next to it.
      return createRequire(realpathSync(file));
    } catch {
      // Not there; the current directory itself may be gone.
    }
  }
  return undefined;
}
