/**
 * Writes the modules of every codec: `npm run generate`, or `npm run generate -- --check` to be told
 * where a module is not what this would write.
 *
 * A variant is a folder with a `grammar.ts`, and a `kernel.ts` where one pays. Its module is the same
 * list of names for all of them, one export each so that bundlers can drop what is not used; hence
 * this script. Beside the main grammar of a package goes `lite.ts`, the same without the kernel
 * and without what only speed asks for.
 *
 * `tables.ts` is the grammar as plain data, checked and derived here, so that programs need not.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const biome = fileURLToPath(
  new URL('../../node_modules/@biomejs/biome/bin/biome', import.meta.url),
);
const packages = fileURLToPath(new URL('../../packages', import.meta.url));

/** The package that derives is asked as it is built, for this script is no TypeScript. */
const core = path.join(packages, 'core/dist/index.js');
const { defineGrammar, deriveTables } = await import(pathToFileURL(core));

const functions = {
  decode: 'Decodes NAME bytes to a string.',
  encode: 'Encodes a string as NAME, in memory of its own.',
  encodeInto: 'Encodes as much of a string as fits into a target, whole characters only.',
  isValid: 'Tells whether bytes are well-formed NAME from beginning to end.',
  findFault: 'Finds the first fault at or after an index in bytes.',
  faults: 'Finds every fault, in order and lazily.',
  byteLength: 'Counts the bytes that `encode` would write.',
  decodedLength: 'Counts the UTF-16 code units of what `decode` would return.',
  decodeCodePoints: 'Decodes NAME bytes to code points.',
  encodeCodePoints: 'Encodes code points as NAME.',
  countCodePoints: 'Counts characters; a fault is one.',
  floorBoundary: 'Finds the greatest character boundary that is not above an index in bytes.',
  ceilBoundary: 'Finds the least character boundary that is not below an index in bytes.',
  truncate: 'Shortens bytes to whole characters: a view.',
  compare: 'Compares two byte strings by code points: -1, 0 or 1.',
};

const classes = {
  Decoder: ['engine', 'Decodes NAME chunk by chunk, with the shape of `TextDecoder`.'],
  Encoder: ['engine', 'Encodes NAME chunk by chunk, with the default of `TextEncoder`.'],
  DecoderStream: [
    'Decoder',
    'Decodes NAME as a web stream, with the shape of `TextDecoderStream`.',
  ],
  EncoderStream: [
    'Encoder',
    'Encodes NAME as a web stream, with the shape of `TextEncoderStream`.',
  ],
};

/** The text of a module. */
export function writeModule(name, { hasKernel, isLite }) {
  const doc = (sentence, member) =>
    [
      '/**',
      ` * ${sentence.replace('NAME', name)}`,
      ' *',
      ` * @see {@link core.Codec.${member}} for parameters, errors and an example`,
      ' */',
    ].join('\n');
  const parts = isLite
    ? 'name, tables'
    : `name, tables, ${hasKernel ? 'kernel' : 'undefined'}, core.takeText`;
  const fast = (member) => (!isLite && ['decode', 'encode'].includes(member) ? 'Fast' : '');
  const capitalize = (word) => word[0].toUpperCase() + word.slice(1);
  const text = [
    '// Generated from grammar.ts by `npm run generate`; a test fails where the two differ.',
    "import * as core from '@utf8/core';",
    "import { grammar, name } from './grammar.js';",
    ...(hasKernel ? ["import { kernel } from './kernel.js';"] : []),
    "import { tables } from './tables.js';",
    '',
    `const engine = /* @__PURE__ */ new core.Engine(${parts});`,
    '',
    "export { DecodeError, EncodeError } from '@utf8/core';",
    'export { grammar, name };',
    ...Object.entries(functions).flatMap(([member, sentence]) => [
      '',
      doc(sentence, member),
      `export const ${member}: core.Codec['${member}'] =`,
      `  /* @__PURE__ */ core.create${fast(member)}${capitalize(member)}(engine);`,
    ]),
    ...Object.entries(classes).flatMap(([member, [argument, sentence]]) => [
      '',
      doc(sentence, member),
      `export type ${member} = core.${member};`,
      `export const ${member}: core.Codec['${member}'] =`,
      `  /* @__PURE__ */ core.create${member}(${argument});`,
    ]),
    '',
  ].join('\n');
  return format(text);
}

/** The text of a grammar's tables. */
export function writeTables(domain, rows) {
  const hex = (number, digits) => `0x${number.toString(16).padStart(digits ?? 0, '0')}`;
  const unit = (bytes) => `[${bytes.map((byte) => hex(byte, 2)).join(', ')}]`;
  const row = ([first, ...units]) => `[${[hex(first, 4), ...units.map(unit)].join(', ')}],`;
  const list = (name, rows) => (rows ? [`${name}: [`, ...rows.map(row), '],'] : []);
  const fields = ({ greatest, longest, firstPlain, rows, spelled, paired }) => [
    `greatest: ${hex(greatest)},`,
    `longest: ${longest},`,
    `firstPlain: ${hex(firstPlain, 2)},`,
    ...list('rows', rows),
    ...list('spelled', spelled),
    ...(paired ? ['paired: {', ...fields(paired), '},'] : []),
  ];
  return format(
    [
      '// Generated from grammar.ts by `npm run generate`; a test fails where the two differ.',
      "import type { Tables } from '@utf8/core';",
      '',
      '/** A row is its first code point, and for each unit the first and the last byte of every position. */',
      'export const tables: Tables = {',
      ...fields(deriveTables(defineGrammar(domain, rows))),
      '};',
      '',
    ].join('\n'),
  );
}

function format(text) {
  return execFileSync(process.execPath, [biome, 'format', '--stdin-file-path=index.ts'], {
    input: text,
    cwd: packages,
    encoding: 'utf8',
  });
}

/** Every module that there should be, by path, with its text. */
export function* listModules() {
  for (const folder of readdirSync(packages)) {
    const source = path.join(packages, folder, 'src');
    if (folder === 'core' || !existsSync(source)) continue;
    for (const file of readdirSync(source, { recursive: true })) {
      if (path.basename(file) !== 'grammar.ts') continue;
      const place = path.join(source, path.dirname(file));
      const text = readFileSync(path.join(source, file), 'utf8');
      const [, name] = /name = '(.*)'/.exec(text);
      const [, domain, rows] = /defineGrammar\(\s*'(.*)',\s*`([^`]*)`/.exec(text);
      yield [path.join(place, 'tables.ts'), writeTables(domain, rows)];
      yield [
        path.join(place, 'index.ts'),
        writeModule(name, { hasKernel: existsSync(path.join(place, 'kernel.ts')), isLite: false }),
      ];
      if (place === source) {
        yield [path.join(place, 'lite.ts'), writeModule(name, { hasKernel: false, isLite: true })];
      }
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const check = process.argv.includes('--check');
  for (const [file, text] of listModules()) {
    if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
    if (check) process.exitCode = 1;
    else writeFileSync(file, text);
    console.log(`${check ? 'differs' : 'written'}: ${path.relative(process.cwd(), file)}`);
  }
}
