/** A report as text for a terminal. */
import { styleText } from 'node:util';
import { findMischosen, makeBackendsTable } from './backends.mjs';
import { showMachine } from './machine.mjs';
import { describeNoise, isTooNoisy } from './noise.mjs';
import { areRivals, compareToNative, findWrong, indexCells, isMain, NOW } from './report.mjs';
import { showSize } from './sizes.mjs';

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

/** Marks what stayed noisy. @param {{ isNoisy?: boolean | undefined }} one */
const mark = ({ isNoisy }) => (isNoisy ? '~' : '');

/** MB/s of the text's UTF-8. @param {{ bytes: number, median: number }} cell */
export const throughput = ({ bytes, median }) => (bytes / median) * 1000;

/** @param {string} text */
export const heading = (text) => `\n${paint('bold', text)}`;

/** The sizes that the terminal has room for: those that targets are set for. @param {readonly number[]} sizes */
export const shownSizes = (sizes) => {
  const main = sizes.filter((size) => size === 64 || size === 65536);
  return main.length > 0 ? main : sizes.slice(-1);
};

/** One operation in one runtime, at each size: throughput, then our ratio to each rival. @param {Report} report @param {string} operation */
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
          return cell ? showNumber(throughput(cell)) + mark(cell) : '';
        }),
      ])
      .filter((row) => row.slice(1).some(Boolean));
    if (speeds.length === 0) continue;
    lines.push(
      heading(`${operation}, ${showSize(size)}: MB/s`),
      grid([['', ...corpora], ...speeds]),
    );
    const ratios = entries
      .filter(isMain)
      .flatMap((one) =>
        entries
          .filter((other) => other.group !== 'ours' && areRivals(one, other))
          .map((other) => [
            `${one.name} / ${other.name}`,
            ...corpora.map((corpus) => {
              const [a, b] = [find(one.name, corpus, size), find(other.name, corpus, size)];
              if (!a || !b) return '';
              const isNoisy = Boolean(a.isNoisy || b.isNoisy);
              return `${showNumber(b.median / a.median)}×${mark({ isNoisy })}`;
            }),
          ]),
      )
      .filter((row) => row.slice(1).some(Boolean));
    if (ratios.length > 0) {
      lines.push(
        heading(`${operation}, ${showSize(size)}: times as fast`),
        grid([['', ...corpora], ...ratios], byRatio),
      );
    }
  }
  if (entries.some(({ lax }) => lax)) lines.push('  † takes malformed input without a word, too');
  return lines.join('\n');
}

/** A row of ratios, green from 1 on. @param {string} cell @param {number} column @param {number} row */
const byRatio = (cell, column, row) =>
  row === 0 || column === 0 || !cell.trim()
    ? cell
    : paint(Number.parseFloat(cell) >= 1 ? 'green' : 'red', cell);

/** One operation, at each size: our ratio to what each runtime has itself, side by side. @param {Report} report @param {string} operation */
export function showRuntimes(report, operation) {
  const find = indexCells(report.cells);
  const cells = report.cells.filter((cell) => cell.operation === operation && !cell.wrong);
  const corpora = [...new Set(cells.map(({ corpus }) => corpus))];
  const sizes = [...new Set(cells.map(({ size }) => size))].sort((a, b) => a - b);
  const names = new Set(
    report.contestants
      .filter((entry) => entry.operation === operation && isMain(entry))
      .map(({ name }) => name),
  );
  const runtimes = report.runtimes.map(({ name }) => name);
  return shownSizes(sizes)
    .flatMap((size) => {
      const rows = [...names].flatMap((contestant) =>
        corpora.map((corpus) => [
          `${contestant}, ${corpus}`,
          ...runtimes.map((runtime) => {
            const found = compareToNative(find, { runtime, operation, corpus, size, contestant });
            return found ? `${showNumber(found.ratio)}×${mark(found)}` : '';
          }),
        ]),
      );
      const shown = rows.filter((row) => row.slice(1).some(Boolean));
      return shown.length > 0
        ? [
            heading(`${operation}, ${showSize(size)}: times as fast as native in the same runtime`),
            grid([['', ...runtimes], ...shown], byRatio),
          ]
        : [];
    })
    .join('\n');
}

/** One operation, at all sizes: ours as they are, with an older build of the same as 1. @param {Report} report @param {string} operation */
export function showBuilds(report, operation) {
  const cells = report.cells.filter(
    (cell) => cell.operation === operation && cell.edition === NOW && cell.ratio,
  );
  return report.runtimes
    .flatMap(({ name }) => {
      const list = cells.filter(({ runtime }) => runtime === name);
      const sizes = [...new Set(list.map(({ size }) => size))].sort((a, b) => a - b);
      const keys = new Set(list.map(({ contestant, corpus }) => `${contestant}, ${corpus}`));
      const rows = Array.from(keys, (key) => [
        key,
        ...sizes.map((size) => {
          const cell = list.find(
            (one) => one.size === size && `${one.contestant}, ${one.corpus}` === key,
          );
          if (!cell?.ratio) return '';
          const { median, lower, upper } = cell.ratio;
          return `${median.toFixed(2)}× (${lower.toFixed(2)}–${upper.toFixed(2)})${mark(cell) || ' '}`;
        }),
      ]);
      return rows.length > 0
        ? [
            heading(
              `${operation}, ${name}: times as fast as ${report.against?.commit}, and the range of three processes`,
            ),
            grid([['', ...sizes.map(showSize)], ...rows], byRatio),
          ]
        : [];
    })
    .join('\n');
}

