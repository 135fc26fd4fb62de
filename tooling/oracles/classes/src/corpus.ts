/** Classes that people run, in archives that come by Maven, and those of the JDKs. */
import { cpSync } from 'node:fs';
import path from 'node:path';
import { jdks } from '../../src/jdk.js';
import { keepFolder } from '../../src/program.js';
import type { JavaProgram } from './java.js';
import { findArtifact } from './maven.js';

/** Classes that belong together. */
export interface Library {
  readonly name: string;
  /** The archive that they are in; undefined where a JVM has them itself. */
  readonly archive: string | undefined;
  /**
   * Makes a folder with the classes.
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

const archives = names.map((name): Library => {
  const archive = findArtifact(name);
  const extract = (unpack: JavaProgram): string =>
    keepFolder(`corpus-${path.basename(archive)}`, (folder) => {
      unpack.run('Unpack', [archive, folder]);
    });
  return { name, archive, extract };
});

const bases = jdks.map(
  (jdk): Library => ({
    name: `java.base of JDK ${jdk.version}`,
    archive: undefined,
    extract: () =>
      keepFolder(`corpus-base-${jdk.version}`, (folder) => {
        const isWanted = (file: string): boolean => !/\.(?!class$)[^/]*$/.test(file);
        cpSync(jdk.extractBase(), folder, { recursive: true, filter: isWanted });
      }),
  }),
);

export const libraries: readonly Library[] = [...archives, ...bases];
