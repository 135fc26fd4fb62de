/** Fuzzes a target, measures what its corpus covers, and makes what fails small. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { bundle, type Programs } from './bundle.js';
import type { Coverage, Failure, Order } from './engine.js';
import { nameOf, readCorpus, readFindings } from './packed.js';
import { cacheOf } from './place.js';

/** A target that is fuzzed. */
export interface Run {
  readonly name: string;
  /** Of the target. */
  readonly file: string;
  readonly seed: number;
  /** Duration in minutes; without limit if neither this nor `runs` is given. */
  readonly minutes?: number | undefined;
  readonly runs?: number | undefined;
  /** True to start only from the inputs in the repository, and to save none. */
  readonly isFresh?: boolean | undefined;
  /** Receives messages. */
  readonly say?: ((line: string) => void) | undefined;
}

export interface Result {
  readonly runs: number;
  readonly seconds: number;
  /** The branches that libFuzzer has seen. */
  readonly branches: number;
  /** Failure that was found. */
  readonly failure: (Failure & { readonly original: Buffer }) | undefined;
}

const folderOf = (name: string, kind: string): string => path.join(cacheOf(kind), name);

/** Makes an empty folder. */
function clear(folder: string): string {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Writes the repository's corpus of a target as files. */
async function unpack(name: string, { program }: Programs): Promise<string> {
  const folder = clear(folderOf(name, 'start'));
  const { target } = await import(program);
  const inputs = [...target.seeds(), ...readCorpus(name), ...readFindings(name).values()];
  for (const bytes of inputs) writeFileSync(path.join(folder, nameOf(bytes)), bytes);
  return folder;
}

/** Writes the words of a target as a dictionary of libFuzzer; returns its path. */
function writeWords(name: string, words: Iterable<Uint8Array | string>): string {
  const spell = (word: Uint8Array | string): string =>
    Array.from(
      Buffer.from(word as string),
      (byte) => `\\x${byte.toString(16).padStart(2, '0')}`,
    ).join('');
  const file = path.join(clear(folderOf(name, 'words')), 'words');
  writeFileSync(file, Array.from(words, (word) => `"${spell(word)}"\n`).join(''));
  return file;
}

function start(engine: string, order: Order, onLine: (line: string) => void): Promise<number> {
  const child = spawn(process.execPath, ['--expose-gc', engine, JSON.stringify(order)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // Memory of a system is faster than its disk.
    env: {
      ...process.env,
      TMPDIR: existsSync('/dev/shm') ? '/dev/shm' : tmpdir(),
      UTF8_TEST_STEP: '16',
    },
  });
  for (const stream of [child.stdout, child.stderr]) createInterface(stream).on('line', onLine);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) =>
      resolve(code ?? 128 + (constants.signals[signal as NodeJS.Signals] ?? 0)),
    );
  });
}

/** Lets an engine answer in a file. */
async function ask<T>(engine: string, order: object): Promise<T> {
  const answer = path.join(clear(cacheOf(`answer-${process.pid}`)), 'answer.json');
  const lines: string[] = [];
  const code = await start(engine, { ...order, answer } as Order, (line) => lines.push(line));
  try {
    if (code !== 0)
      throw new Error(`the engine failed with ${code}:\n${lines.slice(-20).join('\n')}`);
    return JSON.parse(readFileSync(answer, 'utf8'));
  } finally {
    rmSync(path.dirname(answer), { recursive: true });
  }
}

/** Milliseconds between lines of progress. */
const PACE = 30_000;

/** Fuzzes until time is up, or something fails. */
export async function fuzz(run: Run): Promise<Result> {
  const { name, file, seed, minutes, runs, isFresh, say = () => {} } = run;
  const programs = await bundle(name, file);
  const begin = await unpack(name, programs);
  const corpus = isFresh ? clear(folderOf(name, 'fresh')) : folderOf(name, 'corpus');
  mkdirSync(corpus, { recursive: true });
  const artifacts = clear(folderOf(name, 'artifacts'));
  const { target } = await import(programs.program);
  const flags = [
    corpus,
    begin,
    `-max_len=${target.maxLength}`,
    `-artifact_prefix=${artifacts}${path.sep}`,
    ...(target.words ? [`-dict=${writeWords(name, target.words)}`] : []),
    // Its schedule of rare features found planted faults later, or not at all, in short runs.
    '-entropic=0',
    '-len_control=10',
    '-rss_limit_mb=3072',
    '-report_slow_units=10',
    '-reload=0',
    '-print_final_stats=1',
    ...(runs === undefined ? [] : [`-runs=${runs}`]),
    ...(minutes === undefined ? [] : [`-max_total_time=${Math.ceil(60 * minutes)}`]),
  ];
  const tail: string[] = [];
  let [count, branches, said] = [0, 0, Date.now()];
  const started = Date.now();
  const code = await start(programs.engine, { task: 'fuzz', ...programs, seed, flags }, (line) => {
    if (tail.push(line) > 40) tail.shift();
    const status = /^#(\d+)\s+(\w+)\s+cov: (\d+).* corp: (\S+)/.exec(line);
    if (!status) return;
    [count, branches] = [Number(status[1]), Number(status[3])];
    if (Date.now() - said < PACE) return;
    said = Date.now();
    const seconds = Math.round((said - started) / 1000);
    say(`${name}: ${seconds} s, ${count} inputs, ${branches} branches, corpus ${status[4]}`);
  });
  const total = tail.map((line) => /number_of_executed_units: (\d+)/.exec(line)?.[1]).find(Boolean);
  const result = {
    runs: Number(total ?? count),
    seconds: (Date.now() - started) / 1000,
    branches,
  };
  const [artifact] = readdirSync(artifacts).filter((each) => !each.startsWith('slow'));
  if (artifact === undefined) {
    if (code === 0) return { ...result, failure: undefined };
    throw new Error(`${name}: the fuzzer ended with ${code}:\n${tail.join('\n')}`);
  }
  const input = path.join(artifacts, artifact);
  const original = readFileSync(input);
  const bytes = original.toString('base64');
  if (!artifact.startsWith('crash')) {
    // Time or memory is up: to try again and again would take as much each time.
    return { ...result, failure: { message: artifact.replace(/-.*/, ''), bytes, original } };
  }
  const failure = await ask<Failure>(programs.engine, {
    ...programs,
    task: 'minimise',
    input,
  });
  const message = failure.message ?? `fails only after other inputs:\n${tail.join('\n')}`;
  return { ...result, failure: { ...failure, message, original } };
}

/** Measures the coverage of the corpus, and finds a small part of it with the same coverage. */
export async function measure(
  name: string,
  file: string,
): Promise<Coverage & { readonly inputs: readonly Buffer[] }> {
  const programs = await bundle(name, file);
  const folders = [await unpack(name, programs), folderOf(name, 'corpus')].filter(existsSync);
  const coverage = await ask<Coverage>(programs.engine, {
    ...programs,
    task: 'measure',
    folders,
  });
  return { ...coverage, inputs: coverage.kept.map((file) => readFileSync(file)) };
}
