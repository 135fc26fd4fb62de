/** Commands with their peers: each task has programs that do the same, or the nearest that exists. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  copyFileSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findDifference } from '../arena/reference.mjs';
import { DAMAGES, FORMATS } from './rows.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const stream = join(here, 'stream.mjs');
const cli = join(fileURLToPath(import.meta.resolve('@utf8/cli/package.json')), '../dist/utf8.js');

/**
 * @typedef {object} Place - Files of a task, and the Node that runs ours.
 * @property {string} node
 * @property {string} folder
 * @property {string} source - Records in CESU-8.
 * @property {string} twin - The same in UTF-8.
 * @property {string} output
 * @property {number} rows
 * @property {number} damaged
 */

/**
 * @typedef {object} Lane - A program of a task.
 * @property {string} name
 * @property {'ours' | 'peer' | 'platform'} group
 * @property {string} did - A precise description of its work.
 * @property {readonly string[]} [needs] - Programs.
 * @property {(place: Place) => readonly string[]} line
 * @property {boolean} [stdout] - Whether it writes to stdout.
 * @property {readonly number[]} [exits] - Codes of success, if not 0.
 * @property {(folder: string) => void} [compile]
 * @property {boolean} [series] - Whether it runs on files of all sizes.
 * @property {(place: Place) => string | undefined} [check] - Instead of that of the task.
 */

/**
 * @typedef {object} Task
 * @property {string} command
 * @property {keyof typeof FORMATS | 'sqlite' | 'jar'} format
 * @property {keyof typeof DAMAGES} damage
 * @property {readonly string[]} [needs] - Programs that make and check its files.
 * @property {readonly Lane[]} lanes
 * @property {(place: Place) => void} [prepare] - Makes further files.
 * @property {(place: Place) => void} [reset] - Prepares the output for a program.
 * @property {(place: Place) => string | undefined} check - Says how the output is wrong.
 */

/** Thrown by `prepare` if this machine cannot make the files. */
export class MissingError extends Error {}

/** @param {string} name @param {string} did @param {(place: Place) => readonly string[]} words @param {Partial<Lane>} [more] @returns {Lane} */
const ours = (name, did, words, more) => ({
  name: `utf8 ${name}`,
  group: 'ours',
  did,
  line: (place) => [place.node, cli, name, ...words(place)],
  ...more,
});

const uconv = (/** @type {string} */ from, /** @type {string} */ to) =>
  /** @type {const} */ (['uconv', '-f', from, '-t', to]);

/** @param {string} format @param {Partial<Lane>} [more] */
const convert = (format, more) =>
  ours(
    'convert',
    `CESU-8 → UTF-8, ${format === 'plain' ? 'without records' : 'record by record'}, into a temporary file that is renamed`,
    ({ source, output }) => [
      ...['--from', 'cesu-8', '--format', format === 'plain' ? 'none' : format],
      ...[source, '-o', output],
    ],
    more,
  );

/** @type {Lane} */
const uconvLane = {
  name: 'uconv',
  group: 'peer',
  did: 'CESU-8 → UTF-8, without records',
  needs: ['uconv'],
  line: ({ source, output }) => [...uconv('CESU-8', 'UTF-8'), '-o', output, source],
  series: true,
};

/** @type {readonly Lane[]} */
const plainLanes = [
  convert('plain', { series: true }),
  uconvLane,
  {
    name: 'JVM',
    group: 'peer',
    did: 'CESU-8 → UTF-8, reader to writer, compiled beforehand',
    needs: ['java', 'javac'],
    compile: (folder) => compile(folder, 'Copy.java'),
    line: ({ source, output, folder }) => [...java(folder), 'Copy', source, output],
  },
  {
    name: 'iconv-lite',
    group: 'peer',
    did: 'CESU-8 → UTF-8, its streams in Node',
    line: ({ node, source, output }) => [node, stream, 'iconv-lite', source, output],
  },
  {
    name: 'iconv',
    group: 'peer',
    did: 'UTF-8 → UTF-8, checking it: glibc has no CESU-8',
    needs: ['iconv'],
    line: ({ twin }) => ['iconv', '-f', 'UTF-8', '-t', 'UTF-8', twin],
    stdout: true,
  },
  {
    name: 'TextDecoder',
    group: 'platform',
    did: 'UTF-8 → UTF-8, checking it: streams in Node, which has no CESU-8',
    line: ({ node, twin, output }) => [node, stream, 'native', twin, output],
  },
  {
    name: 'cp',
    group: 'platform',
    did: 'copies, as a floor',
    needs: ['cp'],
    line: ({ twin, output }) => ['cp', twin, output],
    series: true,
  },
  {
    name: 'cat',
    group: 'platform',
    did: 'copies through memory, as another floor',
    needs: ['cat'],
    line: ({ twin }) => ['cat', twin],
    stdout: true,
    series: true,
  },
];

