import { NewFile } from '../new-file.js';
import type { LookOptions } from '../options.js';
import type { LookReport } from '../report.js';
import { describeFindings } from './describe-finding.js';
import { type Look, type LookedRow, look } from './look.js';

/** Looks, and passes all findings to the file and to the function that options name. */
export async function lookAndReport(
  task: Look,
  { report, onFinding }: Pick<LookOptions, 'report' | 'onFinding'>,
): Promise<LookReport> {
  const file = report === undefined ? undefined : new NewFile(report);
  const onRow = async (row: LookedRow): Promise<void> => {
    if (file || onFinding) {
      for (const finding of describeFindings(row.table, row.judgement, row.hazards)) {
        await file?.write(`${JSON.stringify({ type: 'finding', ...finding })}\n`);
        await onFinding?.(finding);
      }
    }
    await task.onRow?.(row);
  };
  try {
    const result = await look({ ...task, onRow });
    await file?.commit();
    return result;
  } finally {
    file?.discard();
  }
}
