/** The program under test: started for every input, or once for all. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, ProbeError } from '@utf8/vectors/probe';
import { beforeStop } from '../terminal/signals.js';
import { type PrintForm, readPrinted } from './printed-text.js';

export interface ProgramOptions {
  /** Milliseconds after which a run is ended. */
  readonly timeout: number;
  readonly prints: PrintForm;
}

/** Placeholder for the file with the input. */
const PLACE = '{}';

/** Output that a program may print in addition to a multiple of its input, in bytes. */
const ALLOWANCE = 1 << 20;
const MULTIPLE = 32;

/** Exit codes by which a shell reports SIGILL, SIGABRT, SIGBUS, SIGFPE and SIGSEGV. */
const crashes = new Set([132, 134, 135, 136, 139]);

/** Running programs, and the folder of inputs: neither outlives this program. */
const running = new Set<ChildProcess>();
let folder: string | undefined;
let files = 0;

/** Ends a program and all that it has started. */
function kill(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** Ends what still runs, and removes the files of inputs. */
export function cleanUp(): void {
  for (const child of running) kill(child);
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  folder = undefined;
}

function start(command: readonly string[], input: 'pipe' | 'ignore'): ChildProcess {
  if (running.size === 0) beforeStop(cleanUp);
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    stdio: [input, 'pipe', 'ignore'],
    // A process group of its own, so that its children end with it.
    detached: true,
    windowsHide: true,
  });
  running.add(child);
  child.on('close', () => running.delete(child));
  // A program that ends before it has read everything is assessed by its output.
  child.stdin?.on('error', () => {});
  return child;
}

function explainStart(program: string, { code }: NodeJS.ErrnoException): ProbeError {
  const isMissing = code === 'ENOENT';
  let advice = isMissing ? '; check the name and PATH' : '';
  if (isMissing && !/[\\/]/.test(program) && existsSync(program)) {
    advice = `; for the file in this folder, use: ./${program}`;
  } else if (/\s/.test(program)) advice = '; for shell syntax, use: sh -c "…"';
  return new ProbeError(`cannot be started (${code})${advice}`);
}

/** Runs a program on one input, whose parts are written one after the other, with a pause between. */
export async function runProgram(
  command: readonly string[],
  parts: readonly Uint8Array[],
  { timeout, prints }: ProgramOptions,
  pause = 0,
): Promise<Answer> {
  const bytes = Buffer.concat(parts);
  const usesFile = command.some((word) => word.includes(PLACE));
  const file = usesFile ? writeInput(bytes) : undefined;
  const words = command.map((word) => (file ? word.replaceAll(PLACE, file) : word));
  const child = start(words, file ? 'ignore' : 'pipe');
  try {
    return await new Promise<Answer>((resolve, reject) => {
      const stdout: Buffer[] = [];
      let size = 0;
      const most = ALLOWANCE + MULTIPLE * bytes.length;
      const stop = (failure: string): void => {
        kill(child);
        // Its children may still have stdout open, and must not keep this program waiting.
        child.stdout?.destroy();
        resolve({ failure });
      };
      const timer = setTimeout(() => stop('hangs'), timeout);
      child.stdout?.on('data', (chunk: Buffer) => {
        stdout.push(chunk);
        size += chunk.length;
        if (size > most) stop('prints without stopping');
      });
      child.on('error', (error) => {
        clearTimeout(timer);
        reject(explainStart(command[0] as string, error));
      });
      child.on('close', (status, signal) => {
        clearTimeout(timer);
        if (signal) resolve({ failure: `crashes (${signal})` });
        else if (crashes.has(status as number))
          resolve({ failure: `crashes (exit code ${status})` });
        else if (status !== 0) resolve({});
        else {
          const text = readPrinted(Buffer.concat(stdout), prints);
          resolve(text ? { text } : { failure: 'prints no JSON string' });
        }
      });
      void feed(child, parts, pause);
    });
  } finally {
    if (file) rmSync(file, { force: true });
  }
}

async function feed(
  child: ChildProcess,
  parts: readonly Uint8Array[],
  pause: number,
): Promise<void> {
  for (const [i, part] of parts.entries()) {
    if (i > 0) await sleep(pause);
    child.stdin?.write(part);
  }
  child.stdin?.end();
}

