/** `npm run bench`: see ../README.md, or `--help`. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { operationFor } from './arena/operations/index.mjs';
import { backendEditions, decide, makeBackendsTable } from './backends.mjs';
import { buildCommit } from './builds.mjs';
import { measureCommands } from './commands/measure.mjs';
import { runHeat } from './heats.mjs';
import { describeMachine } from './machine.mjs';
import { measureNative } from './native/measure.mjs';
import { showNative } from './native/table.mjs';
import { findNoise } from './noise.mjs';
import { makePage } from './page.mjs';
import { peerVersions } from './peer-versions.mjs';
import { MODES, makePlan } from './plan.mjs';
import { writeReadme } from './readme.mjs';
import { findWrong, NOW, THEN } from './report.mjs';
import { bundleArena, copyModules, hasBackends, makeFolder, root } from './runtimes/bundle.mjs';
import { describeRuntime, findRuntimes, RUNTIMES, thisNode } from './runtimes/find.mjs';
import { runSittings } from './sittings.mjs';
import { measureStarts } from './start.mjs';
import {
  showBuilds,
  showCommands,
  showEnd,
  showMemory,
  showOperation,
  showRuntimes,
  showStarts,
  showTargets,
  showWays,
} from './table.mjs';
import { judge } from './targets.mjs';
import { UsageError } from './usage-error.mjs';

const HELP = `npm run bench -- [options]

  --quick             under a minute: fewer sizes, corpora and codecs
  --targets           just what the targets need
  --native            ours against Rust, simdutf, ICU and the JVM, and nothing else
  --only WORD…        only these operations, codecs, corpora, commands or formats:
                      --only cesu8 decode; --only scan convert csv; --only commands
  --runtime LIST      where to run, one after the other [this Node]:
                      ${RUNTIMES.join(',')}
  --against COMMIT    race our codecs against those of an older commit
  --backends              race the backends that our kernels can work by
  --file-size SIZE    size of the files that commands read [64MiB, with --quick 16MiB]
  --files-up-to SIZE  convert files up to this size, such as 4GiB
  --out FOLDER        where report.json and report.html go [apps/bench/report]
  --readme REPORT     write the table of the README from a report.json, and measure nothing
  --page REPORT       write report.html from a report.json, and measure nothing
  --smoke             everything once, in seconds; the numbers mean nothing
  --break NAME        make a contestant wrong on purpose, to see it found out`;

const here = fileURLToPath(new URL('..', import.meta.url));
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
  const others = ['targets', 'file-size', 'files-up-to', 'runtime', 'against', 'backends'];
  const other = others.find((name) => name in values);
  if (values.native && other) throw new UsageError(`--native and --${other} exclude each other`);
  if (values.against && values.backends) {
    throw new UsageError('--against and --backends exclude each other');
  }
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
        runtime: { type: 'string' },
        against: { type: 'string' },
        backends: { type: 'boolean' },
        'file-size': { type: 'string' },
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

/** Shows one line of progress, which is overwritten, on a terminal. @param {string} text */
function note(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
}

/** @typedef {import('./arena/contestant.mjs').Edition} Edition */

/**
 * Writes the files that the runtimes of a plan load.
 *
 * @param {string} folder
 * @param {import('./plan.mjs').Plan} plan
 * @param {import('./builds.mjs').Build | undefined} then
 * @param {boolean} areBackends
 */
async function prepare(folder, plan, then, areBackends) {
  const contestants = plan.heats.flatMap(({ operation, contestants }) =>
    operationFor(operation).contestants.filter(({ name }) => contestants.includes(name)),
  );
  const sets = new Map(
    contestants.flatMap(({ modules }) => (modules ? [[modules.join(' '), modules]] : [])),
  );
  await bundleArena(folder);
  copyModules(root, join(folder, 'copies', NOW), [...sets.values()], areBackends);
  if (then) {
    copyModules(then.clone, join(folder, 'copies', THEN), [...sets.values()], false);
  }
}

/** Warns if the machine is busy, which affects every figure. */
function warnOfLoad() {
  const { load } = describeMachine();
  if (load > availableParallelism() / 2) {
    console.error(
      `bench: other programs use the machine (load ${load.toFixed(1)}); expect noisy figures`,
    );
  }
}

/** @param {ReturnType<typeof readArguments>} options */
async function bench(options) {
  if (options.backends && !(await hasBackends(root))) {
    throw new Error('--backends needs useBackend of @utf8/core, which this build does not have');
  }
  const { mode, only, native = false } = options;
  const fileSize = parseSize(options['file-size']);
  const words = { mode, only, fileSize, broken: options.break, native };
  const filesUpTo = parseSize(options['files-up-to']);
  makePlan({ ...words, filesUpTo }); // refuses wrong words before anything is fetched or built
  const runtimes = findRuntimes((options.runtime ?? thisNode).split(',').filter(Boolean));
  if (runtimes.length === 0) throw new UsageError('--runtime wants a name');
  const then = options.against ? buildCommit(options.against, note) : undefined;
  /** @type {readonly Edition[] | undefined} */
  const builds = then && [THEN, NOW].map((name) => ({ name, folder: name }));
  const editions = options.backends ? backendEditions : builds;
  const plan = makePlan({ ...words, filesUpTo, editions });
  if (options.mode !== 'smoke') warnOfLoad();
  const folder = makeFolder();
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));
  await prepare(folder, plan, then, options.backends ?? false);
  return measure(options, plan, runtimes, then, folder);
}

