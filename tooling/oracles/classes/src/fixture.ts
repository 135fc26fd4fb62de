/** A class with everything that javac writes, and its module. */
import path from 'node:path';
import { makeFolder, readClasses, removeFolder } from './folder.js';
import { type Jdk, peers } from './jdk.js';

const sources = ['module-info.java', 'everything/Everything.java', 'everything/Literals.java'];

/** Compiles the fixture, with all that debuggers want. */
export function compileFixture(jdk: Jdk, folder: string): void {
  const files = sources.map((file) => path.join(peers, 'fixture', file));
  jdk.compile(files, folder, '-g', '-parameters', '--module-version', '1.2.3');
}

/** The classes of the fixture, by path. */
export function readFixture(jdk: Jdk): Map<string, Buffer> {
  const folder = makeFolder();
  try {
    compileFixture(jdk, folder);
    return readClasses(folder);
  } finally {
    removeFolder(folder);
  }
}
