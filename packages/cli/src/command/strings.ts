/** `utf8 strings`: the strings of class files, one a line. */
import type { StringKind } from '@utf8/classfile';
import { measure } from '@utf8/dump';
import { listInputs, STDIN } from '../input/inputs.js';
import { type Command, defineCommand } from '../option/option.js';
import { UsageError } from '../option/usage-error.js';
import { isFolder, walk } from '../strings/folder.js';
import { Listing } from '../strings/listing.js';
import { Printer } from '../terminal/printer.js';
import { createProgress } from '../terminal/progress.js';

const meanings: Readonly<Record<StringKind, string>> = {
  literal: 'a string of the program',
  name: 'a name of a class, field, method, variable, …',
  descriptor: 'a type of a field or a method',
  signature: 'a generic type',
  annotation: 'a string in an annotation',
  'kotlin-metadata': 'a string in kotlin.Metadata',
  'scala-signature': 'a string in a Scala signature',
  attribute: 'the name of an attribute, such as Code',
  source: 'the name of the source file, versions of modules',
  unused: 'nothing known refers to it',
};

const kinds = Object.keys(meanings) as readonly StringKind[];

const rows = kinds.map((kind) => `  ${kind.padEnd(16)} ${meanings[kind]}`);

export const command: Command = defineCommand({
  name: 'strings',
  description: 'List the strings of JVM class files, jars, jmods and folders, one a line.',
  operands: '[FILE]...',
  options: {
    kind: {
      value: 'KINDS',
      help: 'list only these kinds, separated by commas',
      examples: kinds,
      isRepeatable: true,
      parse: readKinds,
    },
    'unlike-utf8': { help: 'list only strings whose bytes are not UTF-8' },
    json: { help: 'print strings as JSON, one object a line' },
  },
  notes: [
    'A line has the fields PLACE, KINDS and TEXT, separated by tabs. PLACE is FILE#INDEX@OFFSET or FILE!/ENTRY#INDEX@OFFSET: the index in the constant pool, and the offset of the string in bytes.',
    'In names and TEXT, \\\\, \\t, \\n, \\r and \\uXXXX stand for a backslash, control characters, line ends, bidi controls and unpaired surrogates. \\xHH is a malformed byte.',
    ['Kinds:', ...rows].join('\n'),
  ],
  examples: [
    ['app.jar --kind literal,annotation | cut -f3 | sort -u', 'List the texts of a program'],
    ['build/classes --unlike-utf8', 'List what a reader of plain UTF-8 gets wrong'],
  ],
  exitCodes: { 0: 'success', 1: 'a string, class or archive is malformed' },
  async run(operands, { kind, 'unlike-utf8': unlikeUtf8 = false, json = false }) {
    const names = listInputs(operands);
    const files = (): string[] => [...find(names)].filter((file) => typeof file === 'string');
    // Measuring goes through all folders, so it is done only for a bar that shows.
    const total = process.stderr.isTTY ? measure(files()) : undefined;
    const update = createProgress();
    let done = 0;
    const onProgress = (bytes: number): void => update(done + bytes, total);
    const options = { kinds: kind && new Set(kind.flat()), unlikeUtf8, json, onProgress };
    const printer = new Printer();
    const listing = new Listing(options, printer);
    for (const file of find(names)) {
      if (typeof file === 'string') done += await listing.add(file);
      else await listing.report(file.message, 3);
    }
    await printer.print();
    return listing.exitCode;
  },
});

/** Reads kinds, separated by commas. */
function readKinds(text: string, flag: string): readonly StringKind[] {
  return text.split(',').map((word) => {
    const kind = kinds.find((kind) => kind === word.trim());
    if (kind) return kind;
    const given = `${flag} ${JSON.stringify(word.trim())}`;
    throw new UsageError(`${given}: expected one or more of ${kinds.join(', ')}`);
  });
}

/** The operands, with the files of folders; or the errors of folders that cannot be read. */
function* find(names: readonly string[]): Generator<string | Error, void, undefined> {
  for (const name of names) {
    if (name !== STDIN && isFolder(name)) yield* walk(name);
    else yield name;
  }
}
