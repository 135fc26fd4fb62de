/** `utf8 revert URL --undo FILE`: the old values of a repair. */
import { type RevertDatabaseOptions, revertDatabase } from '@utf8/database';
import type { AllowedHazard } from '@utf8/dump/internal';
import { formatJson } from '../terminal/escape.js';
import { Printer } from '../terminal/printer.js';
import { createProgress } from '../terminal/progress.js';
import { createStyle } from '../terminal/style.js';
import { summarizeRevert } from '../words/repair-report.js';
import { discardAtStop, notify, requireFiles } from './live.js';

/** Values of the options, by name. */
interface RevertValues {
  readonly undo: string;
  readonly allow?: readonly AllowedHazard[] | undefined;
  readonly json?: true | undefined;
  readonly batch?: number | undefined;
  readonly 'lock-timeout'?: number | undefined;
}

export async function revertUrl(url: string, given: RevertValues): Promise<number> {
  requireFiles({ undo: given.undo });
  discardAtStop('the same command');
  const { undo, json, batch } = given;
  const result = await revertDatabase({
    url,
    undo,
    // Other hazards are refused there.
    allow: given.allow as RevertDatabaseOptions['allow'],
    batch,
    lockTimeout: given['lock-timeout'],
    onProgress: createProgress(),
    onNotice: notify,
  });
  const printer = new Printer(createStyle(json), true);
  if (json) printer.add(formatJson({ type: 'summary', ...result }));
  else for (const line of summarizeRevert(result)) printer.add(line);
  await printer.print();
  if (result.problems.length > 0) return 3;
  return result.kept + result.refused > 0 ? 1 : 0;
}
