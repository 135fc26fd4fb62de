/** The readers that `utf8 probe` knows: how to compile, to start and to name them. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Command, cache, run } from '../../src/program.js';

const programs = fileURLToPath(new URL('../programs', import.meta.url));

/** A language or library, and the program that reads with it. */
export interface Platform {
  /** A command that prints the version. */
  readonly about: Command;
  /** Finds the version in what that prints. */
  readonly version: RegExp;
  /** Compiles the program into a folder. */
  readonly build?: (folder: string) => Command;
  /** The command, to which a mode is added. */
  readonly start: (folder: string) => Command;
}

export const platforms: Readonly<Record<string, Platform>> = {
  perl: {
    about: ['perl', '-MEncode', '-e', 'printf "%vd, Encode %s", $^V, $Encode::VERSION'],
    version: /[\d.]+, Encode [\d.]+/,
    start: () => ['perl', `${programs}/reader.pl`],
  },
  python: {
    about: ['python3', '-c', 'import platform; print(platform.python_version())'],
    version: /[\d.]+/,
    start: () => ['python3', `${programs}/reader.py`],
  },
  iconv: {
    about: ['iconv', '--version'],
    version: /(?<=\(.*)[\d.]+(?=[^\s]*\))/,
    start: () => ['iconv'],
  },
  icu: {
    about: ['uconv', '--version'],
    version: /(?<=ICU )[\d.]+/,
    start: () => ['uconv'],
  },
  java: {
    about: ['java', '--version'],
    version: /[\d.]+/,
    build: (folder) => ['javac', '-d', folder, `${programs}/Reader.java`],
    start: (folder) => [
      'java',
      '-XX:+UseSerialGC',
      '-XX:TieredStopAtLevel=1',
      '-XX:-UsePerfData',
      '-cp',
      folder,
      'Reader',
    ],
  },
  go: {
    about: ['go', 'version'],
    version: /(?<=go)\d[\d.]*/,
    // Nothing is written outside the clone; compiled parts of Go's library are kept for the next run.
    build: (folder) => [
      'env',
      `HOME=${folder}`,
      `GOCACHE=${path.join(cache, 'go')}`,
      'GOFLAGS=-mod=mod',
      'go',
      'build',
      '-o',
      `${folder}/go-reader`,
      `${programs}/reader.go`,
    ],
    start: (folder) => [`${folder}/go-reader`],
  },
  rust: {
    about: ['rustc', '--version'],
    version: /[\d.]+/,
    build: (folder) => ['rustc', '-O', '-o', `${folder}/rust-reader`, `${programs}/reader.rs`],
    start: (folder) => [`${folder}/rust-reader`],
  },
  php: {
    about: ['php', '-r', 'mb_scrub(""); echo PHP_VERSION;'],
    version: /^[\d.]+/,
    start: () => ['php', `${programs}/reader.php`],
  },
  ruby: {
    about: ['ruby', '-e', 'print RUBY_VERSION'],
    version: /[\d.]+/,
    start: () => ['ruby', `${programs}/reader.rb`],
  },
  node: {
    about: [process.execPath, '-p', 'process.versions.node'],
    version: /[\d.]+/,
    start: () => [process.execPath, `${programs}/reader.mjs`],
  },
};

export interface Reader {
  /** A name of {@link platforms}. */
  readonly platform: string;
  /** Such as `Python`; a version follows. */
  readonly name: string;
  /** Function that is called, after name and version. */
  readonly how: string;
  /** Arguments that are added to the command of the platform. */
  readonly args: readonly string[];
  /** True if a process is started for every input. */
  readonly isProgram?: boolean;
  /** Its column in the table of attacks. */
  readonly column?: string;
  /** Expected variant of the probe. */
  readonly variant: string;
  readonly mode: string;
  readonly practice?: string;
}

const utf8 = 'utf-8';
const subparts = 'maximal-subparts';

