/** `utf8 strings`: the strings of JVM classes, Android files and Java's data, one a line. */
import { measure, requireStdout } from '@utf8/dump/internal';
import { listInputs } from '../input/inputs.js';
import { STDIN } from '../input/stdin.js';
import { type Command, defineCommand } from '../option/option.js';
import { UsageError } from '../option/usage-error.js';
import { isFolder, type Unread, walk } from '../strings/folder.js';
import { type Kind, kinds, meanings } from '../strings/kind.js';
import { Listing } from '../strings/listing.js';
import { Printer } from '../terminal/printer.js';
import { createProgress } from '../terminal/progress.js';
import { createStyle } from '../terminal/style.js';

const rows = kinds.map((kind) => `  ${kind.padEnd(18)} ${meanings[kind]}`);

export const command: Command = defineCommand({
  name: 'strings',
  description:
    'List the strings of JVM classes, jars, Android files, heap dumps, serialized objects and NBT.',
  operands: '[FILE]...',
  options: {
    kind: {
      value: 'KINDS',
      help: 'list only these kinds, separated by commas',
      examples: kinds,
      isRepeatable: true,
      parse: readKinds,
    },
    regexp: {
      short: 'e',
      value: 'PATTERN',
      help: 'list only texts that match this regular expression',
      isRepeatable: true,
      parse: readPattern,
    },
    'ignore-case': { short: 'i', help: 'ignore case in --regexp' },
    'unlike-utf8': { help: 'list only strings whose bytes are not UTF-8' },
    where: { help: 'list each use of a string: class, member and line' },
    lenient: { help: 'read what Android and JVMs tolerate, and report it' },
    json: { help: 'print strings as JSON, one object per line' },
  },
  notes: [
    'A line has the fields PLACE, KINDS and TEXT, separated by tabs. PLACE is FILE#INDEX@OFFSET or FILE!/ENTRY#INDEX@OFFSET: the index in the constant pool, and the offset of the string in bytes. In heap dumps, Java serialization and NBT, the ID, object or tag replaces the index: level.dat#Level.Player.Name@98. Offsets in compressed files count uncompressed bytes.',
    'With --where there is a line for each use of a string. WHERE comes before TEXT: the class, member and line, the annotation, the argument of a bootstrap method, the resource and its configuration, or the object or tag.',
    'In names and TEXT, \\\\, \\t, \\n, \\r and \\uXXXX stand for a backslash, control characters, line ends, bidi controls and unpaired surrogates. \\xHH is a malformed byte.',
    ['Kinds:', ...rows].join('\n'),
  ],
  examples: [
    ['app.jar --kind literal,annotation | cut -f3 | sort -u', 'List the texts of a program'],
    ['build/classes --unlike-utf8', 'List the strings that a plain UTF-8 reader gets wrong'],
  ],
  exitCodes: { 0: 'success', 1: 'a string or a file is malformed' },
  async run(operands, values) {
    // Its result is nothing else.
    requireStdout();
    const { kind, regexp, 'unlike-utf8': unlikeUtf8 = false } = values;
    const { where = false, lenient = false, json = false } = values;
    const matches = createMatcher(regexp, values['ignore-case'] ?? false);
    const names = listInputs(operands);
    const files = (): string[] => [...find(names)].flatMap(({ file }) => file ?? []);
    // Measuring goes through all folders, so it is done only for a bar that shows.
    const total = process.stderr.isTTY ? measure(files()) : undefined;
    const update = createProgress();
    let done = 0;
    const onProgress = (bytes: number): void => update(done + bytes, total);
    const kinds = kind?.flat();
    const options = { kinds, matches, unlikeUtf8, where, lenient, json, onProgress };
    const style = createStyle(json);
    const listing = new Listing(options, new Printer(style), style);
    for (const { file, error, unread, empty, isNamed = false } of find(names)) {
      if (file !== undefined) done += await listing.add(file, isNamed);
      if (error) await listing.report(error.message, 3);
      if (unread) await listing.skip(unread);
      if (empty !== undefined) await listing.empty(empty);
    }
    await listing.end();
    return listing.exitCode;
  },
});

/** Tells whether a text matches one of some patterns; every text does if there are none. */
function createMatcher(
  patterns: readonly string[] | undefined,
  ignoresCase: boolean,
): (text: string) => boolean {
  if (!patterns) {
    if (ignoresCase) throw new UsageError('--ignore-case needs --regexp');
    return () => true;
  }
  const regexps = patterns.map((pattern) => new RegExp(pattern, ignoresCase ? 'iu' : 'u'));
  return (text) => regexps.some((regexp) => regexp.test(text));
}

/** Checks a regular expression. */
function readPattern(text: string, flag: string): string {
  try {
    new RegExp(text, 'u');
    return text;
  } catch (error) {
    // V8 repeats the pattern before its reason.
    const what = (error as Error).message.split(': ').at(-1) ?? '';
    throw new UsageError(
      `${flag} ${JSON.stringify(text)}: ${what.charAt(0).toLowerCase()}${what.slice(1)}`,
    );
  }
}

/** Reads kinds, separated by commas. */
function readKinds(text: string, flag: string): readonly Kind[] {
  return text.split(',').map((word) => {
    const kind = kinds.find((kind) => kind === word.trim());
    if (kind) return kind;
    const given = `${flag} ${JSON.stringify(word.trim())}`;
    throw new UsageError(`${given}: expected one or more of ${kinds.join(', ')}`);
  });
}

/** A file to list, an error, a file that is not read, or a folder without files to list. */
interface FoundFile {
  readonly file?: string;
  readonly isNamed?: boolean;
  readonly error?: Error;
  readonly unread?: Unread;
  readonly empty?: string;
}

/** The operands, and for a folder the files in it. */
function* find(names: readonly string[]): Generator<FoundFile, void, undefined> {
  for (const name of names) {
    if (name === STDIN || !isFolder(name)) {
      yield { file: name, isNamed: true };
      continue;
    }
    let isEmpty = true;
    for (const found of walk(name)) {
      if (typeof found === 'string') yield { file: found };
      else yield found instanceof Error ? { error: found } : { unread: found };
      isEmpty &&= !(typeof found === 'string' || found instanceof Error);
    }
    if (isEmpty) yield { empty: name };
  }
}
