/** The table of the root README, written from a report between two comments. */
import { readFileSync, writeFileSync } from 'node:fs';
import { MALFORMED } from './arena/operations/replace.mjs';
import { showMachine } from './machine.mjs';
import { compareToNative, indexCells } from './report.mjs';
import { showSize } from './sizes.mjs';
import { showNumber } from './table.mjs';

/** @typedef {import('./report.mjs').Report} Report */

const START = '<!-- speed: written by `npm run bench -- --readme` -->';
const END = '<!-- /speed -->';

/** Typical text: a dump with several languages, and now and then an emoji. */
const SIZE = 64 * 1024;
const CORPUS = 'dump';

/** Name of each row, and its race. */
const rows = [
  { name: '`mutf8.decode`', operation: 'decode', contestant: 'mutf8' },
  { name: '`mutf8.encode`', operation: 'encode', contestant: 'mutf8' },
  { name: '`mutf8.isValid`', operation: 'validate', contestant: 'mutf8' },
  { name: '`transcode`, MUTF-8 to UTF-8', operation: 'transcode', contestant: 'mutf8 → utf8' },
  { name: '`strict.decode`', operation: 'decode', contestant: 'strict' },
  { name: '`strict.encode`', operation: 'encode', contestant: 'strict' },
  { name: '`strict.isValid`', operation: 'validate', contestant: 'strict' },
];

/** The newest first, browsers last. */
const COLUMNS = ['node-26', 'node-24', 'node-22', 'node-20', 'deno', 'bun', 'chromium', 'firefox'];

/** @param {Report} report */
export function makeTable(report) {
  const find = indexCells(report.cells);
  const runtimes = report.runtimes
    .filter(({ name }) => report.cells.some(({ runtime }) => runtime === name))
    .sort((a, b) => COLUMNS.indexOf(a.name) - COLUMNS.indexOf(b.name));
  const lines = rows.flatMap(({ name, operation, contestant }) => {
    const ratios = runtimes.map(({ name: runtime }) =>
      compareToNative(find, { runtime, operation, corpus: CORPUS, size: SIZE, contestant }),
    );
    const shown = ratios.map((found) => (found ? `${showNumber(found.ratio)}×` : '–'));
    return ratios.some(Boolean) ? [`| ${name} | ${shown.join(' | ')} |`] : [];
  });
  if (lines.length === 0) {
    throw new Error('the report has nothing for the table: it needs the dump at 64 KiB');
  }
  return [
    `| | ${runtimes.map(({ about }) => about).join(' | ')} |`,
    `| --- |${' --- |'.repeat(runtimes.length)}`,
    ...lines,
    '',
    "Speed relative to the platform's own UTF-8 functions (`TextDecoder`, `TextEncoder`, `buffer.isUtf8`): above 1× is faster.",
    'The text is 64 KiB of an SQL dump in several languages with some emoji.',
    describeLosses(report),
    '',
    `Measured by \`npm run bench -- --runtime …\` (${report.mode}) on ${showMachine(report)}.`,
  ].join('\n');
}

/** Slower by less than this is no loss: two runs differ by as much. */
const LOSS = 0.97;

/** Describes in one sentence the cases in which the platform is faster than ours. @param {Report} report */
function describeLosses(report) {
  const find = indexCells(report.cells);
  const contestants = new Set(
    rows.map(({ operation, contestant }) => `${operation} ${contestant}`),
  );
  const ratios = report.cells.flatMap((cell) => {
    const { runtime, operation, contestant, corpus, size } = cell;
    if (corpus === MALFORMED || !contestants.has(`${operation} ${contestant}`)) return [];
    const found = compareToNative(find, cell);
    return found ? [{ runtime, operation, contestant, corpus, size, ratio: found.ratio }] : [];
  });
  const losses = ratios.filter(({ ratio }) => ratio < LOSS).sort((a, b) => a.ratio - b.ratio);
  const [worst] = losses;
  if (!worst)
    return 'Across all texts and sizes, the platform is faster in none of the measurements.';
  const share = Math.round((losses.length / ratios.length) * 100);
  const about = report.runtimes.find(({ name }) => name === worst.runtime)?.about;
  return `Across all texts and sizes, the platform is faster in ${share} % of the measurements. Its lead is greatest in \`${worst.operation}\` of \`${worst.contestant}\` on ${about} (${showSize(worst.size)}, ${worst.corpus}), where these packages reach ${showNumber(worst.ratio)}× its speed.`;
}

/** Writes the table into a README. @param {string} reportFile @param {string} readmeFile */
export function writeReadme(reportFile, readmeFile) {
  const report = JSON.parse(readFileSync(reportFile, 'utf8'));
  const readme = readFileSync(readmeFile, 'utf8');
  const [start, end] = [readme.indexOf(START), readme.indexOf(END)];
  if (start < 0 || end < start) throw new Error(`${readmeFile} has no lines ${START} and ${END}`);
  writeFileSync(
    readmeFile,
    `${readme.slice(0, start + START.length)}\n\n${makeTable(report)}\n\n${readme.slice(end)}`,
  );
}
