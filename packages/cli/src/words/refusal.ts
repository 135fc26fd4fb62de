/** A place in an input, in one line. */
import type { FaultFinding, FaultRefusal, RecordRefusal } from '@utf8/dump';
import type { Style } from '../terminal/style.js';
import { describeRecord, nameLine } from './place.js';

/** Such as `dump.csv:3:17: offset 162: wrong-form: F0`. */
export function describeFault(finding: FaultFinding, style: Style): string {
  const { file, line, column, offset, reason, bytes } = finding;
  const place = style.title(nameLine(file, line, column));
  return `${place}: offset ${offset}: ${style.bad(reason)}: ${bytes}`;
}

/** Such as `dump.csv:3: column name (record 2): offset 22: unpaired-surrogate: ED A0 BD`. */
export function describeRefusal(refusal: FaultRefusal | RecordRefusal, style: Style): string {
  if (!('record' in refusal)) return describeFault(refusal, style);
  const { file, record, line, column, offset, kind, bytes } = refusal;
  const what = `${style.bad(kind)}${bytes && `: ${bytes}`}`;
  const place = `${style.title(nameLine(file, line))}: ${describeRecord(record, { column })}`;
  return `${place}: offset ${offset}: ${what}`;
}
