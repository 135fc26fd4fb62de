/** The JDKs that are installed here, as far as a program in C can start their virtual machines. */
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';

export interface Jdk {
  readonly home: string;
  /** Such as 17.0.15. */
  readonly version: string;
  /** The library with `JNI_CreateJavaVM`. */
  readonly library: string;
  /** The folders of `jni.h`, and of what it includes. */
  readonly headers: readonly string[];
}

const libraries = ['libjvm.so', 'libjvm.dylib'].map((file) => path.join('lib', 'server', file));

/** The homes to look at: of each `java` on the PATH, and where systems install JDKs. */
function* listHomes(): Generator<string> {
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    const java = path.join(folder, 'java');
    if (existsSync(java)) yield path.dirname(path.dirname(realpathSync(java)));
  }
  if (process.env.JAVA_HOME && existsSync(process.env.JAVA_HOME)) {
    yield realpathSync(process.env.JAVA_HOME);
  }
  const [debian, mac] = ['/usr/lib/jvm', '/Library/Java/JavaVirtualMachines'] as const;
  for (const name of existsSync(debian) ? readdirSync(debian) : []) {
    yield realpathSync(path.join(debian, name));
  }
  for (const name of existsSync(mac) ? readdirSync(mac) : []) {
    yield path.join(mac, name, 'Contents', 'Home');
  }
}

function describeJdk(home: string): Jdk | undefined {
  const library = libraries.map((file) => path.join(home, file)).find(existsSync);
  const include = path.join(home, 'include');
  if (!library || !existsSync(path.join(include, 'jni.h'))) return undefined;
  const release = path.join(home, 'release');
  const text = existsSync(release) ? readFileSync(release, 'utf8') : '';
  const version = /^JAVA_VERSION="(.*)"$/m.exec(text)?.[1] ?? path.basename(home);
  const folders = readdirSync(include, { withFileTypes: true }).filter((e) => e.isDirectory());
  return {
    home,
    version,
    library,
    headers: [include, ...folders.map(({ name }) => path.join(include, name))],
  };
}

/** All JDKs that are found, each once. */
export function findJdks(): Jdk[] {
  return [...new Set(listHomes())].sort().flatMap((home) => describeJdk(home) ?? []);
}
