/** The peers that run as programs of their own. */
import type { Program } from './peer.js';

/** Warnings are not wanted here: a compiler of another age has others. */
const compileC = (name: string, ...libraries: string[]): Pick<Program, 'build' | 'start'> => ({
  build: (sources, folder) => [
    'cc',
    '-O2',
    '-w',
    '-o',
    `${folder}/${name}`,
    `${sources}/${name}.c`,
    ...libraries,
  ],
  start: (_, folder) => [`${folder}/${name}`],
});

export const jvm: Program = {
  name: 'jvm',
  build: (sources, folder) => ['javac', '-encoding', 'UTF-8', '-d', folder, `${sources}/Jvm.java`],
  start: (_, folder) => [
    'java',
    '-cp',
    folder,
    // The heap and the collector of a small program.
    '-Xmx512m',
    '-XX:+UseSerialGC',
    // Exceptions without stack traces: reading 16.7 million inputs takes a third of the time.
    '-XX:-StackTraceInThrowable',
    // No file in the system's temporary folder.
    '-XX:-UsePerfData',
    'Jvm',
  ],
};

export const programs: readonly Program[] = [
  jvm,
  { name: 'python', start: (sources) => ['python3', `${sources}/python.py`] },
  { name: 'perl', start: (sources) => ['perl', `${sources}/perl.pl`] },
  { name: 'lua', start: (sources) => ['lua5.4', `${sources}/lua.lua`] },
  { name: 'icu', ...compileC('icu', '-licuuc') },
  { name: 'iconv', ...compileC('iconv') },
];

/** The crate wtf8. Cargo finds it in its own cache: `cargo fetch` in a copy of `peers/wtf8` puts it there. */
export const rust: Program = {
  name: 'rust',

  // Cargo writes a lockfile beside the manifest.
  build: (sources, folder) => [
    'sh',
    '-c',
    'cp -R "$1/wtf8" "$2" && exec cargo build --offline --release --quiet --manifest-path "$2/wtf8/Cargo.toml" --target-dir "$2/target"',
    'sh',
    sources,
    folder,
  ],
  start: (_, folder) => [`${folder}/target/release/wtf8-peer`],
};

/** Programs that repair text of mixed encodings. `.ci/run` puts ftfy into `node_modules/.cache/python`. */
export const repairers: readonly Program[] = [
  {
    name: 'fix_latin',
    start: (sources) => ['perl', `${sources}/fix_latin.pl`],
  },
  {
    name: 'ftfy',
    start: (sources) => ['python3', `${sources}/ftfy_peer.py`],
  },
];
