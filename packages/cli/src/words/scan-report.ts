/** Summary of a scan, in words. */
import type { ScanFinding, ScanReport } from '@utf8/dump';
import { count, listCounts } from './count.js';
import { adviseHazard } from './hazard.js';
import { describeKey, describeRecord, nameLine, nameRecord } from './place.js';
import { quoteArgument } from './shell.js';

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
    if (kind === 'noncharacter' && report.suggested.includes(kind)) {
      lines.push('  kept; add --noncharacters replace if the target refuses it');
    }
  }
  if (outsideRecords > 0) {
    const advice = 'repair them with other policies or by hand';
    lines.push(
      '',
      `${count(outsideRecords, 'finding')} outside of records would stop a conversion; ${advice}`,
    );
  }
  const hazards = new Set(report.files.flatMap((file) => file.hazards));
  for (const hazard of hazards) {
    lines.push('', `A conversion would stop at ${hazard}: ${adviseHazard(hazard)}`);
  }
  for (const { file, declared } of report.files) {
    if (declared) lines.push('', ...describeDeclared(file, declared));
  }
  if (failed === 0) return lines;
  const files = `${count(failed, 'file')} could not be read to the end`;
  return [...lines, ...(lines.length > 0 ? [''] : []), `Incomplete: ${files}`];
}

type Declared = NonNullable<ScanReport['files'][number]['declared']>;

/** Says whether the declared encoding of a file is right. */
function describeDeclared(file: string, { charset, line, fits }: Declared): string[] {
  const says = `${nameLine(file, line)}: declares ${charset}`;
  if (fits === 'none')
    return [`${says}, but its text is in UTF-8; add --fix-header to declare that`];
  if (fits === 'all') {
    return [`${says}, and no text is in UTF-8: right as declared, so load it as it is`];
  }
  return [`${says}, which only some of its text is in; the rest is in UTF-8`];
}

/** Such as `dump.csv:17: column name (record 16, id "12"): offset 1234: ED A0 BD is refused`. */
function describeFinding(finding: ScanFinding): string {
  const { file, line, record, column, key, offset } = finding;
  const place = `${nameLine(file, line)}: ${describeRecord(record, { column, key })}`;
  return `${place}: offset ${offset}: ${describeWhat(finding)}`;
}

function describeWhat(finding: ScanFinding): string {
  switch (finding.kind) {
    case 'equal-keys':
      return `becomes ${describeKey(finding.becomes)}, like ${describeOther(finding.other)}`;
    case 'order':
      return `${finding.before} than ${describeOther(finding.other)} before, ${finding.after} after`;
    case 'too-long':
      return `length ${finding.before} becomes ${finding.after}; the limit is ${finding.limit}`;
    case 'declared-encoding': {
      const at = finding.declared > 0 ? ` (line ${finding.declared})` : '';
      return `${finding.bytes} is in UTF-8, and ${finding.charset} is declared${at}, so a server reads other characters`;
    }
    case 'narrow-column':
    case 'narrow-connection': {
      const at = finding.declared > 0 ? ` (line ${finding.declared})` : '';
      return `${finding.bytes} is not in ${finding.charset}${at}, and would be stored as ?`;
    }
    case 'unstated-encoding':
      return finding.charset === null
        ? 'without SET NAMES, the client decides which encoding the text is in; add --fix-header'
        : `with ${finding.charset}, a server assumes that the text is in the encoding of its database; add --fix-header`;
    case 'byte-order-mark':
      return `${finding.bytes} is kept; some programs read it as a part of the first name, or refuse it: remove it with --bom strip`;
    case 'orphaned-row':
      return 'refers to a row that is rejected';
    case 'partition-key':
      return `becomes ${finding.bytes}, which may belong in another partition`;
    case 'text-or-binary':
      return `${finding.bytes} may be text or binary; describe its table with --schema, or decide with --assume`;
    case 'undeclared-json':
      return `${finding.bytes} is refused by jsonb; if column ${finding.column} is JSON, add --json-columns ${nameColumn(finding)}`;
    case 'undeclared-xml':
      return `${finding.bytes} is refused in XML; if column ${finding.column} is XML, add --xml-columns ${nameColumn(finding)}`;
    case 'equal-json-keys':
      return `key ${finding.bytes} becomes equal to another key of its object`;
    case 'noncharacter':
    case 'unassigned':
      if ('becomes' in finding) return describeChange(finding.bytes, finding.becomes);
      return `${finding.bytes} is ${finding.character}, which is not a character`;
    case 'inner-length':
      return describeLength(finding);
    case 'mojibake': {
      const { through = [] } = finding;
      const readings =
        through.length > 0 ? `, read as ${through.toReversed().join(', then as ')}` : '';
      return `${describeChange(finding.bytes, finding.becomes)}${readings}`;
    }
    default:
      return describeChange(finding.bytes, finding.becomes, finding.reason);
  }
}

function describeChange(bytes: string, becomes: string | null | undefined, why?: string): string {
  if (!becomes && becomes !== '') return `${bytes} is refused${why ? ` (${why})` : ''}`;
  return becomes === '' ? `${bytes} is removed` : `${bytes} becomes ${becomes}`;
}

/** Names a column as the option finds it: that of its table, and the same one of all elements of an array. */
function nameColumn({ table, column }: ScanFinding): string {
  const name = `${column}`.replace(/\[\d+\]/g, '[]');
  const own = table?.slice(table.lastIndexOf('.') + 1);
  return quoteArgument(own === undefined || typeof column === 'number' ? name : `${own}.${name}`);
}

/** Such as `s:16: becomes s:14:`. */
function describeLength({ bytes, becomes, isAlreadyWrong }: Refusable): string {
  const length = spellAscii(bytes);
  if (becomes !== null) return `${length} becomes ${spellAscii(becomes)}`;
  return isAlreadyWrong
    ? `${length} is wrong already, and cannot be counted again`
    : `${length} would be wrong, and cannot be counted again`;
}

type Refusable = Extract<ScanFinding, { becomes: string | null }>;

/** Digits of a blob stay unchanged. */
const spellAscii = (hex: string): string =>
  Buffer.from(hex.replaceAll(' ', ''), 'hex').toString('latin1');

type Other = Extract<ScanFinding, { kind: 'order' }>['other'];

const describeOther = (other: Other): string => nameRecord(other, { key: other.key });
