import { formatBytes } from '@utf8/core';
import type { FoundHazard } from '../judge/hazard.js';
import type { Judgement } from '../judge/judge.js';
import { nameKey } from '../key.js';
import type { DatabaseFinding } from '../report.js';
import type { Table } from '../server/table.js';

/** Describes all that is found in a row, value by value. */
export function describeFindings(
  table: Table,
  { key, values }: Judgement,
  hazards: readonly FoundHazard[],
): DatabaseFinding[] {
  return values.map(({ column, old, repair }) => ({
    table: table.name,
    key: nameKey(table, key),
    column: column.name,
    status: repair.status === 'rejected' ? 'rejected' : 'changed',
    findings: repair.findings.map(({ kind, offset, length, becomes, reason }) => ({
      kind,
      offset,
      bytes: formatBytes(old.subarray(offset, offset + length)),
      becomes: becomes ? formatBytes(becomes) : null,
      reason,
    })),
    hazards: hazards
      .filter((each) => each.column === undefined || each.column === column.name)
      .map(({ hazard, name }) => ({ hazard, name })),
  }));
}
