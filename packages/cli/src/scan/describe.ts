/** A finding as people read it, in one line. */
import type { Finding, Key, Other } from './finding.js';

/** Such as `dump.csv:17: record 16, column name, id 12: offset 1234: ED A0 BD is refused`. */
export function describeFinding(finding: Finding): string {
  const { file, line, record, column, key, offset } = finding;
  const place = record === 0 ? ['outside of records'] : [`record ${record}`, `column ${column}`];
  if (key) place.push(describeKey(key));
  return `${file}:${line}: ${place.join(', ')}: offset ${offset}: ${describeWhat(finding)}`;
}

function describeWhat(finding: Finding): string {
  switch (finding.kind) {
    case 'equal keys':
      return `becomes ${describeKey(finding.becomes)}, as ${describeOther(finding.other)} has it`;
    case 'order':
      return `${finding.before} than ${describeOther(finding.other)} before it, and ${finding.after} then`;
    case 'over the limit':
      return `${finding.after} then and ${finding.before} now, where ${finding.limit} is the most`;
    case 'length prefix':
      return `${finding.prefix} is no longer the length of what is behind it`;
    case 'unassigned plane':
      return `becomes ${finding.character} in plane ${finding.plane}, which has no characters`;
    default:
      return describeBytes(finding);
  }
}

function describeBytes({
  bytes,
  becomes,
  reason,
}: {
  readonly bytes: string;
  readonly becomes: string | null;
  readonly reason?: string | undefined;
}): string {
  if (becomes === null) return `${bytes} is refused${reason ? ` (${reason})` : ''}`;
  return becomes === '' ? `${bytes} goes` : `${bytes} becomes ${becomes}`;
}

const describeOther = ({ file, record, line, key }: Other): string =>
  `record ${record} (${file}:${line}, ${describeKey(key)})`;

/** Control characters do nothing to a terminal. */
const describeKey = (key: Key): string =>
  Object.entries(key)
    .map(([column, value]) => `${column} ${JSON.stringify(value)}`)
    .join(', ');
