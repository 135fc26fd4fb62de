/** A report as text for a terminal. */
import { styleText } from 'node:util';
import { showMachine } from './machine.mjs';
import { areRivals, findWrong } from './report.mjs';
import { showSize } from './targets.mjs';

/** @typedef {import('./report.mjs').Report} Report */

const isColoured = process.stdout.isTTY && !process.env.NO_COLOR;

/** @param {Parameters<typeof styleText>[0]} style @param {string} text */
const paint = (style, text) => (isColoured ? styleText(style, text) : text);

/** Columns side by side, the first to the left and the others to the right. @param {readonly (readonly string[])[]} rows */
export function align(rows) {
  const widths = (rows[0] ?? []).map((_, i) =>
    Math.max(...rows.map((row) => (row[i] ?? '').length)),
  );
  return rows.map((row) =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[i] ?? 0))),
  );
}

/** @param {readonly (readonly string[])[]} rows @param {(cell: string, column: number, row: number) => string} [colour] */
export const grid = (rows, colour = (cell) => cell) =>
  align(rows)
    .map((row, i) => `  ${row.map((cell, j) => colour(cell, j, i)).join('  ')}`.trimEnd())
    .join('\n');

/** @param {number} value */
export const showNumber = (value) =>
  value >= 100 ? String(Math.round(value)) : value >= 10 ? value.toFixed(1) : value.toFixed(2);

/** MB/s of the text's UTF-8. @param {{ bytes: number, median: number }} cell */
export const throughput = ({ bytes, median }) => (bytes / median) * 1000;

/** @param {string} text */
export const heading = (text) => `\n${paint('bold', text)}`;

/** The sizes that the terminal has room for: those that targets are set for. @param {readonly number[]} sizes */
export const shownSizes = (sizes) => {
  const main = sizes.filter((size) => size === 64 || size === 65536);
  return main.length > 0 ? main : sizes.slice(-1);
};

/** One operation, at each size: throughput, then our ratio to each rival. @param {Report} report @param {string} operation */
export function showOperation(report, operation) {
  const cells = report.cells.filter((cell) => cell.operation === operation && !cell.wrong);
  const corpora = [...new Set(cells.map(({ corpus }) => corpus))];
  const sizes = [...new Set(cells.map(({ size }) => size))].sort((a, b) => a - b);
  const entries = report.contestants.filter((entry) => entry.operation === operation);
  const find = (
    /** @type {string} */ name,
    /** @type {string} */ corpus,
    /** @type {number} */ size,
  ) =>
    cells.find((cell) => cell.contestant === name && cell.corpus === corpus && cell.size === size);
  const lines = [];
  for (const size of shownSizes(sizes)) {
    const speeds = entries
      .map(({ name, lax }) => [
        name + (lax ? ' †' : ''),
        ...corpora.map((corpus) => {
          const cell = find(name, corpus, size);
          return cell ? showNumber(throughput(cell)) : '';
        }),
      ])
      .filter((row) => row.slice(1).some(Boolean));
    if (speeds.length === 0) continue;
    lines.push(
      heading(`${operation}, ${showSize(size)}: MB/s`),
      grid([['', ...corpora], ...speeds]),
    );
    const ratios = entries
      .filter(({ group, name }) => group === 'ours' && !/\/|, clean/.test(name))
      .flatMap((one) =>
        entries
          .filter((other) => other.group !== 'ours' && areRivals(one, other))
          .map((other) => [
            `${one.name} / ${other.name}`,
            ...corpora.map((corpus) => {
              const [a, b] = [find(one.name, corpus, size), find(other.name, corpus, size)];
              return a && b ? `${showNumber(b.median / a.median)}×` : '';
            }),
          ]),
      )
      .filter((row) => row.slice(1).some(Boolean));
    if (ratios.length > 0) {
      lines.push(
        heading(`${operation}, ${showSize(size)}: times as fast`),
        grid([['', ...corpora], ...ratios], (cell, column, row) =>
          row === 0 || column === 0 || !cell.trim()
            ? cell
            : paint(Number.parseFloat(cell) >= 1 ? 'green' : 'red', cell),
        ),
      );
    }
  }
  if (entries.some(({ lax }) => lax)) lines.push('  † takes malformed input without a word, too');
  return lines.join('\n');
}

