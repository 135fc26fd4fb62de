/** The modules of a codec as TypeScript: the same list of names for all of them, one export each. */

import { hasNumbers } from '../grammar/characters.js';
import type { PackedCause, PackedRow, PackedRows } from '../grammar/packed.js';
import { type Subject, writeDocumentation } from './documentation.js';
import { planKernel } from './kernel-plan.js';
import { packGrammar } from './pack.js';

/** The first line of each module. */
export const HEADER =
  '// Generated from grammar.ts by `npm run generate`; a test fails if the two differ.';

/** Types that signatures contain, which users of the codec can name without `@utf8/core`. */
const types = [
  'Bytes',
  'Codec',
  'CodePoints',
  'DecodeOptions',
  'DecoderConstructor',
  'DecoderOptions',
  'DecoderStreamConstructor',
  'EncodeOptions',
  'EncoderConstructor',
  'EncoderOptions',
  'EncoderStreamConstructor',
  'ErrorPolicy',
  'Fault',
  'FaultReason',
  'Grammar',
  'OwnBytes',
];

/** Functions, each with the way that makes it fast, if there is one. */
const functions = {
  decode: 'decodeWay',
  encode: 'encodeWay',
  encodeInto: 'encodeWay',
  isValid: 'validateWay',
  findFault: 'validateWay',
  faults: 'validateWay',
  byteLength: 'encodeWay',
  decodedLength: 'decodeWay',
  decodeCodePoints: undefined,
  encodeCodePoints: undefined,
  countCodePoints: undefined,
  floorBoundary: undefined,
  ceilBoundary: undefined,
  truncate: undefined,
  compare: undefined,
};

/** Classes, their parts, and the way that makes each fast. */
const classes: Readonly<Record<string, readonly [argument: string, way?: string]>> = {
  Decoder: ['prepared', 'decodeWay'],
  Encoder: ['prepared', 'encodeWay'],
  DecoderStream: ['Decoder'],
  EncoderStream: ['Encoder'],
};

/** How a module is made. */
export interface ModuleOptions {
  /** Without loops and kernel, to be small. */
  readonly isLite: boolean;
  /** Where the grammar is, from the module. */
  readonly grammar: string;
}

/** Writes the module of a codec. */
export function writeModule(subject: Subject, { isLite, grammar }: ModuleOptions): string {
  const documentation = writeDocumentation(subject);
  const { characters, scalars = characters, refused } = packGrammar(subject.grammar);
  const numbers = hasNumbers(subject.grammar) ? 'NumberEngine' : 'Engine';
  const kind = refused ? 'RefusingEngine' : numbers;
  const pure = '/* @__PURE__ */';
  const unpaired = scalars ? `${pure} new make.Engine(name, labels, scalars)` : 'undefined';
  const parts = [
    'name',
    'labels',
    'packed',
    ...(isLite && !scalars ? [] : [unpaired]),
    ...(isLite ? [] : ['{ loops, kernel }']),
  ];
  const pass = (way: string | undefined): string => (way && !isLite ? `, make.${way}` : '');
  const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
  return [
    HEADER,
    '',
    '/**',
    ...describeModule(subject, isLite).map((line) => ` * ${line}`),
    ' *',
    ' * @packageDocumentation',
    ' */',
    "import type * as core from '@utf8/core';",
    "import * as make from '@utf8/core/make';",
    `import { labels, name } from '${grammar}';`,
    ...(isLite
      ? []
      : ["import { kernel } from './kernel.js';", "import { loops } from './loops.js';"]),
    `import { packed${scalars ? ', scalars' : ''} } from './packed.js';`,
    '',
    `const prepared: make.Engine = /* @__PURE__ */ new make.${kind}(${parts.join(', ')});`,
    '/**',
    ' * The prepared grammar, which functions of two codecs share.',
    ' *',
    ' * @internal',
    ' */',
    'export const engine: unknown = prepared;',
    '',
    `export type { ${types.join(', ')} } from '@utf8/core';`,
    "export { DecodeError, EncodeError } from '@utf8/core/make';",
    'export { labels, name };',
    '',
    subject.description,
    `export const grammar: core.Grammar = ${pure} make.unpackGrammar('${subject.grammar.domain}', packed);`,
    ...Object.entries(functions).flatMap(([member, way]) => [
      '',
      documentation.get(member) as string,
      `export const ${member}: core.Codec['${member}'] =`,
      `  /* @__PURE__ */ make.create${capitalize(member)}(prepared${pass(way)});`,
    ]),
    ...Object.entries(classes).flatMap(([member, [argument, way]]) => [
      '',
      documentation.get(member) as string,
      `export const ${member}: core.${member}Constructor<${member}> =`,
      `  /* @__PURE__ */ make.create${member}(${argument}${pass(way)});`,
      `export interface ${member} extends core.${member} {}`,
    ]),
    '',
  ].join('\n');
}

