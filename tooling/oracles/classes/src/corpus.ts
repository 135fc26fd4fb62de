/** Classes that people run, in archives that come by Maven, and those of the JDKs. */
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isNight } from '../../../tiers/tier.js';
import { keepFolder } from './folder.js';
import type { JavaProgram } from './java.js';
import { jdks } from './jdk.js';
import { findArtifact } from './maven.js';

/** One class of this many is looked at. */
export const SHARE: number = isNight ? 1 : 16;

/** Classes that belong together. */
export interface Library {
  readonly name: string;
  /** The archive that they are in; undefined where a JVM has them itself. */
  readonly archive: string | undefined;
  /**
   * Makes a folder with the classes, or with a share of them.
   *
   * @param unpack - The program `Unpack`.
   */
  readonly extract: (unpack: JavaProgram) => string;
}

const names = [
  'kotlin-stdlib',
  'scala3-library_3',
  'scala-library',
  'groovy',
  'clojure',
  'guava',
  'commons-collections',
  'xalan',
  'ecj',
  'spring-boot-cli',
  'opentelemetry-javaagent',
  'elastic-apm-agent',
  'lombok',
];

const archives = names.flatMap((name): Library[] => {
  const archive = findArtifact(name);
  if (!archive) return [];
  const extract = (unpack: JavaProgram): string =>
    keepFolder(`corpus-${path.basename(archive)}-${SHARE}`, (folder) => {
      unpack.run('Unpack', [archive, folder, String(SHARE)]);
    });
  return [{ name, archive, extract }];
});

const bases = jdks.map(
  (jdk): Library => ({
    name: `java.base of JDK ${jdk.version}`,
    archive: undefined,
    extract: () =>
      keepFolder(`corpus-base-${jdk.version}-${SHARE}`, (folder) => {
        const base = jdk.extractBase();
        for (const [i, file] of findFiles(base).entries()) {
          if (i % SHARE === 0 && file.endsWith('.class')) {
            cpSync(path.join(base, file), path.join(folder, file));
          }
        }
      }),
  }),
);

/** Those that are here. */
export const libraries: readonly Library[] = [...archives, ...bases];

/** The paths of all files below a folder, sorted. */
export function findFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();
}

/** All files below a folder, by path, one after another. */
export function* readFiles(folder: string): Generator<[file: string, bytes: Buffer]> {
  for (const file of findFiles(folder)) yield [file, readFileSync(path.join(folder, file))];
}
