/** `utf8 strings`: the strings of class files, one a line. */

import { openOutput, STDOUT } from '../output.js';
import { Printer } from '../printer.js';
import { Progress } from '../progress.js';
import { measure, STDIN } from '../source.js';
import { isFolder, walk } from './folder.js';
import { Listing, type StringsOptions } from './listing.js';

/**
 * Prints the strings of class files, of archives and of what is in folders.
 *
 * @returns The exit code: 0; 1 where something is malformed; 3 where something could not be read.
 * @throws {@link OutputFailure} where the output fails.
 */
export async function strings(names: readonly string[], options: StringsOptions): Promise<number> {
  // To measure folders they have to be gone through, which nobody would see the use of elsewhere.
  const total = process.stderr.isTTY ? measure([...filesOf(names)]) : undefined;
  const progress = new Progress(total);
  const printer = new Printer(await openOutput(STDOUT), progress);
  const listing = new Listing(options, printer, progress);
  for (const file of find(names)) {
    if (typeof file === 'string') await listing.add(file);
    else await listing.fail(file);
  }
  return listing.finish();
}

/** What is named, and what is in folders that are named; or why one cannot be looked into. */
function* find(names: readonly string[]): Generator<string | Error, void, undefined> {
  for (const name of names) {
    if (name !== STDIN && isFolder(name)) yield* walk(name);
    else yield name;
  }
}

function* filesOf(names: readonly string[]): Generator<string, void, undefined> {
  for (const file of find(names)) if (typeof file === 'string') yield file;
}
