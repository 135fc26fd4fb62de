// Kills `utf8 convert` at random calls that change files, resumes it, and compares the files with those of an
// undisturbed run: node tooling/nightly/crash/src/kills.mjs [--kills N] [--seed N]

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { createDump } from './dump.mjs';

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '200' }, seed: { type: 'string' } },
});
const wanted = Number(values.kills);
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
console.log(`seed ${seed}`);

const program = fileURLToPath(new URL('../../../../packages/cli/dist/utf8.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'utf8-kills-'));
process.chdir(folder);

/** Numbers from 0 to 1 that are the same for the same seed. */
let state = seed;
function random() {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
}
const pick = (list) => list[Math.floor(random() * list.length)];

const formats = ['none', 'lines', 'copy', 'csv', 'tsv', 'jsonl', 'mysqldump', 'pg_dump', 'tab'];
const RESULTS = ['output', 'rejects', 'undo', 'stats'];

/** Draws a command line, and makes its input. */
function drawScenario() {
  const format = pick(formats);
  const bytes = createDump(
    format,
    Math.floor(random() * 2 ** 31),
    3000 + Math.floor(random() * 6000),
  );
  const packing = pick(['', '', '.gz', '.zst']);
  writeFileSync('in', bytes);
  if (packing === '.gz') writeFileSync('in.gz', gzipSync(bytes, { level: 1 }));
  if (packing === '.zst') {
    const { status, error } = spawnSync('zstd', ['-qf', '-1', 'in', '-o', 'in.zst']);
    if (status !== 0) throw error ?? new Error('zstd failed');
  }
  const args = ['convert', `in${packing}`, '--from', 'cesu-8+utf-8', '--nul', 'keep'];
  if (format === 'none') args.push('--errors', pick(['replace', 'remove', 'escape']));
  else args.push('--format', format, '--errors', 'escape');
  // Nothing in the file tells which columns are text.
  if (format === 'tab') args.push('--assume', 'text');
  const results = RESULTS.filter(
    (name) => name === 'output' || (random() < 0.6 && !(name === 'rejects' && format === 'none')),
  );
  if (format !== 'none' && !results.includes('rejects'))
    args.push('--unpaired-surrogates', 'replace');
  if (packing === '' && random() < 0.3) {
    const from = Math.floor((random() * bytes.length) / 2);
    args.push('--range', `${from}-${random() < 0.5 ? '' : from + Math.floor(bytes.length / 3)}`);
  }
  if (random() < 0.4) args.push('--jobs', pick(['2', '3']));
  return { args, results };
}

const flags = { output: '-o', rejects: '--rejects', undo: '--undo', stats: '--stats' };
const nameResults = ({ results }) => results.flatMap((name) => [flags[name], `out.${name}`]);
/** Reads the results; none if one is missing. */
const readResults = ({ results }) =>
  results.every((name) => existsSync(`out.${name}`))
    ? results.map((name) => readFileSync(`out.${name}`))
    : [];
const clean = () => {
  for (const name of readdirSync('.')) if (!name.startsWith('in')) rmSync(name, { force: true });
};

/** Runs the command, and kills it at a call that changes files, if it gets there. */
function run(args, killAt) {
  const atCall = fileURLToPath(new URL('at-call.cjs', import.meta.url));
  const more =
    killAt === undefined ? { CALLS: join(folder, 'in.calls') } : { KILL_AT: `${killAt}` };
  return spawnSync(process.execPath, ['--require', atCall, program, ...args], {
    env: { ...process.env, UTF8_TEST_STRIDE: String(1 << 16), ...more },
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
}

let kills = 0;
let resumed = 0;
let scenarios = 0;
const failures = [];
try {
  while (kills < wanted && failures.length < 5) {
    const scenario = drawScenario();
    scenarios++;
    clean();
    const args = [...scenario.args, ...nameResults(scenario), '--resume'];
    const whole = run(args);
    const expected = readResults(scenario);
    // Rejected records end a run with 1, too.
    if (expected.length === 0) {
      failures.push(
        `undisturbed run ended with ${whole.status}: ${args.join(' ')}: ${whole.stderr}`,
      );
      continue;
    }
    const calls = Number(readFileSync('in.calls', 'utf8'));
    for (let round = 0; round < 8 && kills < wanted; round++) {
      clean();
      let result;
      for (let attempt = 0; ; attempt++) {
        const isKilled = attempt < 3 && random() < (attempt === 0 ? 1 : 0.5);
        result = run(args, isKilled ? Math.ceil(random() * calls) : undefined);
        if (result.stderr.includes('resumed at byte')) resumed++;
        if (result.signal !== 'SIGKILL') break;
        kills++;
      }
      const found = result.status === whole.status ? readResults(scenario) : [];
      const isSame = found.length > 0 && found.every((bytes, i) => bytes.equals(expected[i]));
      const left = readdirSync('.').filter((name) => /checkpoint|unfinished|lock/.test(name));
      if (isSame && left.length === 0) continue;
      failures.push(`${args.join(' ')}: status ${result.status}, left ${left}: ${result.stderr}`);
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const failure of failures) console.log(failure);
console.log(
  `${kills} kills in ${scenarios} scenarios, ${resumed} resumed, ${failures.length} wrong`,
);
process.exitCode = failures.length > 0 ? 1 : 0;
