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

/**
 * The races of the table: ours, and what its users have now. That is the platform for UTF-8, and a package for
 * other encodings, or the platform's decoder and encoder where they are made for the same text in UTF-8.
 *
 * @type {readonly { task: string, operation: string, contestant: string, other: string, called: string }[]}
 */
const rows = [
  race('`strict.decode`', 'decode', 'strict', 'TextDecoder fatal', '`TextDecoder`, fatal'),
  race('`strict.encode`', 'encode', 'strict', 'TextEncoder', '`TextEncoder`'),
  race('`strict.isValid`', 'validate', 'strict', 'isUtf8', '`buffer.isUtf8`'),
  race('`mutf8.decode`', 'decode', 'mutf8', 'mutf-8', 'npm: mutf-8'),
  race('`mutf8.encode`', 'encode', 'mutf8', 'mutf-8', 'npm: mutf-8'),
  race('`mutf8.isValid`', 'validate', 'mutf8', 'mutf-8', 'npm: mutf-8, decoding'),
  race('`cesu8.decode`', 'decode', 'cesu8', 'iconv-lite', 'npm: iconv-lite'),
  race('`cesu8.encode`', 'encode', 'cesu8', 'iconv-lite', 'npm: iconv-lite'),
  race('CESU-8 to UTF-8', 'transcode', 'cesu8 → utf8', 'iconv-lite', 'npm: iconv-lite'),
  race('`wtf8.decode`', 'decode', 'wtf8', '@cto.af/wtf8', 'npm: @cto.af/wtf8'),
  race('`wtf8.encode`', 'encode', 'wtf8', '@cto.af/wtf8', 'npm: @cto.af/wtf8'),
];

/**
 * @param {string} task
 * @param {string} operation
 * @param {string} contestant
 * @param {string} other
 * @param {string} called
 */
function race(task, operation, contestant, other, called) {
  return { task, operation, contestant, other, called };
}

/** The newest first, browsers last. */
const COLUMNS = ['node-26', 'node-24', 'node-22', 'node-20', 'deno', 'bun', 'chromium', 'firefox'];

/** @param {Report} report */
export function makeTable(report) {
  const find = indexCells(report.cells);
  const runtimes = report.runtimes
    .filter(({ name }) => report.cells.some(({ runtime }) => runtime === name))
    .sort((a, b) => COLUMNS.indexOf(a.name) - COLUMNS.indexOf(b.name));
  const lines = rows.flatMap(({ task, called, ...one }) => {
    const ratios = runtimes.map(({ name: runtime }) => compare(find, runtime, one));
    const shown = ratios.map((ratio) => (ratio ? `${showNumber(ratio)}×` : '–'));
    return ratios.some(Boolean) ? [`| ${task} | ${called} | ${shown.join(' | ')} |`] : [];
  });
  if (lines.length === 0) {
    throw new Error('the report has nothing for the table: it needs the dump at 64 KiB');
  }
  return [
    `| task | compared with | ${runtimes.map(({ about }) => about).join(' | ')} |`,
    `| --- | --- |${' --- |'.repeat(runtimes.length)}`,
    ...lines,
    '',
    'Each figure is the speed relative to what it is compared with, on 64 KiB of an SQL dump in several languages with some emoji: above 1× is',
    'faster. A dash means that the runtime lacks one of the two.',
    describeLosses(report),
    '',
    `Measured by \`npm run bench -- --runtime …\` (${report.mode}) on ${showMachine(report)}.`,
  ].join('\n');
}

/**
 * Returns how many times as fast ours is in a runtime; undefined if one of the two is missing.
 *
 * @param {ReturnType<typeof indexCells>} find
 * @param {string} runtime
 * @param {{ operation: string, contestant: string, other: string }} race
 */
function compare(find, runtime, { operation, contestant, other }) {
  const at = { runtime, operation, corpus: CORPUS, size: SIZE };
  const [ours, theirs] = [find({ ...at, contestant }), find({ ...at, contestant: other })];
  return ours && theirs && theirs.median / ours.median;
}

/** A smaller difference than this does not count as slower: two runs differ by as much. */
const LOSS = 0.97;

/** Codecs whose losses against the platform are described. */
const CODECS = ['strict', 'cesu8', 'mutf8', 'wtf8'];

/** Describes in one sentence the cases in which the platform is faster than ours. @param {Report} report */
function describeLosses(report) {
  const find = indexCells(report.cells);
  const ratios = report.cells.flatMap((cell) => {
    const { runtime, operation, contestant, corpus, size } = cell;
    if (corpus === MALFORMED || !CODECS.includes(contestant)) return [];
    const found = compareToNative(find, cell);
    if (!found || found.isNoisy) return [];
    return [{ runtime, operation, contestant, corpus, size, ratio: found.ratio }];
  });
  const losses = ratios.filter(({ ratio }) => ratio < LOSS).sort((a, b) => a.ratio - b.ratio);
  const [worst] = losses;
  if (!worst)
    return "Across all texts and sizes, the platform's UTF-8 codec is faster in none of the cases.";
  const share = Math.round((losses.length / ratios.length) * 100);
  const about = report.runtimes.find(({ name }) => name === worst.runtime)?.about;
  return `Across all texts and sizes, noisy measurements apart, the platform's codec is faster with the same text in UTF-8 in ${share} % of the cases. Its lead is greatest in \`${worst.operation}\` of \`${worst.contestant}\` on ${about} (${showSize(worst.size)}, ${worst.corpus}), where these packages reach ${showNumber(worst.ratio)}× its speed.`;
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
