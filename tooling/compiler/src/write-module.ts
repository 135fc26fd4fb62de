/** Writes the modules of a codec as TypeScript. */
import { readFileSync } from 'node:fs';
import type { Grammar } from '@utf8/core';
import {
  encodeByRows,
  hasNumbers,
  type PackedCause,
  type PackedRow,
  type PackedRows,
  packGrammar,
} from '@utf8/core/internal';
import { planKernel } from './kernel-plan.js';

/** An encoding to compile. */
export interface Subject {
  /** The codec's name. */
  readonly name: string;
  /** The specifier that users import; undefined if there is none. */
  readonly specifier: string | undefined;
  readonly grammar: Grammar;
  /** The docstring of the grammar, as a comment. */
  readonly description: string;
}

/** Writes the first line of a module. */
export const writeHeader = (source: string): string =>
  `// Generated from ${source} by \`npm run generate\`; a test fails if the two differ.`;

export const HEADER: string = writeHeader('grammar.ts');

/** The template of all modules, which itself type-checks. */
const template = readFileSync(new URL('../template/codec.ts', import.meta.url), 'utf8');

/** Options of {@link writeModule}. */
export interface ModuleOptions {
  /** True for loops alone, without a kernel; types and docstrings are then those of the full module. */
  readonly isLite: boolean;
  /** Path of the grammar, from the module. */
  readonly grammar: string;
}

/** Writes the module of a codec after the template. */
export function writeModule(subject: Subject, { isLite, grammar: path }: ModuleOptions): string {
  const { grammar, specifier, description } = subject;
  const { characters, scalars = characters, refused } = packGrammar(grammar);
  const numbers = hasNumbers(grammar) ? 'NumberEncoding' : 'Encoding';
  const kind = refused ? 'RefusingEncoding' : numbers;
  const unpaired = 'new parts.Encoding(name, labels, scalars)';
  const parts = [
    'name, labels, packed',
    scalars ? `/* @__PURE__ */ ${unpaired}` : 'undefined',
    ...(specifier ? ['loops'] : []),
    ...(specifier && !isLite ? ['kernel'] : []),
  ];
  const [, ...lines] = template
    .replace(/^import \{ kernel \}.*\n/m, (line) => (specifier && !isLite ? line : ''))
    .replace(/^import \{ loops \}.*\n/m, (line) => (specifier ? line : ''))
    .replace(/'[./]*packages\/strict\/src\/grammar\.js'/, () => `'${path}'`)
    .replace(/'[./]*packages\/strict\/src\/generated\//g, "'./")
    .replace('{ packed }', () => (scalars ? '{ packed, scalars }' : '{ packed }'))
    .replace(/new parts\.Encoding\([^)]*\)/, () => `new parts.${kind}(${parts.join(', ')})`)
    .replace("'scalar values'", () => `'${grammar.domain}'`)
    .replace('/** {{description}} */', () => description)
    .split('\n');
  const text = [HEADER, '', ...lines].join('\n');
  const examples = / \* @example\n \* ```ts\n(?: \*.*\n)*? \* ```\n/g;
  if (isLite) return writeLite(text, subject);
  return fill(specifier ? text : text.replace(examples, ''), subject);
}

/** Replaces the placeholders of docstrings. */
function fill(text: string, { name, specifier = '', grammar }: Subject): string {
  // The character with the longest sequence; the three-byte encoding of MySQL has none above U+FFFF.
  const far = encodeCharacter(grammar, '😀').length > 0 ? '😀' : '€';
  const bytes = encodeCharacter(grammar, far).map((byte) => hex(byte, 2));
  return text
    .replaceAll('{{name}}', () => name)
    .replaceAll('{{module}}', () => specifier)
    .replaceAll('{{label}}', () => name.toLowerCase())
    .replaceAll('{{far}}', () => far)
    .replaceAll(
      '{{length pair}}',
      () => `${encodeCharacter(grammar, '😀').length || encodeCharacter(grammar, '\ufffd').length}`,
    )
    .replaceAll('{{bytes far}}', () => `Uint8Array.of(${bytes.join(', ')})`);
}

/** Removes docstrings and types: the declarations of the full module serve `/lite` too. */
function writeLite(text: string, { name, specifier }: Subject): string {
  const code = text
    .replace(/\/\*\*(?:(?!\*\/).)*\*\/\n/gs, '')
    .replace(/^export type \{[^}]*\} from '@utf8\/core';\n/m, '')
    .replace(/^export interface .*\n/gm, '')
    .replace(/^(export const (\w+)):[^=]*=\s*/gm, (_, start, member) =>
      /^[A-Z]/.test(member)
        ? `${start}: core.${member}Constructor = `
        : `${start}: core.Codec['${member}'] = `,
    )
    .replace("grammar: core.Codec['grammar']", 'grammar: core.Grammar')
    .replace("codec: core.Codec['codec']", 'codec: core.CodecCore')
    .replace(/\n{2,}(?=export const)/g, '\n');
  const comment = `/** ${name} without WebAssembly: smaller and slower than \`${specifier ?? 'the full module'}\`, with the same results. @packageDocumentation */`;
  return code.replace(HEADER, () => `${HEADER}\n\n${comment}`);
}

/** Encodes a character, as a surrogate pair if no row contains it. */
function encodeCharacter(grammar: Grammar, character: string): number[] {
  const whole = encodeByRows(grammar, character.codePointAt(0) as number);
  if (whole) return whole;
  return [character.charCodeAt(0), character.charCodeAt(1)].flatMap(
    (codeUnit) => encodeByRows(grammar, codeUnit) ?? [],
  );
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
  /** Pairs may be accepted in addition to the sequences that are written. */
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
    `import type { PackedCause, PackedGrammar${scalars ? ', PackedRow' : ''} } from '@utf8/core/parts';`,
    '',
    '/** Reasons why lead bytes are malformed, before some second bytes or before any. */',
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
          '/** The encoding without unpaired surrogates. */',
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
    "import { Kernel } from '@utf8/core/parts';",
    "import { wasm } from './wasm.js';",
    '',
    'export const kernel: Kernel = /* @__PURE__ */ new Kernel(wasm, {',
    `firstAscii: ${hex(facts.firstAscii, 2)},`,
    `isUtf8: ${facts.isUtf8},`,
    `readsUtf8: ${facts.readsUtf8},`,
    `writesUtf8: ${facts.writesUtf8},`,
    `convertsUtf8: ${facts.convertsUtf8},`,
    '});',
    '',
  ].join('\n');
}
