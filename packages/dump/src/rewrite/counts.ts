/** What a conversion of records counts, as plain data that can be sent and kept. */

/** Numbers of records, bytes and findings. */
export interface RecordCounts {
  readonly records: number;
  readonly rejected: number;
  /** Records that were written, but not as they were. */
  readonly changed: number;
  readonly bytesRead: number;
  readonly bytesWritten: number;
  /** Without what a rejected record needs around it, such as the start of an INSERT. */
  readonly bytesRejected: number;
  /** All findings by kind, those in rejected records included. */
  readonly findings: Readonly<Record<string, number>>;
}

export const NO_RECORDS: RecordCounts = {
  records: 0,
  rejected: 0,
  changed: 0,
  bytesRead: 0,
  bytesWritten: 0,
  bytesRejected: 0,
  findings: {},
};

/** Adds two counts, number by number. */
export function addCounts<T extends object>(one: T, other: T): T {
  const sum = { ...one } as Record<string, unknown>;
  for (const [key, value] of Object.entries(other)) {
    const before = sum[key];
    sum[key] =
      typeof value === 'number'
        ? value + ((before as number | undefined) ?? 0)
        : addCounts((before as object | undefined) ?? {}, value as object);
  }
  return sum as T;
}
