/** Java virtual machines that answer through JNI. */
import path from 'node:path';
import { compile, hasCompiler, makeFolder, peers, removeFolder, run } from './compile.js';
import { packFrames, readFrames } from './frame.js';
import { findJdks, type Jdk } from './jdk.js';

/** See `peers/strings.c`. */
export type Operation =
  | 'NewStringUTF'
  | 'GetStringUTFChars'
  | 'GetStringUTFRegion'
  | 'GetStringUTFLength';

/** What a small program needs, and no file in the system's temporary folder. */
const basics = ['-XX:+UseSerialGC', '-XX:-UsePerfData'];

export class Machine {
  readonly jdk: Jdk;
  readonly #folder = makeFolder();
  readonly #program: string;

  constructor(jdk: Jdk) {
    this.jdk = jdk;
    this.#program = compile(path.join(peers, 'strings.c'), this.#folder, jdk);
  }

  get name(): string {
    return `HotSpot ${this.jdk.version}`;
  }

  /** Answers frames by frames, in a process of its own. */
  askFrames(operation: Operation, frames: Uint8Array, ...options: string[]): Buffer {
    const heap = options.some((option) => option.startsWith('-Xmx')) ? [] : ['-Xmx256m'];
    const words = [this.jdk.library, operation, ...basics, ...heap, ...options];
    return run(this.#program, words, frames);
  }

  ask(operation: Operation, requests: readonly Uint8Array[], ...options: string[]): Buffer[] {
    return [...readFrames(this.askFrames(operation, packFrames(requests), ...options))];
  }

  /** Removes what was compiled. */
  close(): void {
    removeFolder(this.#folder);
  }
}

/** Compiles for each JDK that is here; says in a line what is missing. */
export function openMachines(): Machine[] {
  const jdks = findJdks();
  if (jdks.length === 0) {
    console.log('skipped: no JDK with jni.h and libjvm (Debian: openjdk-17-jdk-headless)');
    return [];
  }
  if (!hasCompiler) {
    console.log('skipped: programs on JNI: cc is not installed (Debian: gcc, libc6-dev)');
    return [];
  }
  return jdks.map((jdk) => new Machine(jdk));
}