/** Programs that read and write records, but only UTF-8. @type {Readonly<Record<string, Lane>>} */
const recordLanes = {
  csv: {
    name: 'DuckDB',
    group: 'peer',
    did: 'UTF-8 CSV → CSV through its tables: it has no CESU-8',
    needs: ['duckdb'],
    line: ({ twin, output }) => [
      ...['duckdb', '-c'],
      `COPY (SELECT * FROM read_csv('${twin}', header = true, all_varchar = true)) TO '${output}' (HEADER, FORCE_QUOTE (body))`,
    ],
  },
  jsonl: {
    name: 'jq',
    group: 'peer',
    did: 'UTF-8 JSON Lines → JSON Lines: it has no CESU-8',
    needs: ['jq'],
    line: ({ twin }) => ['jq', '-c', '.', twin],
    stdout: true,
  },
};

/** @type {Lane} */
const grep = {
  name: 'grep -P',
  group: 'peer',
  did: 'prints each CESU-8 pair with its offset; no records, no other findings',
  needs: ['grep', 'env'],
  line: ({ source }) => [
    ...['env', 'LC_ALL=C', 'grep', '-aobP'],
    '\\xED[\\xA0-\\xAF][\\x80-\\xBF]\\xED[\\xB0-\\xBF][\\x80-\\xBF]',
    source,
  ],
  stdout: true,
  exits: [0, 1],
  check: ({ output, damaged }) =>
    expectEqual(readFileSync(output, 'latin1').match(/^\d+:/gm)?.length ?? 0, damaged, 'findings'),
};

const TABLE = '(id INTEGER PRIMARY KEY, author TEXT, body TEXT)';
const EQUAL =
  'SELECT count(*), (SELECT count(*) FROM a), (SELECT count(*) FROM b) FROM a JOIN b USING (id) WHERE a.author = b.author AND a.body = b.body';
const checkEqual = (/** @type {Place} */ { output, rows }) =>
  expectEqual(
    readFileSync(output, 'latin1').trim().replaceAll('|', ','),
    `${rows},${rows},${rows}`,
    'equal rows',
  );

/** @type {readonly Lane[]} */
const verifyLanes = [
  ours(
    'verify',
    'compares the CESU-8 with its UTF-8 by key',
    ({ source, twin }) => ['--key', 'id', source, twin],
    { stdout: true },
  ),
  {
    name: 'sqlite3',
    group: 'peer',
    did: 'imports what uconv made of the CESU-8, and the UTF-8, into tables in memory, and joins them',
    needs: ['sqlite3', 'uconv'],
    line: ({ source, twin }) => [
      ...['sqlite3', ':memory:', `CREATE TABLE a ${TABLE}; CREATE TABLE b ${TABLE}`],
      `.import --csv --skip 1 "|${uconv('CESU-8', 'UTF-8').join(' ')} ${source}" a`,
      `.import --csv --skip 1 ${twin} b`,
      EQUAL,
    ],
    stdout: true,
  },
  {
    name: 'DuckDB',
    group: 'peer',
    did: 'reads what uconv made of the CESU-8, and the UTF-8, and joins them',
    needs: ['duckdb', 'uconv', 'sh'],
    line: ({ source, twin }) => [
      ...['sh', '-c', `${uconv('CESU-8', 'UTF-8').join(' ')} "$1" | duckdb -csv -noheader -c "$2"`],
      ...['sh', source],
      `CREATE TABLE a AS FROM read_csv('/dev/stdin', header = true, all_varchar = true); CREATE TABLE b AS FROM read_csv('${twin}', header = true, all_varchar = true); ${EQUAL}`,
    ],
    stdout: true,
  },
].map((lane, i) => ({
  ...lane,
  check:
    i > 0
      ? checkEqual
      : ({ output, rows, damaged }) =>
          expectEqual(
            readFileSync(output, 'utf8').split('\n')[0],
            `${rows} records in the source, ${rows} in the target: ${rows - damaged} equal, ${damaged} explained by the policies`,
            'verdict',
          ),
}));

const undoOf = ({ folder }) => join(folder, 'undo.jsonl');