/** @param {Report} report */
export function showFiles({ files }) {
  if (files.length === 0) return '';
  const rows = files.flatMap(({ contestant, did, size, time, rss }) =>
    time
      ? [
          [
            contestant,
            showSize(size),
            `${showNumber(time.median)} ms`,
            `${showNumber(size / time.median / 1000)} MB/s`,
            rss ? `${Math.round(rss / 1e6)} MB` : '',
            did,
          ],
        ]
      : [],
  );
  const [head, body] = [['program', 'file', 'time', 'speed', 'memory', 'what it does'], rows];
  const table = align([head, ...body].map((row) => row.slice(0, -1))).map(
    (row, i) => `  ${row.join('  ')}  ${(i === 0 ? head : body[i - 1])?.at(-1)}`,
  );
  return [heading('files, start-up included'), ...table].join('\n');
}

/** @param {Report} report */
export function showStarts({ starts }) {
  if (starts.length === 0) return '';
  const steps = Object.keys(starts[0]?.times ?? {});
  return [
    heading('a fresh process, first call of each kind on 64 KiB: ms'),
    grid([
      ['', ...steps],
      ...starts.map(({ contestant, times }) => [
        contestant,
        ...steps.map((step) => (times[step]?.median ?? Number.NaN).toFixed(2)),
      ]),
    ]),
  ].join('\n');
}

/** @param {Report} report */
export function showMemory({ memory }) {
  const [first] = memory;
  if (!first) return '';
  const kib = (/** @type {number} */ bytes) => (bytes / 1024).toFixed(0);
  const operations = [...new Set(memory.map(({ operation }) => operation))];
  const names = [...new Set(memory.map(({ contestant }) => contestant))];
  return [
    heading(`memory of one call on ${first.corpus}: KiB allocated, and kept by its result`),
    grid([
      ['', ...operations],
      ...names.map((name) => [
        name,
        ...operations.map((operation) => {
          const one = memory.find((m) => m.operation === operation && m.contestant === name);
          return one ? `${kib(one.allocated)} ${kib(one.kept).padStart(4)}` : '';
        }),
      ]),
    ]),
  ].join('\n');
}

/** Targets that belong together in one line, missed ones with their numbers. @param {Report} report */
export function showTargets({ targets }) {
  if (targets.length === 0) return '';
  const groups = group(targets);
  const lines = Array.from(groups, ([what, list]) => {
    const missed = list.filter(({ isMet }) => !isMet);
    const mark = missed.length === 0 ? paint('green', 'met   ') : paint('red', 'missed');
    const shown = list
      .map(({ where, measured, relation, wanted, unit, isMet }) =>
        paint(
          isMet ? 'reset' : 'red',
          `${where} ${showNumber(measured)}${unit} (${relation} ${wanted})`,
        ),
      )
      .join(', ');
    return `  ${mark} ${what}: ${shown}`;
  });
  const met = targets.filter(({ isMet }) => isMet).length;
  return [heading(`targets: ${met} of ${targets.length} met`), ...lines].join('\n');
}

/** @param {Report['targets']} targets */
function group(targets) {
  /** @type {Map<string, Report['targets']>} */
  const groups = new Map();
  for (const target of targets)
    groups.set(target.what, [...(groups.get(target.what) ?? []), target]);
  return groups;
}

/** @param {Report} report */
export function showEnd(report) {
  const wrong = findWrong(report);
  return [
    ...(report.skipped.length > 0
      ? [heading('skipped'), ...report.skipped.map((line) => `  ${line}`)]
      : []),
    ...(wrong.length > 0
      ? [heading('wrong, and so not timed'), ...wrong.map(({ what, why }) => `  ${what}: ${why}`)]
      : []),
    '',
    `${Math.round(report.seconds)} s on ${showMachine(report.machine)}`,
  ].join('\n');
}
