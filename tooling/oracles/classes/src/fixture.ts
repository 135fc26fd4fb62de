/** A class with everything that javac writes, and its module. */
import path from 'node:path';
import { jdk } from '../../src/jdk.js';
import { inFolder } from '../../src/program.js';
import { readClasses } from './folder.js';
import { peers } from './java.js';

const sources = ['module-info.java', 'everything/Everything.java', 'everything/Literals.java'];

/** Compiles the fixture, with all that debuggers want; returns its classes, by path. */
export const compileFixture = (): Map<string, Buffer> =>
  inFolder((folder) => {
    const files = sources.map((file) => path.join(peers, 'fixture', file));
    jdk.compile(files, folder, '-g', '-parameters', '--module-version', '1.2.3');
    return readClasses(folder);
  });