export const readers: readonly Reader[] = [
  {
    platform: 'perl',
    name: 'Perl',
    how: "decode('utf8', …), lax",
    args: ['lax'],
    column: 'Perl `utf8`',
    variant: 'rfc2279-lax',
    mode: 'replaces',
    practice: 'perl',
  },
  {
    platform: 'perl',
    name: 'Perl',
    how: "decode('UTF-8', …), strict",
    args: ['strict'],
    column: 'Perl `UTF-8`',
    variant: utf8,
    mode: 'replaces',
    practice: 'perl',
  },
  {
    platform: 'perl',
    name: 'Perl',
    how: "decode('UTF-8', …, FB_CROAK)",
    args: ['check'],
    variant: utf8,
    mode: 'refuses',
  },
  {
    platform: 'python',
    name: 'Python',
    how: "decode('utf-8', 'replace')",
    args: ['replace'],
    column: 'Python',
    variant: utf8,
    mode: 'replaces',
    practice: subparts,
  },
  {
    platform: 'python',
    name: 'Python',
    how: "decode('utf-8')",
    args: ['strict'],
    variant: utf8,
    mode: 'refuses',
  },
  {
    platform: 'python',
    name: 'Python',
    how: "decode('utf-8', 'ignore')",
    args: ['ignore'],
    variant: utf8,
    mode: 'drops',
  },
  {
    platform: 'python',
    name: 'Python',
    how: "decode('utf-8', 'backslashreplace')",
    args: ['backslashreplace'],
    variant: utf8,
    mode: 'escapes',
  },
  {
    platform: 'python',
    name: 'Python',
    how: "decode('utf-8', 'surrogateescape')",
    args: ['surrogateescape'],
    variant: utf8,
    mode: 'surrogateescape',
  },
  {
    platform: 'python',
    name: 'Python',
    how: "decode('utf-8', 'surrogatepass')",
    args: ['surrogatepass'],
    variant: utf8,
    mode: 'refuses',
  },
  {
    platform: 'iconv',
    name: 'glibc',
    how: 'iconv -f UTF-8',
    args: ['-f', 'UTF-8', '-t', 'UTF-8'],
    isProgram: true,
    column: 'iconv',
    variant: 'rfc2279',
    mode: 'refuses',
  },
  {
    platform: 'icu',
    name: 'ICU',
    how: 'uconv -f UTF-8',
    args: ['-f', 'UTF-8', '-t', 'UTF-8'],
    isProgram: true,
    variant: utf8,
    mode: 'refuses',
  },
  {
    platform: 'icu',
    name: 'ICU',
    how: 'uconv --callback substitute',
    args: ['-f', 'UTF-8', '-t', 'UTF-8', '--callback', 'substitute'],
    isProgram: true,
    column: 'uconv',
    variant: utf8,
    mode: 'replaces',
    practice: subparts,
  },
  {
    platform: 'java',
    name: 'Java',
    how: 'new String(…, UTF_8)',
    args: ['replace'],
    column: 'Java',
    variant: utf8,
    mode: 'replaces',
    practice: 'java',
  },
  {
    platform: 'java',
    name: 'Java',
    how: 'CharsetDecoder of UTF-8 with REPORT',
    args: ['report'],
    variant: utf8,
    mode: 'refuses',
  },
  {
    platform: 'go',
    name: 'Go',
    how: 'range of a string',
    args: ['runes'],
    column: 'Go',
    variant: utf8,
    mode: 'replaces',
    practice: 'per-byte',
  },
  {
    platform: 'go',
    name: 'Go',
    how: 'strings.ToValidUTF8',
    args: ['valid'],
    variant: utf8,
    mode: 'replaces',
    practice: 'per-run',
  },
  {
    platform: 'go',
    name: 'Go',
    how: 'utf8.Valid',
    args: ['strict'],
    variant: utf8,
    mode: 'refuses',
  },
  {
    platform: 'rust',
    name: 'Rust',
    how: 'String::from_utf8_lossy',
    args: ['lossy'],
    column: 'Rust',
    variant: utf8,
    mode: 'replaces',
    practice: subparts,
  },
  {
    platform: 'rust',
    name: 'Rust',
    how: 'String::from_utf8',
    args: ['strict'],
    variant: utf8,
    mode: 'refuses',
  },
  {
    platform: 'php',
    name: 'PHP',
    how: 'mb_convert_encoding',
    args: ['mbstring'],
    column: 'PHP mbstring',
    variant: utf8,
    mode: 'replaces',
    practice: subparts,
  },
  {
    platform: 'php',
    name: 'PHP',
    how: 'iconv',
    args: ['iconv'],
    variant: 'rfc2279',
    mode: 'refuses',
  },
  {
    platform: 'php',
    name: 'PHP',
    how: 'iconv //IGNORE',
    args: ['ignore'],
    column: 'PHP iconv `//IGNORE`',
    variant: 'rfc2279',
    mode: 'drops',
  },
  {
    platform: 'php',
    name: 'PHP',
    how: 'htmlspecialchars with ENT_SUBSTITUTE',
    args: ['html'],
    variant: utf8,
    mode: 'replaces',
    practice: 'php',
  },
  {
    platform: 'ruby',
    name: 'Ruby',
    how: 'scrub',
    args: ['scrub'],
    column: 'Ruby',
    variant: utf8,
    mode: 'replaces',
    practice: subparts,
  },
  {
    platform: 'ruby',
    name: 'Ruby',
    how: 'encode with invalid: :replace',
    args: ['replace'],
    variant: utf8,
    mode: 'replaces',
    practice: subparts,
  },
  {
    platform: 'ruby',
    name: 'Ruby',
    how: 'encode',
    args: ['strict'],
    variant: utf8,
    mode: 'refuses',
  },
  {
    platform: 'node',
    name: 'Node',
    how: 'TextDecoder',
    args: ['lossy'],
    column: 'Node',
    variant: utf8,
    mode: 'replaces',
    practice: subparts,
  },
  {
    platform: 'node',
    name: 'Node',
    how: 'TextDecoder, fatal',
    args: ['fatal'],
    variant: utf8,
    mode: 'refuses',
  },
  {
    platform: 'node',
    name: 'Node',
    how: 'Buffer.toString',
    args: ['buffer'],
    variant: utf8,
    mode: 'replaces',
    practice: subparts,
  },
];

/** Compiles a platform's program, and finds its version. */
export function prepare(name: string, folder: string): string {
  const { about, version, build } = platforms[name] as Platform;
  const [found] = version.exec(run(about).toString()) ?? [];
  if (!found) throw new Error(`${about.join(' ')}: no version`);
  if (build) run(build(folder));
  return found;
}

/** The command of a reader, for `utf8 probe`. */
export const commandOf = ({ platform, args }: Reader, folder: string): string[] => [
  ...(platforms[platform] as Platform).start(folder),
  ...args,
];

export const title = ({ name, how }: Reader, version: string): string =>
  `${name} ${version}: ${how}`;
