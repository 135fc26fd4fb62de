/** Our programs in Java: see peers. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Jdk } from '../../src/jdk.js';
import { makeFolder, removeFolder, run } from '../../src/program.js';

/** Folder of our Java programs. */
export const peers: string = fileURLToPath(new URL('../peers', import.meta.url));

/** A program that has been compiled. */
export class JavaProgram {
  readonly #java: string;
  readonly #folder: string;
  readonly #path: string;

  constructor(java: string, folder: string, libraries: readonly string[]) {
    this.#java = java;
    this.#folder = folder;
    this.#path = [folder, ...libraries].join(path.delimiter);
  }

  /**
   * Runs one of its classes.
   *
   * @param input - Its standard input.
   * @param options - The options of the JVM.
   * @returns The lines that it writes.
   */
  run(
    name: string,
    parameters: readonly string[],
    input = '',
    options: readonly string[] = [],
  ): string[] {
    // Several tests run at the same time: none of their JVMs needs all processors.
    const jvm = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Dfile.encoding=UTF-8'];
    const words = [...jvm, ...options, '-cp', this.#path, name, ...parameters];
    return run([this.#java, ...words], { input })
      .toString('utf8')
      .split('\n')
      .slice(0, -1);
  }

  remove(): void {
    removeFolder(this.#folder);
  }
}

/** Compiles sources in `peers` by the compiler of a JDK. */
export function compileProgram(
  jdk: Jdk,
  sources: readonly string[],
  libraries: readonly string[] = [],
): JavaProgram {
  const folder = makeFolder();
  const files = sources.map((name) => path.join(peers, `${name}.java`));
  const on = libraries.length > 0 ? ['-cp', libraries.join(path.delimiter)] : [];
  jdk.compile(files, folder, ...on);
  return new JavaProgram(jdk.tool('java'), folder, libraries);
}

/** Compiles sources in `peers` by Eclipse's compiler, for a JVM that comes without one. */
export function compileByEclipse(
  java: string,
  ecj: string,
  sources: readonly string[],
): JavaProgram {
  const folder = makeFolder();
  const files = sources.map((name) => path.join(peers, `${name}.java`));
  // The language is that of Java 21, the library is that of the JVM.
  const options = ['-source', '21', '-target', '21', '-encoding', 'UTF-8', '-nowarn'];
  run([java, '-jar', ecj, ...options, '-d', folder, ...files]);
  return new JavaProgram(java, folder, []);
}
