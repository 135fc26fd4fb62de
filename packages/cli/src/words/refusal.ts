/** A place in an input, in one line of text or of JSON. */
import type { FaultFinding, FaultRefusal, RecordRefusal } from '@utf8/dump';
import { formatJson } from '../terminal/escape.js';

/** Such as `dump.csv:3:17: offset 162: wrong-form: F0`. */
export function describeFault(finding: FaultFinding, json: boolean): string {
  if (json) return formatJson(finding);
  const { file, line, column, offset, reason, bytes } = finding;
  return `${file}:${line}:${column}: offset ${offset}: ${reason}: ${bytes}`;
}

/** Such as `dump.csv:3: record 2, column name: offset 22: unpaired surrogate: ED A0 BD`. */
export function describeRefusal(refusal: FaultRefusal | RecordRefusal, json: boolean): string {
  if ('isTargetAtFault' in refusal) {
    const { isTargetAtFault: _, ...fault } = refusal;
    return describeFault(fault, json);
  }
  if (json) return formatJson(refusal);
  const { file, record, line, column, offset, kind, bytes } = refusal;
  const place = record === 0 ? 'outside of records' : `record ${record}, column ${column}`;
  return `${file}:${line}: ${place}: offset ${offset}: ${kind}${bytes && `: ${bytes}`}`;
}