/** @type {readonly Lane[]} */
const revertLanes = [
  ours('revert', 'UTF-8 → the CESU-8 it was made of, by the undo log', (place) => [
    ...['--undo', undoOf(place), '-o', place.output, place.twin],
  ]),
  {
    ...uconvLane,
    did: 'UTF-8 → CESU-8, for all characters above U+FFFF',
    line: ({ twin, output }) => [...uconv('UTF-8', 'CESU-8'), '-o', output, twin],
  },
];

const tableOf = (/** @type {string} */ file) => `${file}.sqlite`;

/** @type {readonly Lane[]} */
const repairLanes = [
  ours('repair', 'repairs the text of a table in place, with an undo log', (place) => [
    ...[`sqlite:${place.output}`, '--undo', undoOf(place)],
  ]),
  {
    name: 'Python',
    group: 'peer',
    did: 'UPDATE of values with the byte ED, by a function in Python; no undo log, no other checks',
    needs: ['python3'],
    line: ({ output }) => ['python3', join(here, 'repair.py'), output],
  },
];

const KINDS =
  'literal,recipe,switch-label,record-components,lambda,enum-constant,bootstrap-argument';
const ASM = ['--add-exports', 'java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED'];
const jarOf = ({ folder }) => join(folder, 'java.base.jar');

/** @type {readonly Lane[]} */
const stringsLanes = [
  ours('strings', 'lists string constants, with their kinds and offsets', (place) => [
    ...['--kind', KINDS, jarOf(place)],
  ]),
  {
    name: 'ASM',
    group: 'peer',
    did: "lists string constants by the JDK's ClassReader, compiled beforehand",
    line: (place) => [...java(place.folder), ...ASM, 'Strings', jarOf(place)],
  },
].map((lane) => ({ ...lane, stdout: true }));

/** @param {Task['command']} command @param {Task['format']} format @param {Omit<Task, 'command' | 'format' | 'damage'>} task @returns {Task[]} */
const forDamages = (command, format, task) =>
  Object.keys(DAMAGES).map((damage) => ({
    ...{ command, format, damage: /** @type {Task['damage']} */ (damage) },
    ...task,
  }));

const formats = /** @type {(keyof typeof FORMATS)[]} */ (Object.keys(FORMATS));
const isTwin = (/** @type {Place} */ { output, twin }) => compareFiles(output, twin);

/** @type {readonly Task[]} */
export const tasks = [
  ...formats.flatMap((format) =>
    forDamages('convert', format, {
      lanes:
        format === 'plain'
          ? plainLanes
          : [convert(format), uconvLane, ...[recordLanes[format] ?? []].flat()],
      check: isTwin,
    }),
  ),
  ...formats
    .filter((format) => format !== 'plain')
    .flatMap((format) =>
      forDamages('scan', format, {
        lanes: [
          ours(
            'scan',
            'counts findings by column, and prints some of them',
            ({ source }) => ['--format', format, source],
            { stdout: true, exits: [0, 1] },
          ),
          ours(
            'scan',
            'prints each finding as JSON, with record, column, bytes and their repair',
            ({ source }) => ['--format', format, '--json', source],
            { name: 'utf8 scan --json', stdout: true, exits: [0, 1] },
          ),
          convert(format, { check: isTwin }),
          grep,
        ],
        check: ({ output, damaged, rows }) => {
          const [, records, changed] =
            /^(?:\{"type":"summary","records":)?(\d+)(?: records: |,"changed":)(\d+|nothing)/m.exec(
              readFileSync(output, 'latin1'),
            ) ?? [];
          return expectEqual(
            `${changed === 'nothing' ? 0 : changed} of ${records}`,
            `${damaged} of ${rows}`,
            'changed records',
          );
        },
      }),
    ),
  ...forDamages('verify', 'csv', { lanes: verifyLanes, check: checkEqual }),
  ...forDamages('revert', 'csv', {
    lanes: revertLanes,
    prepare: (place) => {
      const { node, source, output } = place;
      rmSync(undoOf(place), { force: true });
      run(node, [
        cli,
        'convert',
        '-f',
        'cesu-8',
        '--format',
        'csv',
        source,
        '-o',
        output,
        '--undo',
        undoOf(place),
      ]);
    },
    check: ({ output, source }) => compareFiles(output, source),
  }),
  ...forDamages('repair', 'sqlite', {
    needs: ['sqlite3'],
    lanes: repairLanes,
    prepare: ({ node, source, twin }) => {
      const [major = 0] = run(node, ['-p', 'process.versions.node']).split('.').map(Number);
      if (major < 22 && !process.env.UTF8_DRIVERS) {
        throw new MissingError(
          'Node 20 has no node:sqlite, and UTF8_DRIVERS names no better-sqlite3',
        );
      }
      for (const file of [source, twin]) {
        rmSync(tableOf(file), { force: true });
        run('sqlite3', [
          ...[tableOf(file), `CREATE TABLE posts ${TABLE}`],
          `.import --csv --skip 1 ${file} posts`,
        ]);
      }
    },
    reset: (place) => {
      rmSync(undoOf(place), { force: true });
      copyFileSync(tableOf(place.source), place.output);
    },
    check: ({ output, twin, rows }) =>
      expectEqual(
        run('sqlite3', [
          ...[output, `ATTACH '${tableOf(twin)}' AS t`],
          'SELECT count(*), (SELECT count(*) FROM (SELECT * FROM posts EXCEPT SELECT * FROM t.posts)) FROM posts',
        ]).trim(),
        `${rows}|0`,
        'rows, and those not repaired',
      ),
  }),
  {
    ...{ command: 'strings', format: 'jar', damage: 'none' },
    needs: ['java', 'javac', 'jar', 'jmod'],
    lanes: stringsLanes,
    prepare: (place) => makeJar(place),
    check: (place) =>
      expectEqual(hashPlaces(readFileSync(place.output, 'utf8')), placesOf(place), 'constants'),
  },
];

/** The conversion that the targets and the series of sizes are about. @param {{ command: string, format: string, damage: string }} task */
export const isSeries = ({ command, format, damage }) =>
  command === 'convert' && format === 'plain' && damage === 'one in ten';

/** @param {string} program @param {readonly string[]} words */
const run = (program, words) =>
  execFileSync(program, words, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 2 ** 30,
  });

