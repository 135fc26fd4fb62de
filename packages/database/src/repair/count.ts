import type { DatabaseHazard } from '@utf8/dump/internal';
import type { RepairCounts } from '../report.js';

/** Numbers of changes of a run so far. */
export interface Count extends Record<Exclude<keyof RepairCounts, 'skipped'>, number> {
  readonly skipped: Partial<Record<DatabaseHazard, number>>;
}

export const createCount = (counts: Partial<RepairCounts> = {}): Count => ({
  rows: counts.rows ?? 0,
  values: counts.values ?? 0,
  moved: counts.moved ?? 0,
  suffixed: counts.suffixed ?? 0,
  overtaken: counts.overtaken ?? 0,
  declared: counts.declared ?? 0,
  skipped: { ...counts.skipped },
});

/** Adds the counts of a part of a run. */
export function addCount(count: Count, more: RepairCounts): void {
  count.rows += more.rows;
  count.values += more.values;
  count.moved += more.moved;
  count.suffixed += more.suffixed;
  count.overtaken += more.overtaken;
  count.declared += more.declared;
  for (const [hazard, rows] of Object.entries(more.skipped)) {
    addSkipped(count, hazard as DatabaseHazard, rows);
  }
}

export function addSkipped({ skipped }: Count, hazard: DatabaseHazard, rows = 1): void {
  skipped[hazard] = (skipped[hazard] ?? 0) + rows;
}
