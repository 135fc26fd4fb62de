/** What a conversion repaired or rejected, beyond converting it, in one line; empty if nothing. */
import type { ConvertReport } from '@utf8/dump';
import { formatJson } from '../terminal/escape.js';
import { count, listCounts, sumCounts } from './count.js';

type Stats = NonNullable<ConvertReport['stats']>;

const verbs: Readonly<Record<string, string>> = {
  replace: 'replaced',
  ignore: 'dropped',
  backslashreplace: 'escaped',
  'windows-1252': 'decoded as Windows-1252',
};

/** @param rejects - The file of rejected records. */
export function describeOutcome(stats: Stats, rejects: string | undefined, json: boolean): string {
  if ('records' in stats) {
    const { records, findings } = stats;
    const found = Object.fromEntries(Object.entries(findings).filter(([, number]) => number > 0));
    const { pair, 'four-byte form': fourByte, ...repairs } = found;
    if (records.rejected === 0 && sumCounts(repairs) === 0) return '';
    const { in: read, rejected } = records;
    if (json) return formatJson({ records: read, rejected, findings: found });
    const gone = rejected > 0 ? `${rejected} rejected to ${rejects}; ` : '';
    return `utf8: ${count(read, 'record')}, ${gone}found: ${listCounts(found)}`;
  }
  const { errors, faults, nul } = stats;
  const number = sumCounts(faults);
  const nuls = sumCounts(nul);
  if (number + nuls === 0) return '';
  if (json) return formatJson({ errors, faults, nul });
  const parts: string[] = [];
  if (number > 0) parts.push(`${verbs[errors]} ${count(number, 'fault')} (${listCounts(faults)})`);
  if (nuls > 0) {
    parts.push(`${nul.removed > 0 ? 'removed' : 'replaced'} U+0000 ${count(nuls, 'time')}`);
  }
  return `utf8: ${parts.join('; ')}`;
}
