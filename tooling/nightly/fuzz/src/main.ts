/** The command line of the fuzzer. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { bundle, fileOf, targetNames } from './bundle.js';
import { writeCorpus, writeFinding } from './packed.js';
import { root } from './place.js';
import { fuzz, measure } from './run.js';
import type { Target } from './target.js';

const usage = `Usage: npm run fuzz -- TARGET…|all [options]

Fuzzes what reads untrusted input. A failure is written to tooling/nightly/fuzz/findings, as small as it gets.

Options:
  --minutes N    how long to fuzz each target [default: 1, unless --runs]
  --runs N       how many inputs to try of each target
  --seed N       what random choices start from [default: the time]
  --fresh        start without what earlier runs have found here
  --merge        write the part of the corpus that is worth keeping to tooling/nightly/fuzz/corpus
  --input FILE   run the target on one file, and show how it fails

Exit codes: 0 nothing failed, 1 something failed, 2 usage.
`;

function refuse(what: string): never {
  process.stderr.write(`${what}\n\n${usage}`);
  process.exit(2);
}

function readOptions() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        minutes: { type: 'string' },
        runs: { type: 'string' },
        seed: { type: 'string' },
        fresh: { type: 'boolean' },
        merge: { type: 'boolean' },
        input: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    return refuse((error as Error).message);
  }
}

/** Reads a number above 0. */
function readNumber(flag: string, text: string | undefined, isWhole = true): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  const isNumber = number > 0 && number < 2 ** 31 && (!isWhole || Number.isInteger(number));
  if (!isNumber || text.trim() === '') refuse(`--${flag} ${text}: expected a number above 0`);
  return number;
}

const relative = (file: string): string => path.relative(root, file);

async function loadTarget(name: string): Promise<Target> {
  const { program } = await bundle(name, fileOf(name));
  return (await import(pathToFileURL(program).href)).target;
}

/** Runs a target on one file; tells whether it fails. */
async function runInput(name: string, file: string): Promise<boolean> {
  const { program } = await bundle(name, fileOf(name));
  const { fail, target } = await import(pathToFileURL(program).href);
  const error = await fail(target, readFileSync(file));
  console.log(error === undefined ? `${name}: ${file} does not fail` : error);
  return error !== undefined;
}

async function merge(name: string): Promise<void> {
  const { inputs, taken, all, packages } = await measure(name, fileOf(name));
  writeCorpus(name, inputs);
  const size = inputs.reduce((sum, { length }) => sum + length, 0);
  const percent = (share: { taken: number; all: number }): string =>
    `${share.taken} of ${share.all} branches`;
  console.log(`${name}: ${inputs.length} inputs of ${size} bytes cover ${percent({ taken, all })}`);
  for (const [owner, share] of Object.entries(packages)) {
    console.log(`  ${owner}: ${percent(share)}`);
  }
}

const { positionals, values } = readOptions();
if (values.help) {
  process.stdout.write(usage);
  process.exit();
}
const minutes = readNumber('minutes', values.minutes, false);
const runs = readNumber('runs', values.runs);
const seed = readNumber('seed', values.seed) ?? (Date.now() % (2 ** 31 - 1)) + 1;
const names = positionals.includes('all') ? targetNames : positionals;
for (const name of names) {
  if (!targetNames.includes(name))
    refuse(`unknown target ${name}; expected ${targetNames.join(', ')}`);
}
if (values.input !== undefined && names.length !== 1) refuse('--input needs one target');

// A signal ends the fuzzer, but its last output is still needed.
process.on('SIGINT', () => {});

let hasFailed = false;
if (names.length === 0) {
  for (const name of targetNames)
    console.log(`${name.padEnd(12)}${(await loadTarget(name)).title}`);
}
for (const name of names) {
  if (values.input !== undefined) {
    hasFailed = await runInput(name, values.input);
    continue;
  }
  if (values.merge && minutes === undefined && runs === undefined) {
    await merge(name);
    continue;
  }
  const result = await fuzz({
    name,
    file: fileOf(name),
    seed,
    minutes: minutes ?? (runs === undefined ? 1 : undefined),
    runs,
    isFresh: values.fresh,
    say: (line) => console.log(line),
  });
  const rate = Math.round(result.runs / result.seconds);
  console.log(
    `${name}: ${result.runs} inputs in ${Math.round(result.seconds)} s (${rate} a second), ${result.branches} branches, seed ${seed}`,
  );
  if (result.failure) {
    hasFailed = true;
    const file = writeFinding(name, Buffer.from(result.failure.bytes, 'base64'));
    console.log(`${name}: FAILED: ${result.failure.message}`);
    console.log(`written to ${relative(file)}; to run it again:`);
    console.log(`  npm run fuzz -- ${name} --input ${relative(file)}`);
  }
  if (values.merge) await merge(name);
}
process.exitCode = hasFailed ? 1 : 0;
