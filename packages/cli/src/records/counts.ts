/** What a conversion of records counts. All of it is plain data, so that it can be sent and kept. */

/** How many there are of what. */
export interface Counts {
  readonly records: number;
  readonly rejected: number;
  /** Records that came out, and not as they were. */
  readonly changed: number;
  readonly bytesRead: number;
  readonly bytesWritten: number;
  /** What records are rejected with, such as the beginning of an INSERT, is not among them. */
  readonly bytesRejected: number;
  /** Everything that was found, by kind, in rejected records as well. */
  readonly findings: Readonly<Record<string, number>>;
}

/** Nothing counted yet. */
export const NONE: Counts = {
  records: 0,
  rejected: 0,
  changed: 0,
  bytesRead: 0,
  bytesWritten: 0,
  bytesRejected: 0,
  findings: {},
};

/** What has been counted in two parts. */
export function sum(one: Counts, other: Counts): Counts {
  const findings: Record<string, number> = { ...one.findings };
  for (const [kind, count] of Object.entries(other.findings)) {
    findings[kind] = (findings[kind] ?? 0) + count;
  }
  return {
    records: one.records + other.records,
    rejected: one.rejected + other.rejected,
    changed: one.changed + other.changed,
    bytesRead: one.bytesRead + other.bytesRead,
    bytesWritten: one.bytesWritten + other.bytesWritten,
    bytesRejected: one.bytesRejected + other.bytesRejected,
    findings,
  };
}
