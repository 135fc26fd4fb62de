/**
 * The process that runs a target: with Jazzer.js, which fuzzes it; once for each of some inputs, to
 * measure what they cover; or in search of a smaller input that fails.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadAddon } from './addon.js';
import type { Programs } from './bundle.js';
import type * as Minimise from './minimise.js';
import { cacheOf, root } from './place.js';
import type { Target } from './target.js';

/** Order for the process, as JSON on its command line. */
export type Order = Pick<Programs, 'program' | 'hasSources'> & Task;

type Task =
  | {
      readonly task: 'fuzz';
      readonly seed: number;
      /** Of libFuzzer, and folders of inputs. */
      readonly flags: readonly string[];
    }
  | {
      readonly task: 'measure';
      readonly folders: readonly string[];
      readonly answer: string;
    }
  | {
      readonly task: 'minimise';
      readonly input: string;
      readonly answer: string;
    };

/** Of the branches of the code that was loaded, how many were taken. */
export interface Share {
  taken: number;
  all: number;
}

/** Coverage of inputs. */
export interface Coverage extends Share {
  /** By package, or folder of tooling. */
  readonly packages: Readonly<Record<string, Share>>;
  /** The inputs that cover all of it, without those that add nothing to smaller ones. */
  readonly kept: readonly string[];
}

interface Program {
  readonly target: Target;
  fuzz(bytes: Uint8Array): void | Promise<void>;
  fail(target: Target, bytes: Uint8Array): ReturnType<typeof Minimise.fail>;
  minimise(target: Target, bytes: Uint8Array): ReturnType<typeof Minimise.minimise>;
}

/** For one input, in milliseconds. */
const TIMEOUT = 20_000;

/** The counters of each module that Jazzer.js has instrumented, by its file. */
const modules: { readonly file: string; readonly counters: Buffer }[] = [];

/** Loads a program with counters in it and in all packages. */
async function instrument({ program: file, hasSources }: Order, seed: number) {
  loadAddon(cacheOf('addon'));
  const { OptionsManager, ...core } = (await import('@jazzer.js/core')).default;
  const { registerEsmLoaderHooks } = (await import('@jazzer.js/instrumentor')).default;
  const createOptions = (sync: boolean, fuzzerOptions: readonly string[]) =>
    new OptionsManager(core.OptionSource.DefaultCLIOptions).merge(
      {
        fuzzTarget: file,
        includes: [path.join(root, 'packages') + path.sep, ...(hasSources ? [file] : [])],
        excludes: [`${path.sep}node_modules${path.sep}`],
        disableBugDetectors: ['.*'],
        timeout: TIMEOUT,
        sync,
        fuzzerOptions: [...fuzzerOptions, `-seed=${seed}`],
      },
      core.OptionSource.CommandLineArguments,
    );
  const options = createOptions(true, []);
  core.registerGlobals(options);
  const tracker = Fuzzer.coverageTracker;
  const create = tracker.createModuleCounters.bind(tracker);
  tracker.createModuleCounters = (size: number): Buffer => {
    const counters = create(size);
    const caller = new Error().stack?.split('\n')[2] ?? '';
    modules.push({ file: /file:\/\/(.*?):\d+:\d+/.exec(caller)?.[1] ?? caller, counters });
    return counters;
  };
  const instrumentor = await core.initFuzzing(options);
  registerEsmLoaderHooks(instrumentor);
  instrumentor.sendHooksToLoader();
  return { core, createOptions, program: await load(file) };
}

async function load(file: string): Promise<Program> {
  return await import(pathToFileURL(file).href);
}

async function fuzz(order: Order & { task: 'fuzz' }): Promise<number> {
  const { core, createOptions, program } = await instrument(order, order.seed);
  const isSync = !program.target.isAsync;
  const run = core.asFindingAwareFuzzFn(program.fuzz as never);
  const result = await core.startFuzzingNoInit(run, createOptions(isSync, order.flags));
  Fuzzer.printReturnInfo(isSync);
  return result.returnCode;
}

/** The package or the folder of tooling that a file belongs to. */
const ownerOf = (file: string): string =>
  path.relative(root, file).split(path.sep).slice(0, 2).join('/');

async function measure(order: Order & { task: 'measure' }): Promise<Coverage> {
  const { program } = await instrument(order, 1);
  const inputs = order.folders
    .flatMap((folder) => readdirSync(folder).map((name) => path.join(folder, name)))
    .map((file) => ({ file, bytes: readFileSync(file) }))
    .sort((a, b) => a.bytes.length - b.bytes.length || (a.file < b.file ? -1 : 1));
  const taken = new Map<Buffer, Set<number>>();
  const kept: string[] = [];
  /** Adds the values of the counters, and resets them to 0. */
  const collect = (): number => {
    let added = 0;
    // Modules are loaded on the way, too.
    for (const { counters } of modules) {
      let known = taken.get(counters);
      if (!known) {
        known = new Set();
        taken.set(counters, known);
      }
      const before = known.size;
      for (let i = 0; i < counters.length; i++) if (counters[i] !== 0) known.add(i);
      added += known.size - before;
      counters.fill(0);
    }
    return added;
  };
  collect();
  for (const { file, bytes } of inputs) {
    await program.fail(program.target, bytes);
    if (collect() > 0) kept.push(file);
  }
  const total: Share = { taken: 0, all: 0 };
  const packages: Record<string, Share> = {};
  for (const { file, counters } of modules) {
    packages[ownerOf(file)] ??= { taken: 0, all: 0 };
    for (const share of [total, packages[ownerOf(file)] as Share]) {
      share.taken += taken.get(counters)?.size ?? 0;
      share.all += counters.length;
    }
  }
  return { ...total, packages, kept };
}

/** A failure, and the smallest input that causes it. */
export interface Failure {
  /** Undefined if it did not fail. */
  readonly message: string | undefined;
  /** In base64. */
  readonly bytes: string;
}

async function minimise({ program: file, input }: Order & { task: 'minimise' }): Promise<Failure> {
  const program = await load(file);
  const bytes = await program.minimise(program.target, readFileSync(input));
  const error = await program.fail(program.target, bytes);
  const message = error === undefined ? undefined : (Object(error).stack ?? String(error));
  return { message, bytes: Buffer.from(bytes).toString('base64') };
}

const order: Order = JSON.parse(process.argv[2] ?? '');
if (order.task === 'fuzz') process.exit(await fuzz(order));
const answer = order.task === 'measure' ? await measure(order) : await minimise(order);
writeFileSync(order.answer, JSON.stringify(answer));
process.exit();