/** Describes a module in lines for its first comment. */
function describeModule({ name }: Subject, isLite: boolean): string[] {
  const sentence = `Encodes and decodes ${name}: functions, coders and streams, to be imported one by one.`;
  return isLite
    ? [
        sentence,
        'This module is smaller and slower than the one without `/lite`; the results are the same.',
      ]
    : [sentence];
}

const hex = (number: number, digits = 1): string =>
  `0x${number.toString(16).padStart(digits, '0')}`;

/** Writes a grammar as plain data. */
export function writePacked({ grammar }: Subject): string {
  const unit = (bytes: readonly number[]): string =>
    `[${bytes.map((byte) => hex(byte, 2)).join(', ')}]`;
  const row = ([first, ...units]: PackedRow): string =>
    `[${[hex(first, 4), ...units.map(unit)].join(', ')}],`;
  const list = (name: string, rows: readonly PackedRow[] | undefined): string[] =>
    rows ? [`${name}: [`, ...rows.map(row), '],'] : [];
  const both = ({ rows, written }: PackedRows): string[] => [
    ...list('rows', rows),
    ...list('written', written),
  ];
  /** Pairs may be read besides what the scalar values are written as. */
  const writeCharacters = (characters: PackedRows, scalars: PackedRows): string[] =>
    characters === scalars
      ? ['characters: scalars,']
      : [
          'characters: {',
          'rows: /* @__PURE__ */ scalarRows.concat([',
          ...characters.rows.slice(scalars.rows.length).map(row),
          ']),',
          'written: scalarRows,',
          '},',
        ];
  const cause = ([reason, ...bytes]: PackedCause): string =>
    `['${reason}', ${bytes.map((byte) => hex(byte as number, 2)).join(', ')}],`;
  const packed = packGrammar(grammar);
  const { characters, scalars = characters } = packed;
  const shared = [
    `longest: ${packed.longest},`,
    `growth: ${packed.growth},`,
    `firstAscii: ${hex(packed.firstAscii, 2)},`,
    'causes,',
  ];
  return [
    HEADER,
    `import type { PackedCause, PackedGrammar${scalars ? ', PackedRow' : ''} } from '@utf8/core/make';`,
    '',
    '/** Why a lead is malformed, with some second bytes or with any. */',
    'const causes: readonly PackedCause[] = [',
    ...packed.causes.map(cause),
    '];',
    '',
    ...(scalars
      ? [
          'const scalarRows: readonly PackedRow[] = [',
          ...scalars.rows.map(row),
          '];',
          '',
          '/** The same encoding without unpaired surrogates. */',
          'export const scalars: PackedGrammar = {',
          ...shared,
          'rows: scalarRows,',
          ...list('written', scalars.written),
          '};',
          '',
        ]
      : []),
    '/** A row is its first code point, and for each unit the first and the last byte of every position. */',
    'export const packed: PackedGrammar = {',
    ...shared,
    ...both(packed),
    ...list('refused', packed.refused),
    ...(characters && scalars ? writeCharacters(characters, scalars) : []),
    '};',
    '',
  ].join('\n');
}

/** Writes the module that puts a kernel together: its WebAssembly, and the facts of its grammar. */
export function writeKernel({ grammar }: Subject): string {
  const { facts } = planKernel(grammar);
  return [
    HEADER,
    "import { createKernel, type Kernel } from '@utf8/core/make';",
    "import { wasm } from './wasm.js';",
    '',
    'export const kernel: Kernel = /* @__PURE__ */ createKernel(wasm, {',
    `firstAscii: ${hex(facts.firstAscii, 2)},`,
    `isUtf8: ${facts.isUtf8},`,
    `readsUtf8: ${facts.readsUtf8},`,
    `writesUtf8: ${facts.writesUtf8},`,
    '});',
    '',
  ].join('\n');
}
