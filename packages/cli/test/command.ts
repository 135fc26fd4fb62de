/** The command, run in this process, and a folder to run it in. `built.ts` starts it as a user does. */
import fs, { mkdtempSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import threads from 'node:worker_threads';
import { afterAll, beforeAll } from 'vitest';
import { run } from '../src/main/dispatch.js';
import { followNext } from './follow-next.js';

export const sample: string = fileURLToPath(new URL('../sample/customers.csv', import.meta.url));

export interface Result {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Environment of a run. */
export interface Surroundings {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Streams that are a terminal. Output to both is in the order of time. */
  readonly terminal?: 'stderr' | 'both';
  /** True to run as a user that may not read everything, if root runs the tests. */
  readonly isNobody?: boolean;
}

/**
 * The environment without what asks for colour or forbids it, with what a test wants instead. Node
 * takes a terminal for one without colours where `CI` is set.
 */
export function plainEnv(wanted: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const { CI, FORCE_COLOR, NO_COLOR, ...env } = process.env;
  return { ...env, ...wanted };
}

/** Bytes, cut as a pipe cuts them, or into parts as they are. */
type Input = Uint8Array | string | Iterable<Uint8Array>;

let last: Promise<unknown> = Promise.resolve();

/** Runs the command to its end. Runs wait for each other, since each has the whole process. */
export function utf8(
  args: readonly string[],
  input: Input = '',
  surroundings: Surroundings = {},
): Promise<Result> {
  const result = last.then(async () => {
    const scan = await runAlone(args, input, surroundings);
    if (args[0] === 'scan' && scan.stdout.includes('Next: utf8 convert')) {
      const whole = isWhole(input) ? Buffer.from(input as string) : undefined;
      await followNext(scan, args, whole, surroundings, (...next) =>
        runAlone(next[0], input, next[1]),
      );
    }
    return scan;
  });
  last = result.catch(() => {});
  return result;
}

async function runAlone(
  args: readonly string[],
  input: Input,
  { cwd, env = plainEnv(), terminal, isNobody = false }: Surroundings,
): Promise<Result> {
  const stdout = new Gathered(1, terminal === 'both');
  const stderr = terminal === 'both' ? stdout : new Gathered(2, terminal === 'stderr');
  const stdin = Readable.from(isWhole(input) ? cut(Buffer.from(input as string)) : input, {
    objectMode: false,
  });
  const before = { cwd: process.cwd(), env: { ...process.env } };
  const restore = [
    replaceStreams({ stdin, stdout, stderr }),
    catchSyncWrites({ 1: stdout, 2: stderr }),
    ...(args.some((arg) => arg.startsWith('--jobs')) ? [await useBuiltThreads()] : []),
  ];
  const isRoot = process.geteuid?.() === 0;
  try {
    if (cwd !== undefined) process.chdir(cwd);
    setEnv(env);
    if (isNobody && isRoot) process.seteuid?.(65_534);
    const status = await run(args);
    return { status, signal: null, stdout: stdout.bytes, stderr: stderr.bytes.toString() };
  } finally {
    if (isNobody && isRoot) process.seteuid?.(0);
    setEnv(before.env);
    process.chdir(before.cwd);
    for (const each of restore) each();
    stdin.destroy();
  }
}

const isWhole = (input: Input): input is Uint8Array | string =>
  typeof input === 'string' || input instanceof Uint8Array;

/** Parts of the length that a pipe gives. */
function* cut(bytes: Buffer): Generator<Buffer, void, undefined> {
  for (let i = 0; i < bytes.length; i += 65_536) yield bytes.subarray(i, i + 65_536);
}

/** A stream that keeps what is written. */
class Gathered extends Writable {
  readonly #chunks: Uint8Array[] = [];
  readonly columns = 80;

  constructor(
    readonly fd: number,
    readonly isTTY: boolean,
  ) {
    super();
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  hasColors(): boolean {
    return this.isTTY;
  }

  add(chunk: Uint8Array): void {
    // Its memory may be used again.
    this.#chunks.push(Buffer.from(chunk));
  }

  override _write(chunk: Uint8Array, _: string, done: () => void): void {
    this.add(chunk);
    done();
  }
}

function replaceStreams(streams: Record<'stdin' | 'stdout' | 'stderr', unknown>): () => void {
  const before = Object.keys(streams).map(
    (name) => [name, Object.getOwnPropertyDescriptor(process, name)] as const,
  );
  for (const [name, value] of Object.entries(streams)) {
    Object.defineProperty(process, name, { value, configurable: true, enumerable: true });
  }
  return () => {
    for (const [name, property] of before) Object.defineProperty(process, name, property ?? {});
  };
}

function catchSyncWrites(streams: Readonly<Record<number, Gathered>>): () => void {
  const { writeSync } = fs;
  fs.writeSync = ((fd: number, data: Uint8Array | string, ...rest: []) => {
    const stream = streams[fd];
    if (!stream) return writeSync(fd, data as string, ...rest);
    stream.add(Buffer.from(data as string));
    return data.length;
  }) as typeof writeSync;
  syncBuiltinESMExports();
  return () => {
    fs.writeSync = writeSync;
    syncBuiltinESMExports();
  };
}

/** Node cannot run the source of a thread, so threads are those of the bundle. */
async function useBuiltThreads(): Promise<() => void> {
  const { bundle } = await import('./built.js');
  const { Worker } = threads;
  threads.Worker = class extends Worker {
    constructor(_: string | URL, options?: threads.WorkerOptions) {
      super(join(bundle, 'thread.js'), options);
    }
  };
  syncBuiltinESMExports();
  return () => {
    threads.Worker = Worker;
    syncBuiltinESMExports();
  };
}

function setEnv(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && process.env[name] !== value) process.env[name] = value;
  }
}

/** Splits what `--json` prints into the lines of findings and the summary. */
export function splitJson(text: string) {
  const start = text.trimEnd().lastIndexOf('\n') + 1;
  return { findings: text.slice(0, start), summary: JSON.parse(text.slice(start)) };
}

/** Bytes from hex, with spaces as one likes. */
export const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

/** A temporary folder for the tests of a file: a function that makes a path in it. */
export function useFolder(): (name: string) => string {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'utf8-cli-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return (name) => join(folder, name);
}
