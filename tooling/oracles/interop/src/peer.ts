/** Other implementations, each in a process of its own, which answer line by line. */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type Command,
  explainStart,
  makeFolder,
  removeFolder,
  run,
  start as startProgram,
} from '../../src/program.js';

/** Commands that build and start a peer from sources in `peers/`. */
export interface Program {
  /** The name that comparisons and disagreements know it by. */
  readonly name: string;
  /** Compiles the sources into a folder, if that is necessary. */
  readonly build?: (sources: string, folder: string) => Command;
  readonly start: (sources: string, folder: string) => Command;
}

/** Another implementation that can be asked. */
export interface Peer {
  readonly name: string;
  /** The implementation and its version. */
  readonly about: string;
  /**
   * Has the peer answer inputs, given in hexadecimal digits.
   *
   * @returns One line for each.
   */
  ask(operation: string, inputs: readonly string[]): Promise<string[]>;
  stop(): void;
}

interface Request {
  /** Number of pending answers. */
  missing: number;
  readonly answers: string[];
  readonly resolve: (answers: string[]) => void;
  readonly reject: (error: Error) => void;
}

const sources = fileURLToPath(new URL('../peers', import.meta.url));

/** A peer that runs as a program of its own. */
export class ProgramPeer implements Peer {
  readonly name: string;
  about = '';
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #folder: string;
  readonly #requests: Request[] = [];
  #rest = '';
  #complaint = '';
  #end: Error | undefined;

  private constructor(name: string, command: Command, folder: string) {
    this.name = name;
    this.#folder = folder;
    this.#child = startProgram(command);
    this.#child.stdout.setEncoding('latin1').on('data', (text: string) => this.#read(text));
    this.#child.stderr.on('data', (text: Buffer) => {
      this.#complaint += text.toString();
    });
    // A peer that ends early closes the pipe; `close` tells callers that wait.
    this.#child.stdin.on('error', () => {});
    this.#child.on('error', (error) => this.#fail(explainStart(error, command[0])));
    this.#child.on('close', (code) =>
      this.#fail(new Error(`${command[0]}: ${summarize(this.#complaint) || `exit code ${code}`}`)),
    );
  }

  /**
   * Compiles and starts a peer.
   *
   * @throws Error that names the missing file, or the problem.
   */
  static async start({ name, build, start }: Program): Promise<ProgramPeer> {
    const folder = makeFolder();
    let peer: ProgramPeer | undefined;
    try {
      if (build) run(build(sources, folder));
      peer = new ProgramPeer(name, start(sources, folder), folder);
      peer.about = (await peer.ask('about', [''])).join().slice('ok '.length);
      return peer;
    } catch (error) {
      peer?.stop();
      removeFolder(folder);
      throw error;
    }
  }

  ask(operation: string, inputs: readonly string[]): Promise<string[]> {
    if (inputs.length === 0) return Promise.resolve([]);
    return new Promise((resolve, reject) => {
      if (this.#end) return reject(this.#end);
      this.#requests.push({ missing: inputs.length, answers: [], resolve, reject });
      // The empty line makes the peer flush its buffer.
      this.#child.stdin.write(`${operation} ${inputs.join(`\n${operation} `)}\n\n`, 'latin1');
    });
  }

  /** Ends the process, and removes the files that were compiled for it. */
  stop(): void {
    this.#child.kill();
    removeFolder(this.#folder);
  }

  #read(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() as string;
    for (const line of lines) {
      const request = this.#requests[0];
      if (!request) throw new Error(`${this.name} says what it was not asked: ${line}`);
      request.answers.push(line);
      if (--request.missing > 0) continue;
      this.#requests.shift();
      request.resolve(request.answers);
    }
  }

  #fail(error: Error): void {
    this.#end ??= error;
    for (const { reject } of this.#requests.splice(0)) reject(error);
  }
}

/** Finds the line that describes the problem, otherwise the first. */
function summarize(output: string): string {
  const lines = output
    .replaceAll(sources + path.sep, '')
    .split('\n')
    .filter((line) => line.trim());
  return lines.find((line) => /\berror\b/i.test(line)) ?? lines[0] ?? '';
}