/**
 * @param {ReturnType<typeof readArguments>} options
 * @param {import('./plan.mjs').Plan} plan
 * @param {import('./runtimes/find.mjs').Runtime[]} runtimes
 * @param {import('./builds.mjs').Build | undefined} then
 * @param {string} folder - Of the bundles.
 */
async function measure(options, plan, runtimes, then, folder) {
  const start = performance.now();
  let last = start;
  const lap = (/** @type {string} */ stage) => {
    report.stages[stage] = Math.round(performance.now() - last) / 1000;
    last = performance.now();
    note('');
  };
  /** @type {import('./report.mjs').Report} */
  const report = {
    version: 3,
    mode: plan.mode,
    words: options.only,
    machine: describeMachine(),
    runtimes: runtimes.map(({ name }) => ({ name, about: name })),
    ...(then ? { against: { commit: then.commit, title: then.title } } : {}),
    peers: peerVersions(),
    seconds: 0,
    stages: {},
    contestants: [],
    cells: [],
    memory: [],
    commands: [],
    starts: [],
    skipped: [],
    reference: [],
    noise: [],
    targets: [],
  };
  /** @type {Record<string, string>} */
  const agents = {};
  const isAlone = runtimes.length === 1;
  for (const runtime of runtimes) {
    const began = performance.now();
    // Time that one operation takes beyond its share is missing for the others.
    let weights = plan.heats.reduce((sum, { weight }) => sum + weight, 0);
    for (const heat of plan.heats) {
      const total = heat.races.length;
      const left = plan.seconds - (performance.now() - began) / 1000;
      const seconds = (left * heat.weight) / weights;
      weights -= heat.weight;
      const stage = isAlone ? heat.operation : `${runtime.name} ${heat.operation}`;
      const cells = await runSittings(heat, (cells, share) =>
        runHeat(runtime, folder, heat, seconds * share, { ...report, agents, cells }, (done) =>
          note(`${stage}: ${done} of ${total} races`),
        ),
      );
      report.cells.push(...cells);
      lap(stage);
      if (isAlone) console.log(showRaces(report, heat.operation));
    }
    if (plan.start && !runtime.isBrowser) {
      note(`${runtime.name}: start`);
      report.starts.push(...(await measureStarts(plan.start, runtime)));
      lap(isAlone ? 'start' : `${runtime.name} start`);
    }
    if (plan.commands && runtime.name.startsWith('node-')) {
      const { results, skipped } = await measureCommands(
        plan.commands,
        runtime,
        options.break,
        (what) => note(`${runtime.name}: ${what}`),
      );
      report.commands.push(...results);
      report.skipped.push(...skipped.filter((line) => !report.skipped.includes(line)));
      lap(isAlone ? 'commands' : `${runtime.name} commands`);
    }
    report.runtimes = report.runtimes.map((one) =>
      one.name === runtime.name
        ? { ...one, about: describeRuntime(runtime, agents[runtime.name] ?? '') }
        : one,
    );
  }
  if (!isAlone) {
    for (const { operation } of plan.heats) console.log(showRaces(report, operation));
  }
  if (plan.commands) console.log(showCommands(report));
  if (plan.start) console.log(showStarts(report));
  if (plan.native) {
    report.native = await measureNative(plan.native, (what) => note(`native: ${what}`));
    lap('native');
    console.log(showNative(report.native));
  }
  report.seconds = (performance.now() - start) / 1000;
  report.noise = findNoise(report);
  if (options.backends) report.backends = decide(report);
  report.targets = judge(report);
  for (const show of [showWays, showMemory, showTargets, showEnd]) console.log(show(report));

  const target = options.out ? fromHere(options.out) : join(here, 'report');
  mkdirSync(target, { recursive: true });
  writeFileSync(join(target, 'report.json'), `${JSON.stringify(report)}\n`);
  writeFileSync(join(target, 'report.html'), makePage(report));
  if (report.backends) {
    const { machine, runtimes, backends } = report;
    writeFileSync(
      join(target, 'backends.json'),
      `${JSON.stringify({ machine, runtimes, backends })}\n`,
    );
    writeFileSync(join(target, 'backends.md'), makeBackendsTable(report));
  }
  console.log(`${join(target, 'report.html')} and report.json are written`);
  // A number never fails a run; a wrong result of ours does.
  return findWrong(report).some(({ isOurs }) => isOurs) ? 1 : 0;
}

/** @param {import('./report.mjs').Report} report @param {string} operation */
function showRaces(report, operation) {
  if (report.against) return showBuilds(report, operation);
  const isWays = report.cells.some(({ edition }) => edition);
  if (isWays) return ''; // their table comes at the end
  return report.runtimes.length > 1
    ? showRuntimes(report, operation)
    : showOperation(report, operation);
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
