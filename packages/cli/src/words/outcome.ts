/** Summary of a conversion's repairs and rejections, in one line; empty if it had neither. */
import type { ConvertReport } from '@utf8/dump';
import { count, listCounts, sumCounts } from './count.js';

type Stats = ConvertReport['stats'];

const verbs: Readonly<Record<string, string>> = {
  replace: 'replaced',
  remove: 'removed',
  escape: 'escaped',
};

/** Such as `Windows-1252` or `KOI8-R`. */
const nameEncoding = (label: string): string =>
  label.replace(/^(windows|macintosh)|^.*$/, (name, word) =>
    word ? name[0]?.toUpperCase() + name.slice(1) : name.toUpperCase(),
  );

/** The counts of a conversion as an object for JSON. */
export function summarizeOutcome(stats: Stats): object {
  if (!('records' in stats)) {
    const { errors, faults, nul } = stats;
    return { type: 'summary', errors, faults, nul };
  }
  const { in: records, rejected } = stats.records;
  return { type: 'summary', records, rejected, findings: listFound(stats.findings) };
}

const listFound = (findings: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(Object.entries(findings).filter(([, number]) => number > 0));

/** @param rejects - The file of rejected records. */
export function describeOutcome(stats: Stats, rejects: string | undefined): string {
  if ('records' in stats) {
    const { records, findings } = stats;
    const found = listFound(findings);
    const { pair, 'four-byte': fourByte, ...repairs } = found;
    if (records.rejected === 0 && sumCounts(repairs) === 0) return '';
    const { in: read, rejected } = records;
    const gone = rejected > 0 ? `${rejected} rejected to ${rejects}; ` : '';
    return `utf8: ${count(read, 'record')}, ${gone}found: ${listCounts(found)}`;
  }
  const { errors, faults, nul } = stats;
  const number = sumCounts(faults);
  const nuls = sumCounts(nul);
  if (number + nuls === 0) return '';
  const parts: string[] = [];
  const verb = verbs[errors] ?? `decoded as ${nameEncoding(errors)}`;
  if (number > 0)
    parts.push(`${verb} ${count(number, 'malformed character')} (${listCounts(faults)})`);
  if (nuls > 0) {
    parts.push(`${nul.removed > 0 ? 'removed' : 'replaced'} U+0000 ${count(nuls, 'time')}`);
  }
  return `utf8: ${parts.join('; ')}`;
}