/** No file in the system's temporary folder. @param {string} folder */
const java = (folder) => ['java', '-XX:-UsePerfData', '-cp', folder];

/** @param {string} folder @param {string} file @param {readonly string[]} [options] */
function compile(folder, file, options = []) {
  run('javac', [...options, '-encoding', 'UTF-8', '-d', folder, join(here, file)]);
}

/** Makes a jar of the classes of the JDK's largest module, and has ASM list its constants. @param {Place} place */
function makeJar(place) {
  const { folder } = place;
  const classes = join(folder, 'classes');
  try {
    const home = /java\.home = (.*)/.exec(
      execFileSync('bash', ['-c', 'java -XshowSettings:properties -version 2>&1'], {
        encoding: 'utf8',
      }),
    )?.[1];
    run('jmod', ['extract', '--dir', classes, join(home ?? '', 'jmods/java.base.jmod')]);
    run('jar', ['--create', '--file', jarOf(place), '-C', join(classes, 'classes'), '.']);
    compile(folder, 'Strings.java', ASM);
  } catch (error) {
    const [why] = /** @type {Error} */ (error).message.split('\n');
    throw new MissingError(`this JDK has no jmods, or no ASM (${why})`);
  } finally {
    rmSync(classes, { recursive: true, force: true });
  }
}

/** @type {Map<string, string>} */
const places = new Map();

/** @param {Place} place */
function placesOf(place) {
  const jar = jarOf(place);
  const known = places.get(jar);
  if (known) return known;
  const found = hashPlaces(run('java', [...java(place.folder).slice(1), ...ASM, 'Strings', jar]));
  places.set(jar, found);
  return found;
}

/** Counts and hashes the places of constants. @param {string} list */
function hashPlaces(list) {
  const found = [...list.matchAll(/^([^\t\n]*#\d+)@/gm)].map(([, place]) => place).sort();
  return `${found.length} (${createHash('sha256').update(found.join('\n')).digest('hex').slice(0, 8)})`;
}

/** @param {unknown} is @param {unknown} wanted @param {string} what */
const expectEqual = (is, wanted, what) =>
  is === wanted ? undefined : `${what}: ${is} instead of ${wanted}`;

/** Finds the first difference between two files. @param {string} path @param {string} wanted */
export function compareFiles(path, wanted) {
  const sizes = [path, wanted].map((file) => statSync(file).size);
  const files = [path, wanted].map((file) => openSync(file, 'r'));
  const [left, right] = [Buffer.alloc(1 << 20), Buffer.alloc(1 << 20)];
  try {
    for (let at = 0; at < (sizes[1] ?? 0); at += left.length) {
      const [a, b] = [left, right].map((buffer, i) =>
        buffer.subarray(0, readSync(files[i] ?? 0, buffer, 0, buffer.length, at)),
      );
      if (a && b && !a.equals(b)) return `MiB ${at >> 20} ${findDifference(a, b)}`;
    }
  } finally {
    for (const file of files) closeSync(file);
  }
  return expectEqual(...sizes, 'bytes');
}

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
