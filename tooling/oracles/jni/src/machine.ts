/** Java virtual machines that answer through JNI. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { compileC, type Jdk, jdks } from '../../src/jdk.js';
import { makeFolder, removeFolder, run } from '../../src/program.js';
import { packFrames, readFrames } from './frame.js';

/** Folder of our programs. */
export const peers: string = fileURLToPath(new URL('../peers', import.meta.url));

/** See `peers/strings.c`. */
export type Operation =
  | 'NewStringUTF'
  | 'GetStringUTFChars'
  | 'GetStringUTFRegion'
  | 'GetStringUTFLength';

/** Options for small programs, which create no file in the system's temporary folder. */
const basics = ['-XX:+UseSerialGC', '-XX:-UsePerfData'];

export class Machine {
  readonly jdk: Jdk;
  readonly #folder = makeFolder();
  readonly #program = path.join(this.#folder, 'strings');

  constructor(jdk: Jdk) {
    this.jdk = jdk;
    compileC(path.join(peers, 'strings.c'), this.#program, jdk);
  }

  get name(): string {
    return `HotSpot ${this.jdk.version}`;
  }

  /** Answers frames by frames, in a process of its own. */
  askFrames(operation: Operation, frames: Uint8Array, ...options: string[]): Buffer {
    const heap = options.some((option) => option.startsWith('-Xmx')) ? [] : ['-Xmx256m'];
    const words = [this.jdk.library, operation, ...basics, ...heap, ...options];
    return run([this.#program, ...words], { input: frames });
  }

  ask(operation: Operation, requests: readonly Uint8Array[], ...options: string[]): Buffer[] {
    return [...readFrames(this.askFrames(operation, packFrames(requests), ...options))];
  }

  /** Removes the compiled program. */
  close(): void {
    removeFolder(this.#folder);
  }
}

/** Compiles for each JDK, for the tests of a file. */
export function useMachines(): Machine[] {
  const machines = jdks.map((jdk) => new Machine(jdk));
  afterAll(() => {
    for (const machine of machines) machine.close();
  });
  return machines;
}
