/** Summary of a comparison, in words. */
import type { ShownValue, VerifyFinding, VerifyReport } from '@utf8/dump';
import { spellPhrase } from '../option/flag.js';
import { count, listCounts } from './count.js';
import { describeRecord, nameLine } from './place.js';

/** The most tables that the summary names. */
const NAMED = 10;

/** The lines of the summary. */
export function summarizeVerify(report: VerifyReport): string[] {
  const { records, findings, unexplained, columns, examples, tables } = report;
  const { source, target, equal, explained } = records;
  const sides = `${count(source, 'record')} in the source, ${target} in the target`;
  if (source + target === 0) return ['no records in either file, so nothing was compared'];
  const lines = [`${sides}: ${equal} equal, ${explained} explained by the policies`];
  const whole = tables.filter(({ key }) => key.length === 0);
  if (whole.length > 0) {
    const names = whole.flatMap((table) => table.source ?? table.target ?? []);
    const more = names.length > NAMED ? ` and ${names.length - NAMED} more tables` : '';
    const which = names.length > 0 ? ` in ${names.slice(0, NAMED).join(', ')}${more}` : '';
    lines.push(`whole records were compared${which}; --key compares values`);
  }
  for (const name of Object.keys(findings) as VerifyFinding['class'][]) {
    const total = findings[name] ?? 0;
    const left = unexplained[name] ?? 0;
    const shown = examples[name] ?? [];
    const doubt = left === 0 ? ', explained' : left < total ? `, ${left} unexplained` : '';
    lines.push('', `${name} ${total}${doubt}: ${listCounts(columns[name] ?? {})}`);
    for (const finding of shown) lines.push(`  ${describeFinding(finding)}`);
    if (total > shown.length) lines.push(`  and ${total - shown.length} more`);
  }
  return lines;
}

/** Such as `old.sql:17: column name (record 16, id "12"): "a😀b" [61 …] is "a?b" [61 3F 62] in new.csv:5`. */
function describeFinding({ source, target, ...finding }: VerifyFinding): string {
  const { table, column, key, value, becomes, found, options } = finding;
  const detail = options ? `as with ${spellOptions(options)}` : finding.detail;
  const place = source ?? target;
  const expected = becomes ? `, expected ${show(becomes)},` : '';
  const values = [
    ...(value === undefined ? [] : [`${show(value)}${expected}`]),
    ...(found === undefined ? [] : [value === undefined ? show(found) : `is ${show(found)}`]),
  ].join(' ');
  const other = source && target ? ` in ${nameLine(target.file, target.line)}` : '';
  const what = values ? `: ${values}${other}` : '';
  const why = detail === undefined ? '' : ` (${detail})`;
  const where = place ? `${nameLine(place.file, place.line)}: ` : '';
  return `${where}${describeRecord(place?.record, { table, column, key })}${what}${why}`;
}

const spellOptions = (options: Readonly<Record<string, string>>): string =>
  Object.entries(options)
    .map(([option, value]) => spellPhrase([{ option, value }]))
    .join(' ');

/** The bytes distinguish texts that look the same. */
const show = (value: ShownValue | null): string => {
  if (!value) return 'NULL';
  const { text, hex, length } = value;
  return `${JSON.stringify(text)} [${hex}${3 * length > hex.length + 1 ? ' …' : ''}]`;
};
