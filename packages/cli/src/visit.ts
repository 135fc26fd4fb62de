import { InputFailure } from './failure.js';
import type { Printer } from './printer.js';
import { openSource, type Source } from './source.js';

/**
 * Does something with a file. One that cannot be read is said to be so, and does not keep the others
 * from being read.
 *
 * @returns Whether it could be read.
 */
export async function visit(
  file: string,
  printer: Printer,
  read: (source: Source) => Promise<void>,
): Promise<boolean> {
  let source: Source | undefined;
  try {
    source = await openSource(file);
    await read(source);
    return true;
  } catch (error) {
    if (!(error instanceof InputFailure)) throw error;
    await printer.say(`utf8: ${error.message}\n`);
    return false;
  } finally {
    await source?.close();
  }
}
