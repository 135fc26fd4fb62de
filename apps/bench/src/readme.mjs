/** The table of the root README, written from a report between two comments. */
import { readFileSync, writeFileSync } from 'node:fs';
import { showMachine } from './machine.mjs';
import { showNumber, throughput } from './table.mjs';

/** @typedef {import('./report.mjs').Report} Report */

const START = '<!-- speed: written by `npm run bench -- --readme` -->';
const END = '<!-- /speed -->';
const SIZE = 64 * 1024;

/** Each row: ours, against whom, in which operation. */
const rows = [
  { operation: 'decode', ours: 'strict', against: 'TextDecoder fatal' },
  { operation: 'decode', ours: 'cesu8', against: 'TextDecoder fatal' },
  { operation: 'decode', ours: 'mutf8', against: 'TextDecoder fatal' },
  { operation: 'decode', ours: 'wtf8', against: 'TextDecoder fatal' },
  { operation: 'decode', ours: 'rfc2279', against: 'TextDecoder fatal' },
  { operation: 'decode', ours: 'cesu8', against: 'iconv-lite' },
  { operation: 'decode', ours: 'mutf8', against: 'mutf-8' },
  { operation: 'encode', ours: 'strict', against: 'TextEncoder' },
  { operation: 'encode', ours: 'cesu8', against: 'TextEncoder' },
  { operation: 'encode', ours: 'mutf8', against: 'TextEncoder' },
  { operation: 'encode', ours: 'wtf8', against: 'TextEncoder' },
  { operation: 'encode', ours: 'cesu8', against: 'iconv-lite' },
  { operation: 'encode', ours: 'mutf8', against: 'mutf-8' },
  { operation: 'validate', ours: 'cesu8', against: 'isUtf8' },
  { operation: 'transcode', ours: 'cesu8 → utf8', against: 'native decode + encode' },
];

/** @param {Report} report */
export function makeTable(report) {
  const cells = report.cells.filter(({ size, wrong }) => size === SIZE && !wrong);
  const corpora = [
    ...new Set(
      cells.filter(({ operation }) => operation !== 'replace').map(({ corpus }) => corpus),
    ),
  ];
  const find = (
    /** @type {string} */ operation,
    /** @type {string} */ corpus,
    /** @type {string} */ name,
  ) =>
    cells.find(
      (cell) => cell.operation === operation && cell.corpus === corpus && cell.contestant === name,
    );
  const lines = rows.flatMap(({ operation, ours, against }) => {
    const ratios = corpora.map((corpus) => {
      const [a, b] = [find(operation, corpus, ours), find(operation, corpus, against)];
      return a && b ? showNumber(b.median / a.median) : '–';
    });
    return ratios.every((ratio) => ratio === '–')
      ? []
      : [`| ${operation} \`${ours}\` / ${against} | ${ratios.join(' | ')} |`];
  });
  const decoded = corpora.map((corpus) => find('decode', corpus, 'cesu8'));
  const speeds = decoded.map((cell) => (cell ? Math.round(throughput(cell)) : '–'));
  return [
    `| times as fast, 64 KiB | ${corpora.join(' | ')} |`,
    `| --- |${' --- |'.repeat(corpora.length)}`,
    ...lines,
    ...(decoded.some(Boolean) ? [`| decode \`cesu8\`, MB/s | ${speeds.join(' | ')} |`] : []),
    ...fileLines(report),
    '',
    `Measured by \`npm run bench\` (${report.mode}) on ${showMachine(report.machine)}.`,
  ].join('\n');
}

/** @param {Report} report */
function fileLines({ files }) {
  const ours = files.findLast(({ contestant, time }) => contestant === 'utf8 convert' && time);
  const uconv = files.find(({ contestant, size }) => contestant === 'uconv' && size === ours?.size);
  if (!ours?.time || !uconv?.time) return [];
  const mib = Math.round(ours.size / 2 ** 20);
  return [
    '',
    `A file of ${mib} MiB, CESU-8 to UTF-8, start-up included: \`utf8 convert\` ${(ours.time.median / 1000).toFixed(2)} s${ours.rss ? ` and ${Math.round(ours.rss / 1e6)} MB of memory` : ''}, \`uconv\` ${(uconv.time.median / 1000).toFixed(2)} s.`,
  ];
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
