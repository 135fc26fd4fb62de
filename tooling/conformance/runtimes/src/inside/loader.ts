/**
 * Loads the suite in a context of `node:vm`, module by module, and prints its report. Needs
 * `--experimental-vm-modules`.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { ReadableStream, TransformStream, WritableStream } from 'node:stream/web';
import { TextDecoder } from 'node:util';
import { type Context, createContext, type Module, SourceTextModule } from 'node:vm';
import type { Report } from '../report.js';
import { HOST, type Host } from './host.js';

/** Module to load, and its context. */
export interface Task {
  /** The folder of this repository. */
  readonly root: string;
  readonly bundle: string;
  /** The files of the modules under test, by specifier. */
  readonly modules: Readonly<Record<string, string>>;
  /** The specifiers that load anywhere. */
  readonly entries: readonly string[];
  /** The file of `@edge-runtime/vm`, for a context that is made by it. */
  readonly edge?: string | undefined;
}

const { root, bundle, modules, entries, edge }: Task = JSON.parse(process.argv[2] ?? '');
const version = `Node ${process.version}`;
const foreign = { ArrayBuffer, DataView, Uint8Array };

const report = await (edge ? runOnEdge(edge) : runAlone());
console.log(JSON.stringify(report));

/** Loads modules in a context that has only the language's globals until then. */
async function runAlone(): Promise<Report> {
  const context = createContext();
  const load = createLoader(context);
  for (const entry of entries) await load(modules[entry] as string);
  // The suite needs these, most of them for its runner. Streams are looked for when one is created.
  Object.assign(context, { AbortController, Event, EventTarget, clearTimeout, setTimeout });
  Object.assign(context, { structuredClone });
  Object.assign(context, { ReadableStream, TransformStream, WritableStream });
  return start(context, load, { about: `a context of ${version}`, foreign, TextDecoder });
}

/** In a context as Next makes it for middleware: that of `edge-runtime`, and a `process` of stubs. */
async function runOnEdge(file: string): Promise<Report> {
  const require = createRequire(file);
  const { EdgeVM } = require(file) as { EdgeVM: new (options: object) => { context: Context } };
  const extend = (context: Context): Context => Object.assign(context, { process: stubProcess() });
  const { context } = new EdgeVM({ extend });
  const about = `edge-runtime ${require('../package.json').version} in ${version}`;
  return start(context, createLoader(context), { about, foreign });
}

/** Every function of `process` is there, and throws when it is called; the rest is undefined. */
function stubProcess(): object {
  const stub = { env: {} };
  for (const name of Object.keys(process) as (string & keyof NodeJS.Process)[]) {
    if (name === 'env') continue;
    const refuse = (): never => {
      throw new Error(`process.${name} is not supported in the Edge Runtime`);
    };
    const value = typeof process[name] === 'function' ? refuse : undefined;
    Object.defineProperty(stub, name, { value });
  }
  return stub;
}

type Load = (file: string) => Promise<unknown>;

async function start(context: Context, load: Load, host: Host): Promise<Report> {
  Object.defineProperty(context, HOST, { value: host });
  const { start } = (await load(bundle)) as { start: () => Promise<Report> };
  return start();
}

/** Returns a function that loads a module of this repository, each one once. */
function createLoader(context: Context): Load {
  const loaded = new Map<string, SourceTextModule>();
  const open = (file: string): SourceTextModule => {
    let module = loaded.get(file);
    if (!module) {
      module = new SourceTextModule(readFileSync(file, 'utf8'), { context, identifier: file });
      loaded.set(file, module);
    }
    return module;
  };
  const link = (specifier: string, from: Module): Module => {
    const file = modules[specifier];
    return open(
      file ? path.join(root, file) : path.resolve(path.dirname(from.identifier), specifier),
    );
  };
  return async (file) => {
    const module = open(path.resolve(root, file));
    if (module.status === 'unlinked') await module.link(link);
    await module.evaluate();
    return module.namespace;
  };
}
