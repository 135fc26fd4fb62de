/** The programs that convert a file. */
import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const stream = join(here, 'stream.mjs');
const cli = () =>
  join(fileURLToPath(import.meta.resolve('@utf8/cli/package.json')), '../dist/utf8.js');

/**
 * @typedef {object} Command
 * @property {string} name
 * @property {'ours' | 'peer' | 'platform'} group
 * @property {'cesu-8' | 'utf-8'} from - The encoding that it reads. All write UTF-8.
 * @property {string} did - A precise description of its work.
 * @property {readonly string[]} needs - Programs.
 * @property {(input: string, output: string, folder: string) => readonly string[]} line
 * @property {boolean} [stdout] - Whether it writes to stdout.
 * @property {(folder: string) => void} [prepare]
 * @property {boolean} [series] - Whether it runs on files of all sizes.
 */

/** @type {readonly Command[]} */
export const commands = [
  {
    name: 'utf8 convert',
    group: 'ours',
    from: 'cesu-8',
    did: 'CESU-8 → UTF-8, into a temporary file that is renamed',
    needs: [],
    line: (input, output) => [
      process.execPath,
      cli(),
      'convert',
      '--from',
      'cesu-8',
      input,
      '-o',
      output,
    ],
    series: true,
  },
  {
    name: 'uconv',
    group: 'peer',
    from: 'cesu-8',
    did: 'CESU-8 → UTF-8',
    needs: ['uconv'],
    line: (input, output) => ['uconv', '-f', 'CESU-8', '-t', 'UTF-8', '-o', output, input],
    series: true,
  },
  {
    name: 'JVM',
    group: 'peer',
    from: 'cesu-8',
    did: 'CESU-8 → UTF-8, reader to writer, compiled beforehand',
    needs: ['java', 'javac'],
    prepare: (folder) => {
      execFileSync('javac', ['-encoding', 'UTF-8', '-d', folder, join(here, 'Copy.java')]);
    },
    // No file in the system's temporary folder.
    line: (input, output, folder) => [
      'java',
      '-XX:-UsePerfData',
      '-cp',
      folder,
      'Copy',
      input,
      output,
    ],
  },
  {
    name: 'iconv-lite',
    group: 'peer',
    from: 'cesu-8',
    did: 'CESU-8 → UTF-8, its streams in Node',
    needs: [],
    line: (input, output) => [process.execPath, stream, 'iconv-lite', input, output],
  },
  {
    name: 'iconv',
    group: 'peer',
    from: 'utf-8',
    did: 'UTF-8 → UTF-8, checking it: glibc has no CESU-8',
    needs: ['iconv'],
    line: (input) => ['iconv', '-f', 'UTF-8', '-t', 'UTF-8', input],
    stdout: true,
  },
  {
    name: 'TextDecoder',
    group: 'platform',
    from: 'utf-8',
    did: 'UTF-8 → UTF-8, checking it: streams in Node, which has no CESU-8',
    needs: [],
    line: (input, output) => [process.execPath, stream, 'native', input, output],
  },
  {
    name: 'cp',
    group: 'platform',
    from: 'utf-8',
    did: 'copies, as a floor',
    needs: ['cp'],
    line: (input, output) => ['cp', input, output],
    series: true,
  },
  {
    name: 'cat',
    group: 'platform',
    from: 'utf-8',
    did: 'copies through memory, as another floor',
    needs: ['cat'],
    line: (input) => ['cat', input],
    stdout: true,
    series: true,
  },
];

/** Tells whether a program is on the PATH. @param {string} name */
export const isInstalled = (name) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