/** @param {Report} report */
export function showWays(report) {
  if (!report.backends) return '';
  const mischosen = findMischosen(report.backends).map(
    ({ runtime, operation, codec, corpus, size, backend, chosen = 1 }) =>
      `  ${runtime}, ${operation} ${codec}, ${corpus}, ${showSize(size)}: ${chosen.toFixed(2)} of ${backend}`,
  );
  return [
    heading('the fastest backend'),
    makeBackendsTable(report),
    ...(mischosen.length > 0
      ? [heading('where kernels choose another backend, and lose a tenth'), ...mischosen]
      : []),
  ].join('\n');
}

/** @param {Report} report */
export function showCommands({ commands, machine, runtimes }) {
  const timed = commands.filter(({ time }) => time);
  if (timed.length === 0) return '';
  const place = (/** @type {string} */ runtime) => (runtimes.length > 1 ? `${runtime}: ` : '');
  const tasks = group(
    timed.map((one) => ({
      ...one,
      what: `${place(one.runtime)}${one.command} ${one.format}, ${one.damage} damaged, ${showSize(one.size)}`,
    })),
  );
  const head = ['', 'ms', 'quartiles', 'CPU ms', 'MB/s', 'MB', 'CPU / first'];
  const rows = Array.from(tasks, ([task, list]) => [
    [task],
    ...list.map(({ contestant, time, cpu, rss, size }) => [
      `  ${contestant}`,
      showNumber(time?.median ?? 0),
      time && time.rounds > 1 ? `${showNumber(time.lower)}–${showNumber(time.upper)}` : 'one round',
      showNumber(cpu?.median ?? 0),
      showNumber(size / (time?.median ?? 0) / 1000),
      rss ? String(Math.round(rss / 1e6)) : '',
      `${showNumber((cpu?.median ?? 0) / (list[0]?.cpu?.median ?? 0))}×`,
    ]),
  ]).flat();
  const did = new Map(
    timed.map(({ command, contestant, did }) => [`  ${contestant} (${command}): ${did}`, did]),
  );
  return [
    heading(`commands as whole processes, start-up included (load ${machine.load.toFixed(1)})`),
    grid([head, ...rows]),
    ...did.keys(),
  ].join('\n');
}

/** @param {Report} report */
export function showStarts({ starts, runtimes }) {
  if (starts.length === 0) return '';
  const steps = [...new Set(starts.flatMap(({ times }) => Object.keys(times)))];
  const place = (/** @type {string} */ runtime) => (runtimes.length > 1 ? `${runtime}: ` : '');
  return [
    heading('a fresh process, first call of each kind on 64 KiB, and whole processes: ms'),
    grid([
      ['', ...steps],
      ...starts.map(({ runtime, contestant, times }) => [
        place(runtime) + contestant,
        ...steps.map((step) => times[step]?.median.toFixed(2) ?? ''),
      ]),
    ]),
  ].join('\n');
}

/** @param {Report} report */
export function showMemory({ memory }) {
  const [first] = memory;
  if (!first) return '';
  const kib = (/** @type {number} */ bytes) => (bytes / 1024).toFixed(0);
  // The others are in the report.
  memory = memory.filter(({ runtime }) => runtime === first.runtime);
  const operations = [...new Set(memory.map(({ operation }) => operation))];
  const names = [...new Set(memory.map(({ contestant }) => contestant))];
  return [
    heading(
      `memory of one call on ${first.corpus}, ${first.runtime}: KiB allocated, and kept by its result`,
    ),
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

/** Targets that belong together in one line, with their figures. @param {Report} report */
export function showTargets({ targets, runtimes }) {
  return runtimes
    .map(({ name }) => targets.filter(({ runtime }) => runtime === name))
    .filter((list) => list.length > 0)
    .flatMap((list) => {
      const met = list.filter(({ isMet }) => isMet).length;
      return [
        heading(`targets, ${list[0]?.runtime}: ${met} of ${list.length} met`),
        ...Array.from(group(list), ([what, list]) => {
          const isMet = list.every((one) => one.isMet);
          return `  ${isMet ? paint('green', 'met  ') : paint('red', 'short')} ${what}: ${list.map(showTarget).join(', ')}`;
        }),
      ];
    })
    .join('\n');
}

/** @param {Report['targets'][0]} target */
const showTarget = ({ where, measured, relation, wanted, unit, isMet, isNoisy }) =>
  paint(
    isMet ? 'reset' : 'red',
    `${where} ${showNumber(measured)}${unit}${mark({ isNoisy })} (${isMet ? '' : 'short of '}${relation} ${wanted})`,
  );

/** @template {{ what: string }} T @param {readonly T[]} list */
function group(list) {
  /** @type {Map<string, T[]>} */
  const groups = new Map();
  for (const one of list) groups.set(one.what, [...(groups.get(one.what) ?? []), one]);
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
    ...(report.cells.length > 0
      ? [
          heading('noise'),
          ...describeNoise(report.noise).map(
            (line) => `  ${paint(report.noise.some(isTooNoisy) ? 'red' : 'reset', line)}`,
          ),
        ]
      : []),
    '',
    `${Math.round(report.seconds)} s on ${showMachine(report)}`,
  ].join('\n');
}
