/** Options and lines that the commands for live databases share. */

import type { LookOptions, RepairReport } from '@utf8/database';
import { labelFor } from '@utf8/detect';
import type { AllowedHazard } from '@utf8/dump/internal';
import { UsageError } from '../option/usage-error.js';
import { findLabel } from '../option/value.js';
import type { Printer } from '../terminal/printer.js';
import { createProgress } from '../terminal/progress.js';
import { sayAtOnce } from '../terminal/say.js';
import { beforeStop } from '../terminal/signals.js';
import { type DatabaseCommand, formatDatabaseCommand } from '../words/database-command.js';
import { summarizeLook, summarizeProduct } from '../words/repair-report.js';

const MIXED = 'cesu-8+utf-8';

/** Values of the options of a scan or a repair, by name. */
export interface DatabaseValues {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly vendor?: 'oracle' | 'mysql' | undefined;
  readonly errors?: LookOptions['errors'];
  readonly nul?: LookOptions['nul'];
  readonly 'unpaired-surrogates'?: LookOptions['unpairedSurrogates'];
  readonly 'equal-json-keys'?: LookOptions['equalJsonKeys'];
  readonly mojibake?: LookOptions['mojibake'];
  readonly 'inner-lengths'?: LookOptions['innerLengths'];
  readonly table?: readonly string[] | undefined;
  readonly column?: readonly string[] | undefined;
  readonly 'json-columns'?: readonly string[] | undefined;
  readonly allow?: readonly AllowedHazard[] | undefined;
  readonly 'stop-at'?: LookOptions['stopAt'];
  readonly report?: string | undefined;
  readonly json?: true | undefined;
  readonly batch?: number | undefined;
  readonly 'lock-timeout'?: number | undefined;
}

const notify = (notice: string): void => sayAtOnce(`utf8: ${notice}`);

/** Reads the options that a scan and a repair share. */
export const readOptions = (url: string, given: DatabaseValues): LookOptions => ({
  url,
  from: findLabel(given.from ?? MIXED, '--from', given.vendor),
  to: findLabel(given.to ?? labelFor('utf-8'), '--to', given.vendor),
  errors: given.errors,
  nul: given.nul,
  unpairedSurrogates: given['unpaired-surrogates'],
  equalJsonKeys: given['equal-json-keys'],
  mojibake: given.mojibake,
  innerLengths: given['inner-lengths'],
  tables: given.table,
  columns: given.column,
  jsonColumns: given['json-columns'],
  allow: given.allow,
  stopAt: given['stop-at'],
  batch: given.batch,
  lockTimeout: given['lock-timeout'],
  report: given.report,
  onProgress: createProgress('rows'),
  onNotice: notify,
});

/** Refuses stdout for files that a database command needs. */
export function requireFiles(given: Readonly<Record<string, unknown>>): void {
  for (const flag of ['undo', 'output', 'report']) {
    if (given[flag] === '-') throw new UsageError(`--${flag} needs a file, not stdout`);
  }
}

/**
 * Removes temporary files before a signal ends the run.
 *
 * @param continues - The command that continues the run; none if nothing was written.
 */
export function discardAtStop(continues?: string): void {
  beforeStop(() =>
    continues === undefined
      ? undefined
      : `interrupted; committed changes stay, and ${continues} continues`,
  );
}

export { notify };

/** Adds the lines of a scan. */
export function addLook(
  printer: Printer,
  result: RepairReport,
  allow: readonly AllowedHazard[] = [],
): void {
  printer.add(summarizeProduct(result));
  if (!result.found) return;
  for (const line of summarizeLook(result.found, allow)) printer.add(line);
}

/** Adds a command line to run next, without the password of the URL. */
export function addCommand(
  printer: Printer,
  title: string,
  command: DatabaseCommand,
  url: string,
  values: Readonly<Record<string, unknown>>,
): void {
  const { line, leavesOut } = formatDatabaseCommand(command, url, values);
  printer.add('');
  printer.add(`${title}: ${line}`);
  if (leavesOut) printer.add(`(the password is left out; ${leavesOut})`);
}

/** Returns the exit code. Integrity problems may be older than this run, but must not go unnoticed. */
export function findExitCode({ found, left, stopped, problems }: RepairReport): number {
  if (problems.length > 0) return 3;
  return stopped || ((left ?? found)?.candidates ?? 0) > 0 ? 1 : 0;
}