function writeInput(bytes: Uint8Array): string {
  folder ??= mkdtempSync(join(tmpdir(), 'utf8-probe-'));
  const file = join(folder, `${files++}.txt`);
  writeFileSync(file, bytes);
  return file;
}

/** A program that answers many inputs: hex digits, one input a line; `-` for a refusal. */
export class LineProgram {
  readonly #command: readonly string[];
  readonly #options: ProgramOptions;
  #child: ChildProcess | undefined;
  #onLine: ((line: string | undefined) => void) | undefined;
  #error: ProbeError | undefined;
  /** The first input in hex digits, and its answer. */
  #first: { readonly input: string; readonly line: string } | undefined;
  #count = 0;
  /** Reason for a missing answer. */
  #failure: string | undefined;
  /** Bytes that were printed since the last input. */
  #size = 0;
  #most = ALLOWANCE;

  constructor(command: readonly string[], options: ProgramOptions) {
    this.#command = command;
    this.#options = options;
  }

  #start(): ChildProcess {
    const child = start(this.#command, 'pipe');
    child.on('error', (error) => {
      this.#error = explainStart(this.#command[0] as string, error);
      this.#onLine?.(undefined);
    });
    if (child.stdout) {
      // First of the listeners, so that no line grows without end.
      child.stdout.on('data', (chunk: Buffer) => {
        this.#size += chunk.length;
        if (this.#size <= this.#most || this.#child !== child) return;
        this.#fail(child, 'prints without stopping');
      });
      createInterface({ input: child.stdout }).on('line', (line) => {
        if (this.#child === child) this.#receive(line);
      });
    }
    child.on('close', () => {
      if (this.#child !== child) return;
      this.#child = undefined;
      this.#onLine?.(undefined);
    });
    return child;
  }

  /** Ends the program, and the wait for its answer; the next input starts it again. */
  #fail(child: ChildProcess, failure: string): void {
    this.#child = undefined;
    this.#failure = failure;
    kill(child);
    child.stdout?.destroy();
    this.#onLine?.(undefined);
  }

  /** Passes an answer on; a line that no input asked for would be taken for the next answer. */
  #receive(line: string): void {
    const onLine = this.#onLine;
    this.#onLine = undefined;
    if (onLine) onLine(line);
    else this.#refuse(line);
  }

  /** The second line for the first input may come after the second input: it is the same line again. */
  #compare(bytes: Uint8Array, line: string): void {
    const input = Buffer.from(bytes).toString('hex');
    const first = this.#first;
    this.#first ??= { input, line };
    const isRepeated = first && line === first.line && line.trim().toLowerCase() === first.input;
    if (isRepeated && input !== first.input) this.#refuse(line);
  }

  #refuse(line: string): void {
    const shown = JSON.stringify(line.slice(0, 40));
    this.#error ??= new ProbeError(`answers ${shown} without an input; expected one line for each`);
  }

  /** Has the program answer an input. */
  async read(bytes: Uint8Array): Promise<Answer> {
    if (this.#error) throw this.#error;
    this.#failure = undefined;
    this.#size = 0;
    this.#most = ALLOWANCE + 2 * MULTIPLE * bytes.length;
    this.#child ??= this.#start();
    const child = this.#child;
    const line = await new Promise<string | undefined>((resolve) => {
      const timer = setTimeout(() => this.#fail(child, 'hangs'), this.#options.timeout);
      this.#onLine = (answer) => {
        clearTimeout(timer);
        resolve(answer);
      };
      child.stdin?.write(`${Buffer.from(bytes).toString('hex')}\n`);
    });
    this.#onLine = undefined;
    if (line !== undefined && ++this.#count <= 2) this.#compare(bytes, line);
    const answer =
      line === undefined
        ? { failure: this.#failure ?? 'exits without an answer' }
        : this.#parse(line.trim());
    if (this.#error) throw this.#error;
    return answer;
  }

  #parse(line: string): Answer {
    if (line === '-') return {};
    if (!/^([\da-f]{2})*$/i.test(line)) {
      const shown = JSON.stringify(line.slice(0, 40));
      throw new ProbeError(`answers ${shown}; expected hex digits, or - for a refusal`);
    }
    const text = readPrinted(Buffer.from(line, 'hex'), this.#options.prints);
    return text ? { text } : { failure: 'prints no JSON string' };
  }
}
