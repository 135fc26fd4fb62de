/** What a scan found, in words. */
import type { ScanFinding, ScanReport } from '@utf8/dump';
import { count, listCounts } from './count.js';

type Key = NonNullable<ScanFinding['key']>;

/** The lines of the summary. */
export function summarizeScan(report: ScanReport): string[] {
  const { records, changed, rejected, findings, columns, examples, outsideRecords } = report;
  const isKept = report.suggested.includes('mojibake');
  const kinds = Object.keys(findings) as (keyof typeof findings)[];
  const failed = report.files.filter((file) => file.failed).length;
  const fates = `${changed} would change, ${rejected} would be rejected`;
  const lines = [`${count(records, 'record')}: ${kinds.length > 0 ? fates : 'nothing found'}`];
  // Nothing is known of a file that could not be read.
  if (records === 0 && failed > 0 && kinds.length === 0) lines.pop();
  for (const kind of kinds) {
    const total = findings[kind] ?? 0;
    const shown = examples[kind] ?? [];
    lines.push('', `${kind} ${total}: ${listCounts(columns[kind] ?? {})}`);
    for (const finding of shown) lines.push(`  ${describeFinding(finding)}`);
    if (total > shown.length) lines.push(`  and ${total - shown.length} more`);
    if (kind === 'mojibake' && isKept) lines.push(`  kept; add --mojibake repair to repair it`);
  }
  if (outsideRecords > 0) {
    const advice = 'repair them with other policies or by hand';
    lines.push(
      '',
      `${count(outsideRecords, 'finding')} outside of records would stop a conversion; ${advice}`,
    );
  }
  if (failed === 0) return lines;
  const files = `${count(failed, 'file')} could not be read to the end`;
  return [...lines, ...(lines.length > 0 ? [''] : []), `Incomplete: ${files}`];
}

/** Such as `dump.csv:17: record 16, column name, id "12": offset 1234: ED A0 BD is refused`. */
function describeFinding(finding: ScanFinding): string {
  const { file, line, record, column, key, offset } = finding;
  const place = record === 0 ? ['outside of records'] : [`record ${record}`, `column ${column}`];
  if (key) place.push(describeKey(key));
  return `${file}:${line}: ${place.join(', ')}: offset ${offset}: ${describeWhat(finding)}`;
}

function describeWhat(finding: ScanFinding): string {
  switch (finding.kind) {
    case 'equal keys':
      return `becomes ${describeKey(finding.becomes)}, like ${describeOther(finding.other)}`;
    case 'order':
      return `${finding.before} than ${describeOther(finding.other)} before, ${finding.after} after`;
    case 'over the limit':
      return `length ${finding.before} becomes ${finding.after}, over the limit of ${finding.limit}`;
    case 'narrow column':
    case 'narrow connection': {
      const at = finding.declared > 0 ? ` (line ${finding.declared})` : '';
      return `${finding.bytes} is not in ${finding.charset}${at}, and would be stored as ?`;
    }
    case 'unstated encoding':
      return finding.charset === null
        ? 'without SET NAMES, the client decides which encoding the text is in; add --fix-header'
        : `with ${finding.charset}, a server assumes that the text is in the encoding of its database; add --fix-header`;
    case 'orphaned row':
      return 'refers to a row that is rejected';
    case 'partition key':
      return `becomes ${finding.bytes}, which may belong in another partition`;
    case 'text or binary':
      return `${finding.bytes} may be text or binary; describe its table with --schema, or decide with --assume`;
    case 'length prefix':
      return `${finding.prefix} is not the length of the repaired text`;
    case 'undeclared JSON':
      return `${finding.bytes} is refused by jsonb; if column ${finding.column} is JSON, add --json-columns ${finding.column}`;
    case 'equal JSON keys':
      return `key ${finding.bytes} becomes equal to another key of its object`;
    case 'noncharacter or unassigned':
      return `${finding.bytes} is ${finding.character}, which is not a character`;
    default: {
      const { bytes, becomes, reason } = finding;
      if (becomes === null) return `${bytes} is refused${reason ? ` (${reason})` : ''}`;
      return becomes === '' ? `${bytes} is removed` : `${bytes} becomes ${becomes}`;
    }
  }
}

type Other = Extract<ScanFinding, { kind: 'order' }>['other'];

const describeOther = ({ file, record, line, key }: Other): string =>
  `record ${record} (${file}:${line}, ${describeKey(key)})`;

/** Such as `id "12"`. */
export const describeKey = (key: Key): string =>
  Object.entries(key)
    .map(([column, value]) => `${column} ${JSON.stringify(value)}`)
    .join(', ');
