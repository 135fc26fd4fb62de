/** The comparison with native code, as text for a terminal. */

import { showSize } from '../sizes.mjs';
import { grid, heading, showNumber, shownSizes } from '../table.mjs';
import { REMARKS } from './contests.mjs';
import { groupRows, makeRows } from './rows.mjs';

/** @typedef {import('./measure.mjs').NativeReport} NativeReport */

/** @param {NativeReport | undefined} report */
export function showNative(report) {
  if (!report) return '';
  const rows = makeRows(report);
  const sizes = shownSizes([...new Set(rows.map(({ size }) => size))].sort((a, b) => a - b));
  const tables = groupRows(rows.filter(({ size }) => sizes.includes(size))).map(showGroup);
  const versions = Object.entries(report.versions).map(([name, version]) => `${name} ${version}`);
  return [
    ...tables,
    '',
    ...REMARKS.map((line) => `  ${line}`),
    '  † accepts malformed input; ~ the quartiles of the ratio lie far apart',
    ...(versions.length > 0 ? [`  ${versions.join(', ')}`] : []),
    ...(report.leftOut.length > 0
      ? [heading('native peers left out'), ...report.leftOut.map((line) => `  ${line}`)]
      : []),
  ].join('\n');
}

/** @param {readonly import('./rows.mjs').Row[]} rows - Of one contest and size. */
function showGroup(rows) {
  const [first] = rows;
  const peers = [...new Map(rows.map(({ peer, isLax }) => [peer, isLax]))];
  const corpora = [...new Set(rows.map(({ corpus }) => corpus))];
  const head = peers.flatMap(([peer, isLax]) => [`${peer}${isLax ? ' †' : ''}`, `ours/${peer}`]);
  const body = corpora.map((corpus) => {
    const found = peers.map(([peer]) =>
      rows.find((row) => row.corpus === corpus && row.peer === peer),
    );
    const cells = found.flatMap((row) =>
      row
        ? [showNumber(row.speed), `${row.isNoisy ? '~' : ''}${showNumber(row.ratio)}×`]
        : ['', ''],
    );
    return [corpus, showNumber(found.find(Boolean)?.ours ?? Number.NaN), ...cells];
  });
  return [
    heading(
      `native ${first?.contest}, ${showSize(first?.size ?? 0)}: MB/s, and speed of ours to theirs`,
    ),
    grid([['', 'ours', ...head], ...body]),
  ].join('\n');
}
