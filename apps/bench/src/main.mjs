/** `npm run bench`: see ../README.md, or `--help`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measureFiles } from './files/measure.mjs';
import { runHeat } from './heats.mjs';
import { describeMachine } from './machine.mjs';
import { measureNative } from './native/measure.mjs';
import { showNative } from './native/table.mjs';
import { makePage } from './page.mjs';
import { peerVersions } from './peers.mjs';
import { MODES, makePlan, UsageError } from './plan.mjs';
import { writeReadme } from './readme.mjs';
import { findWrong } from './report.mjs';
import { measureStarts } from './start.mjs';
import {
  showEnd,
  showFiles,
  showMemory,
  showOperation,
  showStarts,
  showTargets,
} from './table.mjs';
import { judge } from './targets.mjs';

const HELP = `npm run bench -- [options]

  --quick             under a minute: fewer sizes, corpora and codecs
  --targets           just what the targets need
  --native            ours against Rust, simdutf, ICU and the JVM, and nothing else
  --only WORD…        only these operations, codecs or corpora: --only cesu8 decode
  --files-up-to SIZE  convert files up to this size, such as 4GiB
  --out FOLDER        where report.json and report.html go; apps/bench/report by default
  --readme REPORT     write the table of the README from a report.json, and measure nothing
  --page REPORT       write report.html from a report.json, and measure nothing
  --smoke             everything once, in seconds; the numbers mean nothing
  --break NAME        make a contestant wrong on purpose, to see it found out`;

const here = fileURLToPath(new URL('..', import.meta.url));
const root = join(here, '../..');
/** npm runs the bench in its own folder; paths are meant from where the command was given. */
const fromHere = (/** @type {string} */ path) => resolve(process.env.INIT_CWD ?? '.', path);

function readArguments() {
  const { values, positionals } = parse();
  if (values.help) return { ...values, mode: /** @type {const} */ ('full'), only: [] };
  if (positionals.length > 0 && !values.only) {
    throw new UsageError(`what is ${positionals.join(' ')}? Words come after --only`);
  }
  if (values.only && positionals.length === 0) throw new UsageError('--only wants a word');
  const chosen = MODES.filter((mode) => mode !== 'full' && values[mode]);
  if (chosen.length > 1) throw new UsageError(`--${chosen.join(' and --')} exclude each other`);
  const other = ['targets', 'files-up-to'].find((name) => name in values);
  if (values.native && other) throw new UsageError(`--native and --${other} exclude each other`);
  return { ...values, mode: chosen[0] ?? /** @type {const} */ ('full'), only: positionals };
}

function parse() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        quick: { type: 'boolean' },
        targets: { type: 'boolean' },
        smoke: { type: 'boolean' },
        native: { type: 'boolean' },
        only: { type: 'boolean' },
        'files-up-to': { type: 'string' },
        out: { type: 'string' },
        readme: { type: 'string' },
        page: { type: 'string' },
        break: { type: 'string' },
        help: { type: 'boolean' },
      },
    });
  } catch (error) {
    throw new UsageError(
      /** @type {Error} */ (error).message.split('.')[0]?.replace(/^./, (c) => c.toLowerCase()),
    );
  }
}

/** @param {string | undefined} text */
function parseSize(text) {
  if (text === undefined) return undefined;
  const [, number, unit = ''] = /^(\d+)\s*([KMG]?)(?:i?B)?$/i.exec(text) ?? [];
  if (number === undefined) throw new UsageError(`${text} is no size: write 256MiB or 4GiB`);
  return Number(number) * 1024 ** ' KMG'.indexOf(unit.toUpperCase() || ' ');
}

/** One line that is written over, where somebody watches. @param {string} text */
function note(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
}

/** @param {ReturnType<typeof readArguments>} options */
async function bench(options) {
  const plan = makePlan({
    mode: options.mode,
    only: options.only,
    filesUpTo: parseSize(options['files-up-to']),
    broken: options.break,
    native: options.native,
  });
  const start = performance.now();
  let last = start;
  const lap = (/** @type {string} */ stage) => {
    report.stages[stage] = Math.round(performance.now() - last) / 1000;
    last = performance.now();
    note('');
  };
  /** @type {import('./report.mjs').Report} */
  const report = {
    version: 1,
    mode: plan.mode,
    words: options.only,
    machine: describeMachine(),
    peers: peerVersions(),
    seconds: 0,
    stages: {},
    contestants: [],
    cells: [],
    memory: [],
    files: [],
    starts: [],
    skipped: [],
    targets: [],
  };
  // What one operation takes beyond its share, the others go without.
  let weights = plan.heats.reduce((sum, { weight }) => sum + weight, 0);
  for (const heat of plan.heats) {
    const total = heat.races.length;
    const left = plan.seconds - (performance.now() - start) / 1000;
    const seconds = (left * heat.weight) / weights;
    weights -= heat.weight;
    await runHeat(heat, seconds, report, (done) =>
      note(`${heat.operation}: ${done} of ${total} races`),
    );
    lap(heat.operation);
    console.log(showOperation(report, heat.operation));
  }
  if (plan.files) {
    const { results, skipped } = await measureFiles(plan.files, options.break, (what) =>
      note(`files: ${what}`),
    );
    report.files.push(...results);
    report.skipped.push(...skipped);
    lap('files');
    console.log(showFiles(report));
  }
  if (plan.start) {
    note('start');
    report.starts.push(...(await measureStarts(plan.start)));
    lap('start');
    console.log(showStarts(report));
  }
  if (plan.native) {
    report.native = await measureNative(plan.native, (what) => note(`native: ${what}`));
    lap('native');
    console.log(showNative(report.native));
  }
  report.seconds = (performance.now() - start) / 1000;
  report.targets = judge(report);
  for (const text of [showMemory(report), showTargets(report), showEnd(report)]) console.log(text);

  const folder = options.out ? fromHere(options.out) : join(here, 'report');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'report.json'), `${JSON.stringify(report)}\n`);
  writeFileSync(join(folder, 'report.html'), makePage(report));
  console.log(`${join(folder, 'report.html')} and report.json are written`);
  // A number never fails a run; a wrong result of ours does.
  return findWrong(report).some(({ isOurs }) => isOurs) ? 1 : 0;
}

async function main() {
  const options = readArguments();
  if (options.help) console.log(HELP);
  else if (options.readme) writeReadme(fromHere(options.readme), join(root, 'README.md'));
  else if (options.page) {
    const { readFileSync } = await import('node:fs');
    const file = fromHere(options.page);
    writeFileSync(
      `${file.replace(/\.json$/, '')}.html`,
      makePage(JSON.parse(readFileSync(file, 'utf8'))),
    );
  } else return bench(options);
  return 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(`bench: ${/** @type {Error} */ (error).message}.`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
