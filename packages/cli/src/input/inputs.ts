/** The files that a command reads, and those that it writes. */
import { measure, openInput, type Source } from '@utf8/dump/internal';
import { describeError } from '../option/flag.js';
import { UsageError } from '../option/usage-error.js';
import type { Range } from '../option/value.js';
import type { Printer } from '../terminal/printer.js';
import { STDIN } from './stdin.js';

/** The operands, or stdin if there are none. A range, or an index for ranges, needs a single file. */
export function listInputs(
  operands: readonly string[],
  {
    range,
    index,
  }: { readonly range?: Range | undefined; readonly index?: string | undefined } = {},
): readonly string[] {
  const [file = STDIN, ...others] = operands;
  const flag = range ? '--range' : index === undefined ? undefined : '--index';
  if (flag && others.length > 0) throw new UsageError(`${flag} needs a single file`);
  if (flag && measure([file]) === undefined) {
    throw new UsageError(`${flag} requires a regular file; ${file} is not one`);
  }
  if (operands.length === 0) return [STDIN];
  if (operands.indexOf(STDIN) === operands.lastIndexOf(STDIN)) return operands;
  throw new UsageError('stdin can be read only once; use - once');
}

/** Opens an input, reads it and closes it. If it cannot be read, that is said, and false returned. */
export async function visit(
  name: string,
  printer: Printer,
  read: (source: Source) => Promise<void>,
  options?: Parameters<typeof openInput>[1],
): Promise<boolean> {
  let source: Source | undefined;
  try {
    source = await openInput(name, options);
    await read(source);
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_UTF8_INPUT') throw error;
    await printer.say(`utf8: ${describeError(error as Error)}`);
    return false;
  } finally {
    await source?.close();
  }
}
